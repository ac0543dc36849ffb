//! One page that fails: what it does not decide is fixed all the same, and what it may decide is not.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the web is shared with other tests")]

mod crawled;

use crawled::{Web, url};
use mapwright_audit::{Audit, Code, Options};

fn whole() -> Options {
    Options { agent: "mapwright".to_owned(), whole: true, ..Options::default() }
}

/// A home page that links to these, among them one that fails now and then.
fn home(targets: &[&str]) -> Web {
    let web = Web::default().answer("/robots.txt", 200, "text/plain", "").links("/", targets);
    web.page("/other", "This is the other page, of which nothing is told.")
}

fn fails(web: Web, path: &str) -> Web {
    web.answer(path, 503, "text/plain", "busy")
}

/// What a night tells as fixed after a day, of one kind.
fn fixed(code: Code, day: &Web, night: &Web) -> Vec<String> {
    let mut crawled = day.crawled();
    let first: Audit = crawled.audited(&whole());
    assert!(!crawled.items_of(&first, code).is_empty(), "{code:?} is found by day");
    crawled.again(night);
    let audit = crawled.audited(&whole());
    let fixed = audit.fixed().iter().filter(|one| one.code == code);
    fixed.map(|one| one.subject.clone()).collect()
}

fn titled(web: Web, path: &str, title: &str, text: &str) -> Web {
    web.answer(path, 200, "text/html", &format!("<title>{title}</title>{text}"))
}

/// Two pages of one title.
fn twins() -> Web {
    let web = home(&["/a", "/b", "/other"]);
    titled(titled(web, "/a", "Same", "This is a."), "/b", "Same", "This is b.")
}

#[test]
fn titles_that_differ_now_are_fixed_whatever_another_page_does() {
    let mended = || titled(twins(), "/b", "Another", "This is b.");
    let both = [url("/a"), url("/b")];
    assert_eq!(fixed(Code::DupTitle, &twins(), &fails(mended(), "/other")), both);
    // Of the two one fails: the title that the other has now is that of no page, the old one may be that of both.
    let renamed = || titled(twins(), "/a", "Another", "This is a.");
    assert_eq!(fixed(Code::DupTitle, &twins(), &fails(renamed(), "/b")), [url("/a")]);
    assert_eq!(fixed(Code::DupTitle, &twins(), &fails(twins(), "/b")), [""; 0]);
}

#[test]
fn a_title_that_the_failing_page_had_is_not_fixed_by_giving_it_to_another() {
    let night = titled(titled(twins(), "/a", "/other", "This is a."), "/b", "Another", "This is b.");
    assert_eq!(fixed(Code::DupTitle, &twins(), &fails(night, "/other")), [url("/b")]);
}

#[test]
fn a_failing_page_that_gives_way_to_another_has_no_title_of_its_own() {
    let web = home(&["/a", "/b", "/other"]);
    let variant = "<link rel=canonical href=/a>This is a variant.";
    let web = titled(titled(titled(web, "/a", "Same", "a"), "/b", "Same", "b"), "/other", "Same", variant);
    let night = titled(fails(web.clone(), "/other"), "/b", "Another", "b");
    assert_eq!(fixed(Code::DupTitle, &web, &night), [url("/a"), url("/b")]);
}

#[test]
fn pages_that_are_not_alike_any_more_are_fixed_whatever_another_page_does() {
    let text: String = (0..200).map(|number| format!("word{number} ")).collect();
    let alike = |end: &str| titled(home(&["/a", "/b", "/other"]), "/a", "A", &text).page("/b", &[&text, end].concat());
    let day = alike("<hr>");
    let night = day.clone().page("/b", "Something else.");
    assert_eq!(fixed(Code::DupNear, &day, &fails(night, "/other")), [url("/a"), url("/b")]);
    assert_eq!(fixed(Code::DupNear, &day, &fails(day.clone(), "/b")), [""; 0]);
    let day = titled(titled(home(&["/a", "/a/", "/other"]), "/a", "A", "a"), "/a/", "A", "a");
    let night = titled(day.clone(), "/a/", "Another", "b");
    for code in [Code::DupExact, Code::DupSlash] {
        assert_eq!(fixed(code, &day, &fails(night.clone(), "/other")), [url("/a"), url("/a/")], "{code:?}");
        assert_eq!(fixed(code, &day, &fails(day.clone(), "/a/")), [""; 0], "{code:?}");
    }
}

/// A kind of finding about `/x`, and a site that has it: by what `/hub` says, or does not say.
fn unreached() -> Vec<(Code, Web)> {
    let web = || home(&["/hub", "/other"]).links("/x", &["/"]);
    let chain = |web: Web| (1..6).fold(web, |web, n| web.links(&format!("/{n}"), &[&format!("/{}", n + 1)]));
    vec![
        (Code::Orphan, web().page("/hub", "hub").sitemap(&["/", "/x"])),
        (Code::IsolatedNoindex, web().page("/hub", "<meta name=robots content=noindex><a href=/x>x</a>")),
        (Code::IsolatedCanonical, web().page("/hub", "<link rel=canonical href=/x>hub")),
        (Code::IsolatedIsolated, web().links("/island", &["/x"]).sitemap(&["/island"])),
        (Code::NofollowOnly, web().page("/hub", "<a rel=nofollow href=/x>x</a>")),
        (Code::SingleInlink, web().links("/hub", &["/x"])),
        (Code::Deep, chain(web().links("/hub", &["/1"])).links("/6", &["/x"])),
    ]
}

#[test]
fn a_page_that_is_reached_now_is_fixed_whatever_another_page_does() {
    for (code, day) in unreached() {
        let night = day.clone().links("/", &["/hub", "/other", "/x"]).page("/third", "third");
        assert_eq!(fixed(code, &day, &fails(night.clone(), "/other")), [url("/x")], "{code:?}");
    }
}

#[test]
fn a_page_is_not_fixed_by_the_failing_of_the_page_that_it_hangs_on() {
    for (code, day) in unreached().into_iter().filter(|(code, _)| *code != Code::Orphan) {
        let carrier = if code == Code::IsolatedIsolated { "/island" } else { "/hub" };
        assert_eq!(fixed(code, &day, &fails(day.clone(), carrier)), [""; 0], "{code:?}");
    }
}

#[test]
fn a_broken_fragment_is_fixed_once_no_page_links_to_it_whatever_another_page_does() {
    let day = home(&["/hub", "/a", "/other"]).page("/hub", "<a href='/a#gone'>a</a>").page("/a", "a");
    let night = day.clone().page("/hub", "<a href='/a'>a</a>");
    assert_eq!(fixed(Code::BrokenFragment, &day, &fails(night, "/other")), [url("/a#gone")]);
    assert_eq!(fixed(Code::BrokenFragment, &day, &fails(day.clone(), "/hub")), [""; 0]);
}
