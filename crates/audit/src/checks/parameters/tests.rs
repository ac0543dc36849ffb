use super::find;
use crate::site::builder::{SiteBuilder, builder};
use mapwright_model::Unfetched;

const CODES: [&str; 3] = ["param-session", "param-sort", "param-no-effect"];

/// Returns a site with a list and its variants, all of them linked.
fn listed(parameter: &str, role: &str, variants: &[&str]) -> SiteBuilder {
    let builder =
        builder().links("/", &["/list.php", "/menu"]).links("/list.php", variants).links("/menu", &variants[..1]);
    let builder = variants.iter().fold(builder, |builder, variant| builder.links(variant, &["/"]));
    builder.parameter("/list.php", parameter, role)
}

fn sorted() -> SiteBuilder {
    listed("sort", "sorts", &["/list.php?sort=name", "/list.php?sort=price"])
}

#[test]
fn a_parameter_that_sorts_is_reported_once_with_a_pair_and_a_fix() {
    let site = sorted().site();
    let found = site.run_check(find);
    assert_eq!(found.of("param-sort"), ["http://example.com/list.php?sort=*"]);
    assert_eq!(
        found.message("param-sort"),
        "2 linked URLs differ only by the parameter sort, which sorts the items of the page: \
         http://example.com/list.php?sort=name repeats http://example.com/list.php. To do: \
         robots.txt: Disallow: /list.php?sort=; robots.txt: Disallow: /list.php?*&sort=; \
         or give these pages a canonical without it; or crawl with --drop-param sort."
    );
    assert_eq!(found.examples("param-sort"), "/list.php?sort=name /list.php /list.php?sort=price");
    assert!(found.entrances("param-sort").starts_with("/list.php"), "the page that links to most of them");
    assert_eq!(found.of("param-session").len() + found.of("param-no-effect").len(), 0);
}

#[test]
fn a_parameter_without_effect_is_reported_by_name_or_as_a_session() {
    let cases = [
        ("param-no-effect", "from", ["menu", "footer"]),
        ("param-session", "PHPSESSID", ["1", "2"]),
        ("param-session", "t", ["0f1e2d3c4b5a69788796", "a0b1c2d3e4f506172839"]),
        ("param-no-effect", "t", ["0f1e2d3c4b5a69788796", "menu"]),
    ];
    for (code, name, values) in cases {
        let variants = values.map(|value| format!("/list.php?{name}={value}"));
        let site = listed(name, "no-effect", &variants.each_ref().map(String::as_str)).site();
        let found = site.run_check(find);
        for other in CODES {
            assert_eq!(found.of(other).len(), usize::from(other == code), "{name}={values:?}: {}", other);
        }
    }
}

#[test]
fn each_parameter_of_one_kind_is_reported() {
    let both = ["/list.php?dir=up&sort=name", "/list.php?dir=down&sort=name"];
    let variants =
        ["/list.php?sort=name", "/list.php?sort=price", "/list.php?dir=up", "/list.php?dir=down", both[0], both[1]];
    let site = listed("sort", "sorts", &variants).parameter("/list.php", "dir", "sorts").site();
    let found = site.run_check(find);
    assert_eq!(found.of("param-sort"), ["http://example.com/list.php?dir=*", "http://example.com/list.php?sort=*"]);
}

#[test]
fn a_parameter_that_decides_the_content_is_no_waste() {
    for role in ["specifies", "narrows"] {
        let site = listed("id", role, &["/list.php?id=1", "/list.php?id=2"]).site();
        assert!(site.run_check(find).is_nothing(), "{role}");
        let parameter = &site.parameters[0];
        assert_eq!((parameter.urls, parameter.wasted.len(), parameter.advice.len()), (2, 0, 0), "it is in the table");
    }
}

#[test]
fn a_single_variant_and_unlinked_variants_are_no_waste() {
    assert!(listed("sort", "sorts", &["/list.php?sort=name"]).site().run_check(find).is_nothing());
    let unlinked = builder()
        .links("/", &["/list.php"])
        .links("/list.php", &[])
        .links("/list.php?sort=name", &["/"])
        .links("/list.php?sort=price", &["/"])
        .parameter("/list.php", "sort", "sorts");
    assert!(unlinked.site().run_check(find).is_nothing());
}

#[test]
fn a_page_of_its_own_is_no_waste() {
    let builder = builder()
        .links("/", &["/a.php?sort=1", "/a.php?sort=2"])
        .links("/a.php?sort=1", &[])
        .links("/a.php?sort=2", &[]);
    assert!(builder.parameter("/a.php", "sort", "sorts").site().run_check(find).is_nothing(), "there is no /a.php");
}

