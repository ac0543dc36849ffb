//! Findings that rest on missing links, over runs that do not read the pages with these links.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the assertions are shared with other tests")]

mod crawled;

use crawled::AuditRecord;
use mapwright_audit::rendered_finding::State;
use mapwright_audit::{Audit, Options};
use mapwright_testcrawl::{Crawled, Web};

fn complete() -> Options {
    Options { agent: "mapwright".to_owned(), complete: true, ..Options::default() }
}

fn states(crawled: &Crawled, audit: &Audit, code: &str) -> Vec<State> {
    crawled.items_of(audit, code).iter().map(|item| item.state).collect()
}

fn says_so(audit: &Audit) -> bool {
    audit.notes().iter().any(|note| note.contains("links not being there"))
}

/// Checks that a kind which the run on `day` does not find is not found by the run on `later`, which does not read a
/// page with links, and is not reported as fixed after it.
fn is_not_made(code: &str, day: &Web, later: &Web) {
    let mut crawled = day.crawled();
    assert_eq!(states(&crawled, &crawled.audit(&complete()), code), [], "{code:?} is not found by day");
    crawled.audited(&complete());
    for _ in 0..2 {
        crawled.again(later);
        let audit = crawled.audited(&complete());
        assert_eq!((states(&crawled, &audit, code), says_so(&audit)), (vec![], true), "{code:?} is not judged");
    }
    crawled.again(day);
    let last = crawled.audited(&complete());
    assert!(!says_so(&last) && !last.fixed().iter().any(|one| one.check.code == code), "{code:?} never was");
}

/// Returns a home page that links to these.
fn home(targets: &[&str]) -> Web {
    Web::for_audit().answer("/robots.txt", 200, "text/plain", "").links("/", targets)
}

fn fails(web: &Web, path: &str) -> Web {
    web.clone().answer(path, 503, "text/plain", "busy")
}

/// Returns a site with a listed page that only `/hub` links to, which only `/hubs` links to.
fn hanging() -> Web {
    let web = home(&["/hubs"]).links("/hubs", &["/hub"]).links("/hub", &["/x"]).links("/x", &["/y"]).links("/y", &[]);
    web.sitemap("/sitemap.xml", &["/", "/hubs", "/x", "/y"])
}

#[test]
fn a_page_is_no_orphan_while_the_page_that_links_to_it_is_unread() {
    let disallowed = hanging().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /hub$\n");
    let busy = hanging().answer("/hub", 429, "text/plain", "busy");
    for later in [fails(&hanging(), "/hub"), fails(&hanging(), "/hubs"), busy, disallowed] {
        is_not_made("orphan", &hanging(), &later);
        is_not_made("isolated-isolated", &hanging(), &later);
    }
}

#[test]
fn an_unread_page_causes_no_finding_that_rests_on_missing_links() {
    let two = home(&["/hub", "/other"]).links("/hub", &["/x", "/other"]).links("/other", &["/x", "/hub"]);
    let two = two.links("/x", &[]);
    is_not_made("single-inlink", &two, &fails(&two, "/hub"));
    let noindex = "<meta name=robots content=noindex><a href=/x>x</a>";
    is_not_made(
        "isolated-noindex",
        &two.clone().titled("/other", noindex),
        &fails(&two.titled("/other", noindex), "/hub"),
    );
    let nofollow = || {
        home(&["/hub", "/other"])
            .links("/hub", &["/x"])
            .links("/x", &[])
            .titled("/other", "<a rel=nofollow href=/x>x</a>")
    };
    is_not_made("nofollow-only", &nofollow(), &fails(&nofollow(), "/hub"));
    let canonical = || nofollow().titled("/other", "<link rel=canonical href=/x>other");
    is_not_made("isolated-canonical", &canonical(), &fails(&canonical(), "/hub"));
    let redirect = || nofollow().redirect("/other", "/x");
    is_not_made("isolated-redirect", &redirect(), &fails(&redirect(), "/hub"));
}

#[test]
fn a_page_is_not_deep_while_the_page_on_its_short_path_is_unread() {
    // The short path to /end is over /hub, the long one over /1 to /4.
    let day = home(&["/hubs", "/1"]).links("/hubs", &["/hub"]).links("/hub", &["/4"]);
    let day = day.links("/1", &["/2"]).links("/2", &["/3"]).links("/3", &["/4"]).links("/4", &["/5"]);
    let day = day.links("/5", &["/end"]).links("/end", &["/"]);
    let disallowed = day.clone().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /hub$\n");
    for later in [fails(&day, "/hub"), fails(&day, "/hubs"), disallowed] {
        is_not_made("deep", &day, &later);
    }
    let mut crawled = day.crawled();
    crawled.audited(&complete());
    crawled.again(&day.clone().links("/hub", &[]));
    let audit = crawled.audited(&complete());
    assert_eq!((states(&crawled, &audit, "deep"), says_so(&audit)), (vec![State::New], false), "it is deep now");
}

