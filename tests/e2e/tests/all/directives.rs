//! Robots directives of pages: meta robots, X-Robots-Tag, rel=nofollow, as Google specifies them.

use mapwright_e2e::{Cases, Crawl, Crawled, links};
use mapwright_testkit::{FakeSite, Response};

fn meta(name: &str, content: &str) -> String {
    format!("<meta name=\"{name}\" content=\"{content}\">")
}

/// A page with this head and these header fields, with the expected effect on its listing and on its link.
struct Page {
    name: &'static str,
    head: String,
    tags: Vec<&'static str>,
    indexed: bool,
    followed: bool,
}

fn page(name: &'static str, head: String, tags: &[&'static str], indexed: bool, followed: bool) -> Page {
    Page { name, head, tags: tags.to_vec(), indexed, followed }
}

fn add(cases: &mut Cases, page: &Page) {
    let case = cases.case(page.name);
    case.head(&page.head).body(links(&["child"]));
    for tag in &page.tags {
        case.header("X-Robots-Tag", tag);
    }
    if !page.indexed {
        case.excludes("", "noindex");
    }
    if page.followed {
        case.lists(&["child"]);
    } else {
        case.excludes("child", "nofollow").not_requested(&["child"]);
    }
}

#[test]
fn meta_robots() {
    let robots = |content: &str| meta("robots", content);
    let mut cases = Cases::open();
    for page in [
        page("noindex: left out, its links followed", robots("noindex"), &[], false, true),
        page("nofollow: its links not followed", robots("nofollow"), &[], true, false),
        page("none is both", robots("none"), &[], false, false),
        page("both", robots("noindex, nofollow"), &[], false, false),
        page("any case and spacing", "<META CONTENT=' , NoIndex ,NOFOLLOW' NAME='RoBoTs'>".into(), &[], false, false),
        page("all", robots("all"), &[], true, true),
        page("index, follow", robots("index, follow"), &[], true, true),
        page("other rules", robots("noarchive, nosnippet, max-snippet:20, noimageindex"), &[], true, true),
        page("whole words only", robots("noindexing, my-nofollow"), &[], true, true),
        page("two tags add up", robots("noindex") + &robots("nofollow"), &[], false, false),
        page("the stricter of two", robots("index") + &robots("noindex"), &[], false, true),
        page("in a comment", format!("<!-- {} -->", robots("none")), &[], true, true),
        page("another name", meta("robotics", "none"), &[], true, true),
        page("http-equiv is no name", "<meta http-equiv=robots content=none>".into(), &[], true, true),
        page("no content", "<meta name=robots>".into(), &[], true, true),
    ] {
        add(&mut cases, &page);
    }
    cases.check();
}

#[test]
fn directives_bind_generic_agents_our_token_and_the_search_agent() {
    let mut cases = Cases::open();
    for page in [
        page("our token", meta("mapwright", "noindex"), &[], false, true),
        page("our token in any case", meta("MapWright", "none"), &[], false, false),
        page("the search agent", meta("googlebot", "noindex"), &[], false, true),
        page("another agent", meta("otherbot", "none"), &[], true, true),
        page("a part of our token", meta("map", "none"), &[], true, true),
        page("X-Robots-Tag", String::new(), &["noindex"], false, true),
        page("X-Robots-Tag none", String::new(), &["none"], false, false),
        page("X-Robots-Tag in any case", String::new(), &["NoIndex,NOFOLLOW"], false, false),
        page("X-Robots-Tag for another", String::new(), &["otherbot: noindex, nofollow"], true, true),
        page("X-Robots-Tag for us", String::new(), &["mapwright: noindex"], false, true),
        page("X-Robots-Tag for the search agent", String::new(), &["googlebot: nofollow"], true, false),
        page("one for all, one for another", String::new(), &["otherbot: nofollow", "noindex"], false, true),
        page("one for another, one for us", String::new(), &["otherbot: none", "mapwright: nofollow"], true, false),
        page("tag and header add up", meta("robots", "nofollow"), &["noindex"], false, false),
        page("X-Robots-Tag of other rules", String::new(), &["noarchive, max-snippet: 20"], true, true),
    ] {
        add(&mut cases, &page);
    }
    cases.check();
}

#[test]
fn the_search_agent_is_a_setting() {
    let mut cases = Cases::open();
    add(&mut cases, &page("the agent that is set", meta("bingbot", "noindex"), &[], false, true));
    add(&mut cases, &page("and in the header", String::new(), &["BingBot: noindex"], false, true));
    add(
        &mut cases,
        &page("the default counts no more", meta("googlebot", "noindex"), &["googlebot: noindex"], true, true),
    );
    cases.check_with(cases.crawl().args(["--search-agent", "Bingbot"]));
}