#[test]
fn variants_that_declare_it_are_no_waste() {
    let variants = ["/list.php?sort=name", "/list.php?sort=price"];
    let declare: [fn(SiteBuilder, &str) -> SiteBuilder; 3] = [
        |builder, variant| builder.canonical(variant, "/list.php"),
        |builder, variant| builder.noindex(variant, &["/"]),
        |builder, variant| builder.redirect(variant, "/list.php"),
    ];
    for (number, declare) in declare.iter().enumerate() {
        let builder = variants.iter().fold(sorted(), |builder, variant| declare(builder, variant));
        assert!(builder.site().run_check(find).is_nothing(), "{number}");
    }
    let own = variants.iter().fold(sorted(), |builder, variant| builder.canonical(variant, variant));
    assert_eq!(own.site().run_check(find).of("param-sort").len(), 1, "a page that names itself declares no other");
}

#[test]
fn variants_behind_nofollow_or_robots_txt_are_no_waste() {
    let robots = sorted().robots("User-agent: *\nDisallow: /list.php?sort=\n");
    assert!(robots.site().run_check(find).is_nothing());
    let link = |variant: &str| format!("<a rel=nofollow href='{variant}'>sort</a>");
    let links = link("/list.php?sort=name") + &link("/list.php?sort=price");
    let nofollow = sorted().page("/list.php", &links).links("/menu", &[]);
    assert!(nofollow.site().run_check(find).is_nothing());
}

fn with_unrequested(builder: SiteBuilder) -> SiteBuilder {
    let names = ["/list.php?sort=age", "/list.php?sort=size", "/list.php?sort=name", "/list.php?sort=price"];
    let builder = builder.links("/menu", &names);
    names[..2].iter().fold(builder, |builder, name| builder.refused(name, Unfetched::ParameterVariant, "/menu"))
}

#[test]
fn unrequested_variants_count_like_the_requested_ones() {
    let reported_for = |builder: SiteBuilder| builder.site().run_check(find).of("param-sort").len();
    let site = with_unrequested(sorted()).site();
    assert!(site.run_check(find).message("param-sort").starts_with("4 linked URLs "));
    let declared =
        sorted().canonical("/list.php?sort=name", "/list.php").canonical("/list.php?sort=price", "/list.php");
    assert_eq!(reported_for(with_unrequested(declared)), 0);
    let robots = with_unrequested(sorted()).robots("User-agent: *\nDisallow: /list.php?sort=\n");
    assert_eq!(reported_for(robots), 0, "the advice was followed");
}

/// A revision in a code browser is named by several parameters, and some revisions show the same content.
#[test]
fn values_that_occur_under_other_names_too_are_no_sessions() {
    let revisions = ["/list.php?to=1f3870be274f6c49b3e31a0c6728957f", "/list.php?to=8b1a9953c4611296a827abf8c47804d7"];
    let named = revisions.map(|url| url.replace("/list.php?to=", "/tree?id="));
    let links: Vec<&str> = named.iter().map(String::as_str).collect();
    let of = |links: &[&str]| {
        let site = listed("to", "no-effect", &revisions).links("/menu", links).site();
        let found = site.run_check(find);
        (found.of("param-session").len(), found.of("param-no-effect").len())
    };
    assert_eq!((of(&[]), of(&links)), ((1, 0), (0, 1)));
}

/// The combinations are one crawl trap, and the table of parameters says how to end it.
#[test]
fn a_filter_whose_combinations_are_a_trap_has_advice_and_is_reported_as_the_trap() {
    let site = |role: &str| {
        let builder = builder().parameter("/shop/", "f", role).links("/", &["/shop/?f=1"]).links("/shop/?f=1", &[]);
        let refused = ["/shop/?f=1&f=2", "/shop/?f=2&f=1"];
        refused.iter().fold(builder, |builder, url| builder.refused(url, Unfetched::Endless, "/shop/?f=1")).site()
    };
    let filter = site("narrows");
    let [parameter] = filter.parameters.as_slice() else { panic!("{:?}", filter.parameters) };
    assert_eq!((parameter.urls, parameter.wasted.len(), parameter.advice.len()), (3, 2, 3), "{parameter:?}");
    assert!(filter.run_check(find).is_nothing());
    let selecting = site("specifies");
    assert!(selecting.parameters.iter().all(|parameter| parameter.wasted.is_empty() && parameter.advice.is_empty()));
}
