//! Canonical pages: RFC 6596, RFC 8288, and the rules of the design.

use mapwright_e2e::{Cases, links};
use mapwright_testkit::Response;

/// A canonical element.
fn canonical(href: &str) -> String {
    format!("<link rel=canonical href=\"{href}\">")
}

#[test]
fn a_page_without_a_canonical_is_its_own() {
    let mut cases = Cases::open();
    cases.case("none");
    cases.case("itself").head(canonical("./"));
    cases.case("an empty one is none, whatever the base").head("<base href=/>".to_owned() + &canonical(""));
    let case = cases.case("an empty one beside another is no conflict");
    case.head(canonical("") + &canonical("p")).excludes("", "canonical").lists(&["p"]);
    cases.case("itself with a fragment").head(canonical("#main"));
    let case = cases.case("itself, absolute");
    case.head(canonical(&case.url("")));
    let case = cases.case("itself by the header");
    case.header("Link", format!("<{}>; rel=canonical", case.url("")));
    let case = cases.case("itself with a tracking parameter");
    case.head(canonical("?utm_source=x"));
    cases
        .case("itself, spelled otherwise")
        .body(links(&["~p"]))
        .page_with_head("~p", &canonical("%7Ep"), "")
        .lists(&["~p"]);
    cases.check();
}

#[test]
fn a_canonical_to_another_page_in_scope_excludes() {
    let mut cases = Cases::open();
    cases.case("in the head").head(canonical("p")).excludes("", "canonical").lists(&["p"]);
    cases.case("in the Link header").header("Link", "<p>; rel=\"canonical\"").excludes("", "canonical").lists(&["p"]);
    let header = "</x.css>; rel=preload; as=style, <p>; title=\"a, b; c\"; rel=canonical";
    cases.case("among others in the header").header("Link", header).excludes("", "canonical").lists(&["p"]);
    cases
        .case("relations in any case")
        .head("<LINK HREF=p REL='Foo CANONICAL'>")
        .excludes("", "canonical")
        .lists(&["p"]);
    let case = cases.case("absolute");
    case.head(canonical(&case.url("p"))).excludes("", "canonical").lists(&["p"]);
    let both = cases.case("tag and header agree");
    both.head(canonical("p")).header("Link", "<p>; rel=canonical").excludes("", "canonical").lists(&["p"]);
    cases.case("twice the same").head(canonical("p") + &canonical("./p#x")).excludes("", "canonical").lists(&["p"]);
    cases
        .case("in a noscript of the head")
        .head(format!("<noscript>{}</noscript>", canonical("p")))
        .excludes("", "canonical")
        .lists(&["p"]);
    cases
        .case("behind a noscript of the head")
        .head(format!("<noscript><img src='x'><p>Words.</noscript>{}", canonical("p")))
        .excludes("", "canonical")
        .lists(&["p"]);
    let case = cases.case("each of a chain names another");
    case.body(links(&["1"])).page_with_head("1", &canonical("2"), "").page_with_head("2", &canonical("3"), "");
    case.excludes("1", "canonical").excludes("2", "canonical").lists(&["3"]);
    let case = cases.case("its links are followed");
    case.head(canonical("p")).body(links(&["q"])).excludes("", "canonical").lists(&["p", "q"]);
    cases.check();
}

#[test]
fn a_canonical_to_another_host_excludes() {
    let mut cases = Cases::open();
    cases
        .case("another host")
        .head(canonical("http://elsewhere.test/p"))
        .excludes("", "canonical")
        .excludes("http://elsewhere.test/p", "out-of-scope");
    let case = cases.case("another scheme");
    let secure = case.url("").replacen("http:", "https:", 1);
    case.head(canonical(&secure)).excludes("", "canonical").excludes(&secure, "out-of-scope");
    cases.check();
}

#[test]
fn a_canonical_to_an_excluded_page_excludes() {
    let mut cases = Cases::open();
    cases.site().robots("User-agent: *\nDisallow: /private/\n");
    let case = cases.case("a redirect");
    case.head(canonical("old"))
        .redirect("old", "new", 301)
        .excludes("", "canonical")
        .excludes("old", "redirect")
        .lists(&["new"]);
    let case = cases.case("a noindex page");
    case.head(canonical("q")).page_with_head("q", "<meta name=robots content=noindex>", "");
    case.excludes("", "canonical").excludes("q", "noindex");
    let case = cases.case("a page that robots.txt blocks");
    case.head(canonical("/private/q"))
        .excludes("", "canonical")
        .excludes("/private/q", "robots")
        .not_requested(&["/private/q"]);
    cases.check();
}

