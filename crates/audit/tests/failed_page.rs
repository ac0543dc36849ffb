//! One page fails: findings that it does not decide can be fixed, and findings that it may decide are not.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the assertions are shared with other tests")]

mod crawled;

use crawled::{AuditRecord, check};
use mapwright_audit::{Audit, Options};
use mapwright_testcrawl::{Web, url};

fn complete() -> Options {
    Options { agent: "mapwright".to_owned(), complete: true, ..Options::default() }
}

/// Returns a home page that links to these, one of which may fail.
fn home(targets: &[&str]) -> Web {
    let web = Web::for_audit().answer("/robots.txt", 200, "text/plain", "").links("/", targets);
    web.titled("/other", "This is the other page, of which nothing is reported.")
}

fn fails(web: Web, path: &str) -> Web {
    web.answer(path, 503, "text/plain", "busy")
}

/// Returns the findings of one kind that the run on `later` reports as fixed after the run on `day`.
fn fixed(code: &str, day: &Web, later: &Web) -> Vec<String> {
    let mut crawled = day.crawled();
    let first: Audit = crawled.audited(&complete());
    assert!(!crawled.items_of(&first, code).is_empty(), "{code:?} is found by day");
    crawled.again(later);
    let audit = crawled.audited(&complete());
    let fixed = audit.fixed().iter().filter(|one| one.check == check(code));
    fixed.map(|one| one.subject.clone()).collect()
}

fn titled(web: Web, path: &str, title: &str, text: &str) -> Web {
    web.answer(path, 200, "text/html", &format!("<title>{title}</title>{text}"))
}

/// Returns a site with two pages of one title.
fn duplicates() -> Web {
    let web = home(&["/a", "/b", "/other"]);
    titled(titled(web, "/a", "Same", "This is a."), "/b", "Same", "This is b.")
}

#[test]
fn titles_that_differ_now_are_fixed_even_if_another_page_fails() {
    let repaired = || titled(duplicates(), "/b", "Another", "This is b.");
    let both = [url("/a"), url("/b")];
    assert_eq!(fixed("dup-title", &duplicates(), &fails(repaired(), "/other")), both);
    // One of the two fails: the new title of the other is on no second page, the old one may still be on both.
    let renamed = || titled(duplicates(), "/a", "Another", "This is a.");
    assert_eq!(fixed("dup-title", &duplicates(), &fails(renamed(), "/b")), [url("/a")]);
    assert_eq!(fixed("dup-title", &duplicates(), &fails(duplicates(), "/b")), [""; 0]);
}

#[test]
fn a_title_that_the_failing_page_had_is_not_fixed_by_giving_it_to_another() {
    let later = titled(titled(duplicates(), "/a", "/other", "This is a."), "/b", "Another", "This is b.");
    assert_eq!(fixed("dup-title", &duplicates(), &fails(later, "/other")), [url("/b")]);
}

#[test]
fn a_failing_canonicalised_page_has_no_title_of_its_own() {
    let web = home(&["/a", "/b", "/other"]);
    let variant = "<link rel=canonical href=/a>This is a variant.";
    let web = titled(titled(titled(web, "/a", "Same", "a"), "/b", "Same", "b"), "/other", "Same", variant);
    let later = titled(fails(web.clone(), "/other"), "/b", "Another", "b");
    assert_eq!(fixed("dup-title", &web, &later), [url("/a"), url("/b")]);
}

#[test]
fn pages_that_are_no_duplicates_now_are_fixed_even_if_another_page_fails() {
    let text: String = (0..200).map(|number| format!("word{number} ")).collect();
    let alike =
        |end: &str| titled(home(&["/a", "/b", "/other"]), "/a", "A", &text).titled("/b", &[&text, end].concat());
    let day = alike("<hr>");
    let later = day.clone().titled("/b", "Something else.");
    assert_eq!(fixed("dup-near", &day, &fails(later, "/other")), [url("/a"), url("/b")]);
    assert_eq!(fixed("dup-near", &day, &fails(day.clone(), "/b")), [""; 0]);
    let day = titled(titled(home(&["/a", "/a/", "/other"]), "/a", "A", "a"), "/a/", "A", "a");
    let later = titled(day.clone(), "/a/", "Another", "b");
    for code in ["dup-exact", "dup-slash"] {
        assert_eq!(fixed(code, &day, &fails(later.clone(), "/other")), [url("/a"), url("/a/")], "{code:?}");
        assert_eq!(fixed(code, &day, &fails(day.clone(), "/a/")), [""; 0], "{code:?}");
    }
}

/// Returns kinds of findings about `/x`, each with a site where the links of `/hub` cause it.
fn unreached() -> Vec<(&'static str, Web)> {
    let web = || home(&["/hub", "/other"]).links("/x", &["/"]);
    let chain = |web: Web| (1..6).fold(web, |web, n| web.links(&format!("/{n}"), &[&format!("/{}", n + 1)]));
    vec![
        ("orphan", web().titled("/hub", "hub").sitemap("/sitemap.xml", &["/", "/x"])),
        ("isolated-noindex", web().titled("/hub", "<meta name=robots content=noindex><a href=/x>x</a>")),
        ("isolated-canonical", web().titled("/hub", "<link rel=canonical href=/x>hub")),
        ("isolated-isolated", web().links("/island", &["/x"]).sitemap("/sitemap.xml", &["/island"])),
        ("nofollow-only", web().titled("/hub", "<a rel=nofollow href=/x>x</a>")),
        ("single-inlink", web().links("/hub", &["/x"])),
        ("deep", chain(web().links("/hub", &["/1"])).links("/6", &["/x"])),
    ]
}

#[test]
fn a_page_that_is_reached_now_is_fixed_even_if_another_page_fails() {
    for (code, day) in unreached() {
        let later = day.clone().links("/", &["/hub", "/other", "/x"]).titled("/third", "third");
        assert_eq!(fixed(code, &day, &fails(later.clone(), "/other")), [url("/x")], "{code:?}");
    }
}

#[test]
fn a_page_is_not_fixed_if_the_page_that_links_to_it_fails() {
    for (code, day) in unreached().into_iter().filter(|(code, _)| *code != "orphan") {
        let carrier = if code == "isolated-isolated" { "/island" } else { "/hub" };
        assert_eq!(fixed(code, &day, &fails(day.clone(), carrier)), [""; 0], "{code:?}");
    }
}

#[test]
fn an_unlinked_broken_fragment_is_fixed_even_if_another_page_fails() {
    let day = home(&["/hub", "/a", "/other"]).titled("/hub", "<a href='/a#gone'>a</a>").titled("/a", "a");
    let later = day.clone().titled("/hub", "<a href='/a'>a</a>");
    assert_eq!(fixed("broken-fragment", &day, &fails(later, "/other")), [url("/a#gone")]);
    assert_eq!(fixed("broken-fragment", &day, &fails(day.clone(), "/hub")), [""; 0]);
}
