use super::find;
use crate::code::Code;
use crate::site::made::{Made, made};
use mapwright_frontier::Unfetched;

const CODES: [Code; 3] = [Code::ParamSession, Code::ParamSort, Code::ParamNoEffect];

/// A list with variants, all of which are linked.
fn listed(parameter: &str, role: &str, variants: &[&str]) -> Made {
    let made = made().links("/", &["/list.php", "/menu"]).links("/list.php", variants).links("/menu", &variants[..1]);
    let made = variants.iter().fold(made, |made, variant| made.links(variant, &["/"]));
    made.parameter("/list.php", parameter, role)
}

fn sorted() -> Made {
    listed("sort", "sorts", &["/list.php?sort=name", "/list.php?sort=price"])
}

#[test]
fn a_parameter_that_sorts_is_told_once_with_a_pair_and_what_to_do() {
    let site = sorted().site();
    let told = site.told(find);
    assert_eq!(told.of(Code::ParamSort), ["http://example.com/list.php?sort=*"]);
    assert_eq!(
        told.message(Code::ParamSort),
        "2 linked URLs differ only by the parameter sort, which sorts the items of the page: \
         http://example.com/list.php?sort=name repeats http://example.com/list.php. To do: \
         robots.txt: Disallow: /list.php?sort=; robots.txt: Disallow: /list.php?*&sort=; \
         or give these pages a canonical without it; or crawl with --drop-param sort."
    );
    assert_eq!(told.examples(Code::ParamSort), "/list.php?sort=name /list.php /list.php?sort=price");
    assert!(told.entrances(Code::ParamSort).starts_with("/list.php"), "the page that links to most of them");
    assert_eq!(told.of(Code::ParamSession).len() + told.of(Code::ParamNoEffect).len(), 0);
}

#[test]
fn a_parameter_without_effect_is_told_by_name_or_as_a_session() {
    let cases = [
        (Code::ParamNoEffect, "from", ["menu", "footer"]),
        (Code::ParamSession, "PHPSESSID", ["1", "2"]),
        (Code::ParamSession, "t", ["0f1e2d3c4b5a69788796", "a0b1c2d3e4f506172839"]),
        (Code::ParamNoEffect, "t", ["0f1e2d3c4b5a69788796", "menu"]),
    ];
    for (code, name, values) in cases {
        let variants = values.map(|value| format!("/list.php?{name}={value}"));
        let site = listed(name, "no-effect", &variants.each_ref().map(String::as_str)).site();
        let told = site.told(find);
        for other in CODES {
            assert_eq!(told.of(other).len(), usize::from(other == code), "{name}={values:?}: {}", other.as_str());
        }
    }
}

#[test]
fn parameters_of_one_kind_are_told_each_by_itself() {
    let both = ["/list.php?dir=up&sort=name", "/list.php?dir=down&sort=name"];
    let variants =
        ["/list.php?sort=name", "/list.php?sort=price", "/list.php?dir=up", "/list.php?dir=down", both[0], both[1]];
    let site = listed("sort", "sorts", &variants).parameter("/list.php", "dir", "sorts").site();
    let told = site.told(find);
    assert_eq!(told.of(Code::ParamSort), ["http://example.com/list.php?dir=*", "http://example.com/list.php?sort=*"]);
}

#[test]
fn what_the_parameter_decides_is_no_waste() {
    for role in ["specifies", "narrows"] {
        let site = listed("id", role, &["/list.php?id=1", "/list.php?id=2"]).site();
        assert!(site.told(find).is_nothing(), "{role}");
        let parameter = &site.parameters[0];
        assert_eq!((parameter.urls, parameter.wasted.len(), parameter.advice.len()), (2, 0, 0), "it is in the table");
    }
}

