//! Findings that rest on links not being there, over runs that do not read the pages that have them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the web is shared with other tests")]

mod crawled;

use crawled::{Crawled, Web};
use mapwright_audit::item::State;
use mapwright_audit::{Audit, Code, Options};

fn whole() -> Options {
    Options { agent: "mapwright".to_owned(), whole: true, ..Options::default() }
}

fn states(crawled: &Crawled, audit: &Audit, code: Code) -> Vec<State> {
    crawled.items_of(audit, code).iter().map(|item| item.state).collect()
}

fn says_so(audit: &Audit) -> bool {
    audit.notes().iter().any(|note| note.contains("links not being there"))
}

/// What is not found by day is not found in a night that does not read a page with links, nor told as mended after it.
fn is_not_made(code: Code, day: &Web, night: &Web) {
    let mut crawled = day.crawled();
    assert_eq!(states(&crawled, &crawled.audit(&whole()), code), [], "{code:?} is not found by day");
    crawled.audited(&whole());
    for _ in 0..2 {
        crawled.again(night);
        let audit = crawled.audited(&whole());
        assert_eq!((states(&crawled, &audit, code), says_so(&audit)), (vec![], true), "{code:?} is not judged");
    }
    crawled.again(day);
    let last = crawled.audited(&whole());
    assert!(!says_so(&last) && !last.fixed().iter().any(|one| one.code == code), "{code:?} never was");
}

/// A home page that links to these.
fn home(targets: &[&str]) -> Web {
    Web::default().answer("/robots.txt", 200, "text/plain", "").links("/", targets)
}

fn fails(web: &Web, path: &str) -> Web {
    web.clone().answer(path, 503, "text/plain", "busy")
}

/// A listed page that hangs on `/hub` alone, which hangs on `/hubs` alone.
fn hanging() -> Web {
    let web = home(&["/hubs"]).links("/hubs", &["/hub"]).links("/hub", &["/x"]).links("/x", &["/y"]).links("/y", &[]);
    web.sitemap(&["/", "/hubs", "/x", "/y"])
}

#[test]
fn a_page_is_no_orphan_because_the_page_that_links_there_was_not_read() {
    let disallowed = hanging().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /hub$\n");
    let busy = hanging().answer("/hub", 429, "text/plain", "busy");
    for night in [fails(&hanging(), "/hub"), fails(&hanging(), "/hubs"), busy, disallowed] {
        is_not_made(Code::Orphan, &hanging(), &night);
        is_not_made(Code::IsolatedIsolated, &hanging(), &night);
    }
}

#[test]
fn no_kind_that_rests_on_links_lacking_comes_of_a_page_that_was_not_read() {
    let two = home(&["/hub", "/other"]).links("/hub", &["/x", "/other"]).links("/other", &["/x", "/hub"]);
    let two = two.links("/x", &[]);
    is_not_made(Code::SingleInlink, &two, &fails(&two, "/hub"));
    let noindex = "<meta name=robots content=noindex><a href=/x>x</a>";
    is_not_made(
        Code::IsolatedNoindex,
        &two.clone().page("/other", noindex),
        &fails(&two.page("/other", noindex), "/hub"),
    );
    let nofollow = || {
        home(&["/hub", "/other"])
            .links("/hub", &["/x"])
            .links("/x", &[])
            .page("/other", "<a rel=nofollow href=/x>x</a>")
    };
    is_not_made(Code::NofollowOnly, &nofollow(), &fails(&nofollow(), "/hub"));
    let canonical = || nofollow().page("/other", "<link rel=canonical href=/x>other");
    is_not_made(Code::IsolatedCanonical, &canonical(), &fails(&canonical(), "/hub"));
    let redirect = || nofollow().redirect("/other", "/x");
    is_not_made(Code::IsolatedRedirect, &redirect(), &fails(&redirect(), "/hub"));
}

#[test]
fn a_page_is_not_deep_because_the_page_with_the_short_way_was_not_read() {
    // The short way to /end is over /hub, the long one over /1 to /4.
    let day = home(&["/hubs", "/1"]).links("/hubs", &["/hub"]).links("/hub", &["/4"]);
    let day = day.links("/1", &["/2"]).links("/2", &["/3"]).links("/3", &["/4"]).links("/4", &["/5"]);
    let day = day.links("/5", &["/end"]).links("/end", &["/"]);
    let disallowed = day.clone().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /hub$\n");
    for night in [fails(&day, "/hub"), fails(&day, "/hubs"), disallowed] {
        is_not_made(Code::Deep, &day, &night);
    }
    let mut crawled = day.crawled();
    crawled.audited(&whole());
    crawled.again(&day.clone().links("/hub", &[]));
    let audit = crawled.audited(&whole());
    assert_eq!((states(&crawled, &audit, Code::Deep), says_so(&audit)), (vec![State::New], false), "it is deep now");
}