#[test]
fn our_token_is_that_of_the_user_agent() {
    let mut cases = Cases::open();
    add(&mut cases, &page("the agent's token", meta("acmebot", "noindex"), &[], false, true));
    add(&mut cases, &page("and in the header", String::new(), &["acmebot: noindex"], false, true));
    add(&mut cases, &page("mapwright is another then", meta("mapwright", "none"), &[], true, true));
    cases.check_with(cases.crawl().args(["--user-agent", "acmebot/2.0 (+http://acme.test/)"]));
    cases.check_with(cases.crawl().args(["--robots-agent", "acmebot"]));
}

#[test]
fn unavailable_after_is_noindex_from_then_on() {
    let mut cases = Cases::open();
    let tag = |content: &str| meta("robots", &format!("unavailable_after: {content}"));
    for page in [
        page("a past date", tag("2019-01-01"), &[], false, true),
        page("a past instant", tag("2019-01-01T12:00:00Z"), &[], false, true),
        page("a past instant with an offset", tag("2019-01-01T12:00:00+02:00"), &[], false, true),
        page("a past RFC 822 date", tag("25 Jun 2010 15:00:00 GMT"), &[], false, true),
        page("a past RFC 850 date", tag("Friday, 25-Jun-10 15:00:00 GMT"), &[], false, true),
        page("a future date", tag("2999-01-01"), &[], true, true),
        page("a future RFC 822 date", tag("25 Jun 2999 15:00:00 GMT"), &[], true, true),
        page("no date", tag("someday"), &[], true, true),
        page("in the header", String::new(), &["unavailable_after: 25 Jun 2010 15:00:00 PST"], false, true),
        page(
            "in the header, with a weekday",
            String::new(),
            &["unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT"],
            false,
            true,
        ),
        page("in the header, future", String::new(), &["unavailable_after: 25 Jun 2999 15:00:00 PST"], true, true),
        page("in the header, for another", String::new(), &["otherbot: unavailable_after: 2019-01-01"], true, true),
        page("in the header, for us", String::new(), &["mapwright: unavailable_after: 2019-01-01"], false, true),
    ] {
        add(&mut cases, &page);
    }
    cases.check();
}

#[test]
fn nofollow_links_are_recorded_and_not_followed() {
    let mut cases = Cases::open();
    cases.case("rel nofollow").body("<a href=q rel=nofollow>x</a>").excludes("q", "nofollow").not_requested(&["q"]);
    cases.case("among others, in any case").body("<a href=q rel='external NoFollow'>x</a>").excludes("q", "nofollow");
    cases.case("whole words only").body("<a href=p rel=nofollower>x</a>").lists(&["p"]);
    cases.case("area").body("<map><area href=q rel=nofollow></map>").excludes("q", "nofollow").not_requested(&["q"]);
    let case = cases.case("linked without it elsewhere");
    case.body("<a href=p rel=nofollow>x</a><a href=hub>y</a>").page("hub", &links(&["p"])).lists(&["p", "hub"]);
    cases
        .case("ugc and sponsored are followed")
        .body("<a href=p rel=ugc>x</a><a href=q rel=sponsored>y</a>")
        .lists(&["p", "q"]);
    cases.check();
}

#[test]
fn nofollow_is_followed_on_demand() {
    let mut cases = Cases::open();
    cases.case("rel").body("<a href=p rel=nofollow>x</a>").lists(&["p"]);
    cases.case("page").head(meta("robots", "nofollow")).body(links(&["p"])).lists(&["p"]);
    cases.case("header").header("X-Robots-Tag", "nofollow").body(links(&["p"])).lists(&["p"]);
    cases
        .case("noindex still counts")
        .head(meta("robots", "none"))
        .body(links(&["p"]))
        .excludes("", "noindex")
        .lists(&["p"]);
    cases.check_with(cases.crawl().arg("--follow-nofollow"));
}

/// A nofollow link that was followed counts in the click depth.
#[test]
fn a_nofollow_link_that_is_followed_is_a_click() {
    let site = FakeSite::open();
    site.page("/", "<a rel=nofollow href=/a>a</a>").page("/a", "<meta name=robots content=nofollow><a href=/b>b</a>");
    site.page("/b", "<h1>B</h1>");
    let depths = |crawled: &Crawled| crawled.query("SELECT coalesce(depth, 'none') FROM v_pages ORDER BY url").concat();
    assert_eq!(depths(&Crawl::of(&site).arg("--follow-nofollow").run()), ["0", "1", "2"]);
}

#[test]
fn the_header_counts_for_files_too() {
    let mut cases = Cases::open();
    let pdf = || Response::new(200).content_type("application/pdf").body("%PDF-1.7\n");
    cases.case("a plain file").body(links(&["f.pdf"])).answer("f.pdf", pdf()).lists(&["f.pdf"]);
    let tagged = pdf().header("X-Robots-Tag", "noindex");
    cases.case("a file with noindex").body(links(&["f.pdf"])).answer("f.pdf", tagged).excludes("f.pdf", "noindex");
    cases.check_with(cases.crawl().args(["--list-types", "html,pdf"]));
}