#[test]
fn one_variant_alone_or_such_as_nothing_links_are_no_waste() {
    assert!(listed("sort", "sorts", &["/list.php?sort=name"]).site().told(find).is_nothing());
    let unlinked = made()
        .links("/", &["/list.php"])
        .links("/list.php", &[])
        .links("/list.php?sort=name", &["/"])
        .links("/list.php?sort=price", &["/"])
        .parameter("/list.php", "sort", "sorts");
    assert!(unlinked.site().told(find).is_nothing());
}

#[test]
fn a_page_of_its_own_is_no_waste() {
    let made =
        made().links("/", &["/a.php?sort=1", "/a.php?sort=2"]).links("/a.php?sort=1", &[]).links("/a.php?sort=2", &[]);
    assert!(made.parameter("/a.php", "sort", "sorts").site().told(find).is_nothing(), "there is no /a.php");
}

#[test]
fn variants_that_declare_it_are_no_waste() {
    let variants = ["/list.php?sort=name", "/list.php?sort=price"];
    let declare: [fn(Made, &str) -> Made; 3] = [
        |made, variant| made.canonical(variant, "/list.php"),
        |made, variant| made.noindex(variant, &["/"]),
        |made, variant| made.redirect(variant, "/list.php"),
    ];
    for (number, declare) in declare.iter().enumerate() {
        let made = variants.iter().fold(sorted(), |made, variant| declare(made, variant));
        assert!(made.site().told(find).is_nothing(), "{number}");
    }
    let own = variants.iter().fold(sorted(), |made, variant| made.canonical(variant, variant));
    assert_eq!(own.site().told(find).of(Code::ParamSort).len(), 1, "a page that names itself declares no other");
}

#[test]
fn variants_behind_nofollow_or_robots_txt_are_no_waste() {
    let robots = sorted().robots("User-agent: *\nDisallow: /list.php?sort=\n");
    assert!(robots.site().told(find).is_nothing());
    let link = |variant: &str| format!("<a rel=nofollow href='{variant}'>sort</a>");
    let links = link("/list.php?sort=name") + &link("/list.php?sort=price");
    let nofollow = sorted().page("/list.php", &links).links("/menu", &[]);
    assert!(nofollow.site().told(find).is_nothing());
}

fn with_unrequested(made: Made) -> Made {
    let names = ["/list.php?sort=age", "/list.php?sort=size", "/list.php?sort=name", "/list.php?sort=price"];
    let made = made.links("/menu", &names);
    names[..2].iter().fold(made, |made, name| made.refused(name, Unfetched::ParameterVariant, "/menu"))
}

#[test]
fn variants_that_were_not_requested_count_as_those_that_were() {
    let told_of = |made: Made| made.site().told(find).of(Code::ParamSort).len();
    let site = with_unrequested(sorted()).site();
    assert!(site.told(find).message(Code::ParamSort).starts_with("4 linked URLs "));
    let declared =
        sorted().canonical("/list.php?sort=name", "/list.php").canonical("/list.php?sort=price", "/list.php");
    assert_eq!(told_of(with_unrequested(declared)), 0);
    let robots = with_unrequested(sorted()).robots("User-agent: *\nDisallow: /list.php?sort=\n");
    assert_eq!(told_of(robots), 0, "the advice was followed");
}

/// A revision of a code browser is named by several parameters, and shows what another shows here and there.
#[test]
fn values_that_stand_under_other_names_too_are_no_sessions() {
    let revisions = ["/list.php?to=1f3870be274f6c49b3e31a0c6728957f", "/list.php?to=8b1a9953c4611296a827abf8c47804d7"];
    let named = revisions.map(|url| url.replace("/list.php?to=", "/tree?id="));
    let links: Vec<&str> = named.iter().map(String::as_str).collect();
    let of = |links: &[&str]| {
        let site = listed("to", "no-effect", &revisions).links("/menu", links).site();
        let told = site.told(find);
        (told.of(Code::ParamSession).len(), told.of(Code::ParamNoEffect).len())
    };
    assert_eq!((of(&[]), of(&links)), ((1, 0), (0, 1)));
}