#[test]
fn a_page_is_an_orphan_once_its_only_link_is_gone() {
    for end in [
        hanging().answer("/hub", 404, "text/plain", "gone"),
        hanging().links("/hub", &[]),
        hanging().links("/hubs", &[]),
    ] {
        let mut crawled = hanging().crawled();
        crawled.audited(&complete());
        crawled.again(&end);
        let audit = crawled.audited(&complete());
        assert_eq!((states(&crawled, &audit, "orphan"), says_so(&audit)), (vec![State::New], false));
        crawled.again(&fails(&end, "/hubs"));
        let audit = crawled.audited(&complete());
        assert_eq!(states(&crawled, &audit, "orphan"), [State::Persisting], "what was reported stays");
    }
}

#[test]
fn a_kind_replaced_by_another_while_a_page_is_unread_is_not_fixed() {
    let noindex = "<meta name=robots content=noindex><a href=/x>x</a>";
    let day = home(&["/hub"]).titled("/hub", noindex).links("/x", &[]).sitemap("/sitemap.xml", &["/", "/x"]);
    let later = day.clone().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /hub\n");
    let mut crawled = day.crawled();
    assert_eq!(states(&crawled, &crawled.audit(&complete()), "isolated-noindex"), [State::New]);
    crawled.audited(&complete());
    crawled.again(&later);
    let audit = crawled.audited(&complete());
    assert!(states(&crawled, &audit, "orphan").is_empty());
    assert!(!audit.fixed().iter().any(|one| one.check.code == "isolated-noindex"));
}

#[test]
fn a_first_run_reports_orphans_even_if_a_page_fails() {
    let crawled = fails(&hanging(), "/hub").crawled();
    assert_eq!(states(&crawled, &crawled.audit(&complete()), "orphan"), [State::New]);
}

/// Checks that findings of the run on `day` are neither fixed nor new in the run on `later`, which does not see them,
/// and persist after it.
fn outlasts(codes: &[&str], day: &Web, later: &Web) {
    let mut crawled = day.crawled();
    let first = crawled.audited(&complete());
    for code in codes {
        assert_eq!(states(&crawled, &first, code), [State::New], "{code:?} by day");
    }
    crawled.again(later);
    let fixed: Vec<&str> = crawled.audited(&complete()).fixed().iter().map(|one| one.check.code).collect();
    assert!(!codes.iter().any(|code| fixed.contains(code)), "{fixed:?}");
    crawled.again(day);
    let last = crawled.audited(&complete());
    for code in codes {
        assert_eq!(states(&crawled, &last, code), [State::Persisting], "{code:?} in the next run");
    }
}

#[test]
fn a_link_is_not_fixed_while_the_only_path_to_its_page_is_unread() {
    let day = home(&["/a"]).links("/a", &["/b"]).links("/b", &["/old", "/c#nope"]).redirect("/old", "/c");
    let day = day.links("/c", &["/"]).sitemap("/sitemap.xml", &["/", "/a", "/old", "/c"]);
    let later = day.clone().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /a$\n");
    outlasts(&["redirect-link", "broken-fragment"], &day, &later);
}

#[test]
fn a_link_is_fixed_once_it_or_its_page_is_gone() {
    let day = home(&["/a"]).links("/a", &["/b"]).links("/b", &["/old"]).redirect("/old", "/c").links("/c", &["/"]);
    for later in [day.clone().links("/b", &["/c"]), day.clone().links("/a", &["/c"])] {
        let mut crawled = day.crawled();
        crawled.audited(&complete());
        crawled.again(&later);
        assert!(crawled.audited(&complete()).fixed().iter().any(|one| one.check.code == "redirect-link"));
    }
}

#[test]
fn a_redirect_chain_is_not_fixed_while_a_hop_fails() {
    let day = home(&["/chain"]).redirect("/chain", "/hop").redirect("/hop", "/end").links("/end", &["/"]);
    outlasts(&["redirect-chain", "redirect-link"], &day, &fails(&day, "/hop"));
    let day = home(&["/one"]).redirect("/one", "/two").redirect("/two", "/one");
    outlasts(&["redirect-link"], &day, &fails(&day, "/two"));
    let day = home(&["/old"]).redirect_with(302, "/old", "/new").links("/new", &["/"]);
    outlasts(&["redirect-temporary", "redirect-link"], &day, &fails(&day, "/new"));
}