#[test]
fn a_canonical_in_the_body_is_ignored() {
    let mut cases = Cases::open();
    cases.case("in the body").body(canonical("gone"));
    cases.case("after what ends the head").head(format!("<div>x</div>{}", canonical("gone")));
    let html = format!("<title>x</title><p>text begins the body{}", canonical("gone"));
    cases.case("no head or body tags").answer("", Response::html(html));
    let before = format!("<!-- x --><title>before</title>{}<p>text", canonical("p"));
    cases.case("a head without tags").answer("", Response::html(before)).excludes("", "canonical").lists(&["p"]);
    cases.case("in a comment").head(format!("<!-- {} -->", canonical("q"))).unknown(&["q"]);
    cases.case("in a template").head(format!("<template>{}</template>", canonical("q"))).unknown(&["q"]);
    cases.check();
}

#[test]
fn conflicting_canonicals_are_ignored() {
    let mut cases = Cases::open();
    let targets = links(&["p", "q"]);
    cases.case("two tags").head(canonical("p") + &canonical("q")).body(&targets).lists(&["p", "q"]);
    cases
        .case("tag and header")
        .head(canonical("p"))
        .header("Link", "<q>; rel=canonical")
        .body(&targets)
        .lists(&["p", "q"]);
    let header = "<p>; rel=canonical, <q>; rel=canonical";
    cases.case("two headers").header("Link", header).body(&targets).lists(&["p", "q"]);
    cases.case("itself and another").head(canonical("./") + &canonical("p")).body(&targets).lists(&["p", "q"]);
    cases.check();
}

#[test]
fn canonical_loops_are_ignored() {
    let mut cases = Cases::open();
    let case = cases.case("two pages that name each other");
    case.body(links(&["1", "2"])).page_with_head("1", &canonical("2"), "").page_with_head("2", &canonical("1"), "");
    case.lists(&["1", "2"]);
    let case = cases.case("three pages in a ring");
    case.body(links(&["1"])).page_with_head("1", &canonical("2"), "").page_with_head("2", &canonical("3"), "");
    case.page_with_head("3", &canonical("1"), "").lists(&["1", "2", "3"]);
    let case = cases.case("a canonical that redirects back");
    case.body(links(&["1"])).page_with_head("1", &canonical("2"), "").redirect("2", "1", 301);
    case.lists(&["1"]).excludes("2", "redirect");
    let case = cases.case("back by a refresh");
    case.body(links(&["1"])).page_with_head("1", &canonical("2"), "");
    case.page_with_head("2", "<meta http-equiv=refresh content='0;url=1'>", "").lists(&["1"]).excludes("2", "redirect");
    let case = cases.case("a redirect, then a canonical back");
    case.body(links(&["1"])).page_with_head("1", &canonical("2"), "").redirect("2", "3", 301);
    case.page_with_head("3", &canonical("1"), "").lists(&["1", "3"]).excludes("2", "redirect");
    cases.check();
}

#[test]
fn canonicals_to_failing_pages_are_ignored() {
    let mut cases = Cases::open();
    let gone = Response::html("gone").status(410);
    cases.case("404").head(canonical("q")).answer("q", Response::new(404)).excludes("q", "http-error");
    cases.case("410").head(canonical("q")).answer("q", gone).excludes("q", "http-error");
    cases.case("500").head(canonical("q")).answer("q", Response::html("x").status(500)).excludes("q", "http-error");
    let case = cases.case("a connection that is reset");
    case.head(canonical("q")).answer("q", mapwright_testkit::ServerAction::reset_after([])).excludes("q", "no-answer");
    cases.case("mailto").head(canonical("mailto:a@b.test"));
    cases.case("javascript").head(canonical("javascript:q()"));
    cases.case("unparsable").head(canonical("http://[/"));
    cases.case("ftp").head(canonical("ftp://127.0.0.1/q"));
    cases.check_with(cases.crawl().args(["--retries", "0"]));
}

#[test]
fn canonical_targets_are_discovered() {
    let mut cases = Cases::open();
    let case = cases.case("known from the canonical alone");
    case.head(canonical("p")).page("p", &links(&["q"])).excludes("", "canonical").lists(&["p", "q"]);
    cases.check();
}

#[test]
fn the_evidence_names_the_canonical() {
    let mut cases = Cases::open();
    let case = cases.case("evidence");
    case.head(canonical("p")).excludes("", "canonical").lists(&["p"]);
    let (page, target) = (case.url(""), case.url("p"));
    let crawled = cases.check();
    assert_eq!(crawled.excluded()[&page].evidence.as_deref(), Some(target.as_str()));
}