#[test]
fn a_page_is_an_orphan_once_the_page_that_linked_there_is_gone_or_links_there_no_more() {
    for end in [
        hanging().answer("/hub", 404, "text/plain", "gone"),
        hanging().links("/hub", &[]),
        hanging().links("/hubs", &[]),
    ] {
        let mut crawled = hanging().crawled();
        crawled.audited(&whole());
        crawled.again(&end);
        let audit = crawled.audited(&whole());
        assert_eq!((states(&crawled, &audit, Code::Orphan), says_so(&audit)), (vec![State::New], false));
        crawled.again(&fails(&end, "/hubs"));
        let audit = crawled.audited(&whole());
        assert_eq!(states(&crawled, &audit, Code::Orphan), [State::Persisting], "what was told stays");
    }
}

#[test]
fn a_kind_that_another_one_stands_in_for_while_a_page_is_left_alone_is_not_fixed() {
    let noindex = "<meta name=robots content=noindex><a href=/x>x</a>";
    let day = home(&["/hub"]).page("/hub", noindex).links("/x", &[]).sitemap(&["/", "/x"]);
    let night = day.clone().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /hub\n");
    let mut crawled = day.crawled();
    assert_eq!(states(&crawled, &crawled.audit(&whole()), Code::IsolatedNoindex), [State::New]);
    crawled.audited(&whole());
    crawled.again(&night);
    let audit = crawled.audited(&whole());
    assert!(states(&crawled, &audit, Code::Orphan).is_empty());
    assert!(!audit.fixed().iter().any(|one| one.code == Code::IsolatedNoindex));
}

#[test]
fn a_first_run_tells_orphans_though_a_page_fails() {
    let crawled = fails(&hanging(), "/hub").crawled();
    assert_eq!(states(&crawled, &crawled.audit(&whole()), Code::Orphan), [State::New]);
}

/// What is found by day is neither fixed nor new for the night, which does not see it, and is there still after it.
fn outlasts(codes: &[Code], day: &Web, night: &Web) {
    let mut crawled = day.crawled();
    let first = crawled.audited(&whole());
    for code in codes {
        assert_eq!(states(&crawled, &first, *code), [State::New], "{code:?} by day");
    }
    crawled.again(night);
    let fixed: Vec<Code> = crawled.audited(&whole()).fixed().iter().map(|one| one.code).collect();
    assert!(!codes.iter().any(|code| fixed.contains(code)), "{fixed:?}");
    crawled.again(day);
    let last = crawled.audited(&whole());
    for code in codes {
        assert_eq!(states(&crawled, &last, *code), [State::Persisting], "{code:?} after the night");
    }
}

#[test]
fn a_link_is_not_mended_because_the_only_way_to_its_page_is_closed() {
    let day = home(&["/a"]).links("/a", &["/b"]).links("/b", &["/old", "/c#nope"]).redirect("/old", "/c");
    let day = day.links("/c", &["/"]).sitemap(&["/", "/a", "/old", "/c"]);
    let night = day.clone().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /a$\n");
    outlasts(&[Code::RedirectLink, Code::BrokenFragment], &day, &night);
}

#[test]
fn a_link_is_mended_once_its_page_has_it_no_more_or_is_gone() {
    let day = home(&["/a"]).links("/a", &["/b"]).links("/b", &["/old"]).redirect("/old", "/c").links("/c", &["/"]);
    for night in [day.clone().links("/b", &["/c"]), day.clone().links("/a", &["/c"])] {
        let mut crawled = day.crawled();
        crawled.audited(&whole());
        crawled.again(&night);
        assert!(crawled.audited(&whole()).fixed().iter().any(|one| one.code == Code::RedirectLink));
    }
}

#[test]
fn a_way_of_redirects_is_not_mended_because_a_hop_of_it_fails() {
    let day = home(&["/chain"]).redirect("/chain", "/hop").redirect("/hop", "/end").links("/end", &["/"]);
    outlasts(&[Code::RedirectChain, Code::RedirectLink], &day, &fails(&day, "/hop"));
    let day = home(&["/one"]).redirect("/one", "/two").redirect("/two", "/one");
    outlasts(&[Code::RedirectLink], &day, &fails(&day, "/two"));
    let day = home(&["/old"]).redirect_with(302, "/old", "/new").links("/new", &["/"]);
    outlasts(&[Code::RedirectTemporary, Code::RedirectLink], &day, &fails(&day, "/new"));
}
