//! The history of findings over runs that do not see everything, and of findings about several URLs or elements.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the assertions are shared with other tests")]

mod crawled;

use crawled::{AuditRecord, check};
use mapwright_audit::baseline::Baseline;
use mapwright_audit::rendered_finding::State;
use mapwright_audit::severities::Severities;
use mapwright_audit::{Audit, Options, Topic};
use mapwright_fetch::BodyState;
use mapwright_testcrawl::{Answer, Crawled, Web, reply, url};
use mapwright_web::Robots;

fn complete() -> Options {
    Options { agent: "mapwright".to_owned(), complete: true, ..Options::default() }
}

fn states(crawled: &Crawled, audit: &Audit, code: &str) -> Vec<State> {
    crawled.items_of(audit, code).iter().map(|item| item.state).collect()
}

fn fixed<'a>(audit: &'a Audit, code: &str) -> Vec<&'a str> {
    audit.fixed().iter().filter(|one| one.check == check(code)).map(|one| one.subject.as_str()).collect()
}

/// Checks that a finding of the run on `day` persists after the run on `later`, which cannot check it and does not
/// report it as fixed.
fn outlives(code: &str, day: &Web, later: &Web, options: &Options) {
    let mut crawled = day.crawled();
    let first = crawled.audited(&complete());
    assert!(!states(&crawled, &first, code).is_empty(), "{code:?} is found");
    crawled.again(later);
    for _ in 0..2 {
        let audit = crawled.audited(options);
        assert_eq!(fixed(&audit, code), [""; 0], "{code:?} is not fixed");
        assert!(states(&crawled, &audit, code).is_empty(), "{code:?} is not found");
    }
    crawled.again(day);
    let last = crawled.audited(&complete());
    let states = states(&crawled, &last, code);
    let persists = !states.is_empty() && states.iter().all(|state| *state == State::Persisting);
    assert!(persists, "{code:?} persists: {states:?}");
    crawled.again(&Web::for_audit().links("/", &[]));
    let last = crawled.audited(&complete());
    assert!(!fixed(&last, code).is_empty(), "{code:?} is fixed where it was judged");
}

/// Returns a home page that links to these.
fn home(targets: &[&str]) -> Web {
    Web::for_audit().answer("/robots.txt", 200, "text/plain", "").links("/", targets)
}

#[test]
fn a_finding_about_an_unanswered_url_is_not_fixed() {
    let noindex = "<meta name=robots content=noindex>";
    let busy = |path, status| home(&[path]).answer(path, status, "text/plain", "busy");
    outlives("http-4xx", &home(&["/lost"]), &busy("/lost", 429), &complete());
    outlives("noindex", &home(&["/a"]).titled("/a", noindex), &busy("/a", 503), &complete());
}

#[test]
fn a_failing_page_hides_the_targets_of_its_links() {
    let way = || home(&["/hub"]).links("/hub", &["/deep"]).links("/deep", &["/lost"]);
    outlives("http-4xx", &way(), &way().answer("/hub", 503, "text/plain", "busy"), &complete());
    let day = || home(&["/hub"]).titled("/hub", "<a href='/a#gone'>a</a>").titled("/a", "a");
    let later = day().answer("/hub", 503, "text/plain", "busy");
    outlives("broken-fragment", &day(), &later, &complete());
    let duplicates = || home(&["/a", "/b"]).titled("/a", "<title>Same</title>a");
    let day = duplicates().answer("/b", 200, "text/html", "<title>/a</title>b");
    outlives("dup-title", &day, &day.clone().answer("/b", 503, "text/plain", "busy"), &complete());
}

#[test]
fn a_truncated_page_says_nothing_about_its_rest() {
    let day = home(&["/hub"]).titled("/hub", "<a href='/a#gone'>a</a>").titled("/a", "a");
    let mut later = day.clone();
    later.change("/a", |reply| reply.body_state = BodyState::Cut);
    outlives("broken-fragment", &day, &later, &complete());
}

#[test]
fn an_unrequested_page_hides_the_pages_below_it_for_any_number_of_runs() {
    let day = home(&["/hub"]).links("/hub", &["/deep"]).links("/deep", &["/lost"]);
    let disallow = |path: &str| {
        let rule = format!("User-agent: *\nDisallow: {path}\n");
        day.clone().answer("/robots.txt", 200, "text/plain", &rule)
    };
    outlives("http-4xx", &day, &disallow("/hub"), &complete());
    let mut crawled = day.crawled();
    crawled.audited(&complete());
    for later in [disallow("/hub"), disallow("/hub"), disallow("/deep")] {
        crawled.again(&later);
        assert_eq!(fixed(&crawled.audited(&complete()), "http-4xx"), [""; 0]);
    }
    crawled.again(&day.links("/hub", &[]));
    assert_eq!(fixed(&crawled.audited(&complete()), "http-4xx"), [url("/lost")], "nothing leads there any more");
}

#[test]
fn an_external_url_that_could_not_be_requested_is_not_fixed() {
    let day = || {
        let mut web = home(&["/hub"]).titled("/hub", "<a href='http://other.example/lost'>x</a>");
        web.plan.checks.external = 9;
        web
    };
    let forbids = day().text("http://other.example/robots.txt", "User-agent: *\nDisallow: /\n");
    outlives("external-broken", &day(), &forbids, &complete());
    let closed = day().answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /hub\n");
    outlives("external-broken", &day(), &closed, &complete());
}

#[test]
fn a_failing_sitemap_says_nothing_about_its_entries() {
    let day =
        || home(&["/a"]).links("/a", &[]).links("/orphan", &[]).sitemap("/sitemap.xml", &["/", "/lost", "/orphan"]);
    let later = day().answer("/sitemap.xml", 503, "text/plain", "busy");
    for code in ["sitemap-4xx", "orphan", "sitemap-omits"] {
        outlives(code, &day(), &later, &complete());
    }
    // The URLs that it listed when it was last read are requested.
    let mut crawled = day().crawled();
    crawled.audited(&complete());
    crawled.again(&later);
    let audit = crawled.audited(&complete());
    assert_eq!(states(&crawled, &audit, "http-4xx"), [State::Persisting]);
}

#[test]
fn a_transient_failure_says_nothing_about_the_earlier_answer() {
    let mut broken = home(&["/lost"]).titled("/lost", "x");
    broken.change("/lost", |reply| reply.body_state = BodyState::Broken("reset".to_owned()));
    let busy = home(&["/lost"]).answer("/lost", 500, "text/plain", "busy");
    outlives("http-4xx", &home(&["/lost"]), &busy, &complete());
    outlives("http-4xx", &home(&["/lost"]), &broken, &complete());
    outlives("http-5xx", &busy, &broken, &complete());
}

#[test]
fn a_url_that_is_requested_again_is_not_disallowed_even_if_a_page_fails() {
    let day = home(&["/hub", "/x"]).links("/hub", &["/x"]).answer(
        "/robots.txt",
        200,
        "text/plain",
        "User-agent: *\nDisallow: /x",
    );
    let mut crawled = day.crawled();
    let first = crawled.audited(&complete());
    assert_eq!(states(&crawled, &first, "robots-blocked-linked"), [State::New]);
    crawled.again(&home(&["/hub", "/x"]).links("/x", &[]).answer("/hub", 500, "text/plain", "busy"));
    assert_eq!(fixed(&crawled.audited(&complete()), "robots-blocked-linked"), [url("/x")]);
}

#[test]
fn a_truncated_or_invalid_sitemap_says_nothing_about_its_entries() {
    let rules = || home(&["/a"]).answer("/robots.txt", 200, "text/plain", "Sitemap: /sitemap.xml");
    let day = || rules().links("/a", &[]).links("/orphan", &[]).sitemap("/sitemap.xml", &["/", "/lost", "/orphan"]);
    let cut =
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://example.com/</loc></url><url>";
    for body in [cut, "<!doctype html><title>Back soon</title>", "Back soon", ""] {
        let later = day().answer("/sitemap.xml", 200, "application/xml", body);
        for code in ["sitemap-4xx", "orphan", "sitemap-omits"] {
            outlives(code, &day(), &later, &complete());
        }
    }
}

#[test]
fn a_truncated_or_invalid_feed_says_nothing_about_its_entries() {
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/orphan'/></entry>";
    let head = "<link rel=alternate type=application/atom+xml href=/f.atom><a href=/>home</a>";
    let feed = |body: &str| {
        home(&[]).titled("/", head).links("/orphan", &[]).answer("/f.atom", 200, "application/atom+xml", body)
    };
    for later in [&atom[..60], "<html>Back soon"] {
        outlives("orphan", &feed(&[atom, "</feed>"].concat()), &feed(later), &complete());
    }
}

#[test]
fn a_url_no_longer_linked_is_fixed_even_if_other_pages_fail() {
    let failing = |web: Web| web.titled("/hub", "hub");
    let mut crawled = failing(home(&["/hub", "/lost"]).sitemap("/sitemap.xml", &["/", "/hub"])).crawled();
    crawled.audited(&complete());
    let later = home(&["/hub"]).answer("/hub", 503, "text/plain", "busy").answer("/sitemap.xml", 503, "text/plain", "");
    crawled.again(&later);
    assert_eq!(fixed(&crawled.audited(&complete()), "http-4xx"), [url("/lost")]);
}

#[test]
fn muted_and_skipped_checks_report_nothing_as_fixed() {
    let day = home(&["/lost"]);
    let mut severities = Severities::default();
    severities.mute("http-4xx").unwrap();
    outlives("http-4xx", &day, &day, &Options { severities, ..complete() });

    let site = home(&["/a"]).links("/a", &[]);
    let next_robots = || Options { next_robots: Some(Robots::compile(b"User-agent: *\nDisallow: /a")), ..complete() };
    let mut crawled = site.crawled();
    crawled.audited(&next_robots());
    crawled.again(&site);
    assert_eq!(fixed(&crawled.audited(&complete()), "whatif-blocks"), [""; 0]);
    crawled.again(&site);
    let audit = crawled.audited(&next_robots());
    assert_eq!(states(&crawled, &audit, "whatif-blocks"), [State::Persisting]);
}

/// Returns a site with pages of these names, all with one title.
fn alike(names: &[&str]) -> Web {
    names.iter().fold(home(names), |web, name| {
        web.answer(name, 200, "text/html", &format!("<title>Same</title>This is {name}."))
    })
}

#[test]
fn a_group_that_loses_a_member_persists_and_one_that_gains_one_is_new() {
    let mut crawled = alike(&["/a", "/b", "/c"]).crawled();
    crawled.audited(&complete());
    crawled.again(&alike(&["/b", "/c"]).titled("/a", "fixed"));
    let less = crawled.audited(&complete());
    assert_eq!(states(&crawled, &less, "dup-title"), [State::Persisting]);
    assert_eq!(fixed(&less, "dup-title"), [url("/a")]);
    crawled.again(&alike(&["/b", "/c", "/d"]));
    let more = crawled.audited(&complete());
    assert_eq!(states(&crawled, &more, "dup-title"), [State::New]);
    crawled.again(&alike(&["/b", "/c", "/d", "/a"]));
    let again = crawled.audited(&complete());
    assert_eq!(states(&crawled, &again, "dup-title"), [State::Regressed]);
}

#[test]
fn a_baseline_accepts_the_members_of_a_group_that_it_holds() {
    let mut crawled = alike(&["/b", "/c"]).crawled();
    let baseline = Baseline::read(&crawled.audit(&complete()).baseline().to_json()).unwrap();
    let options = Options { baseline, ..complete() };
    let accepted = |crawled: &Crawled| {
        let audit = crawled.audit(&options);
        crawled.items_of(&audit, "dup-title").iter().map(|item| item.accepted).collect::<Vec<_>>()
    };
    assert_eq!(accepted(&crawled), [true]);
    for names in [["/a", "/b", "/c"], ["/b", "/c", "/d"]] {
        crawled.again(&alike(&names));
        assert_eq!(accepted(&crawled), [false], "{names:?}");
    }
    crawled.again(&alike(&["/b", "/c"]));
    assert_eq!(accepted(&crawled), [true]);
}

/// Returns a site with a page that links to these missing elements of another.
fn lacking(names: &[impl AsRef<str>]) -> Web {
    let links: String = names.iter().map(|name| format!("<a href='/long#{}'>x</a>", name.as_ref())).collect();
    home(&["/long", "/a"]).titled("/a", &links).links("/long", &[])
}

#[test]
fn each_missing_element_has_a_history_of_its_own() {
    let mut crawled = lacking(&["one"]).crawled();
    crawled.audited(&complete());
    crawled.again(&lacking(&["one", "two"]));
    let more = crawled.audited(&complete());
    assert_eq!(states(&crawled, &more, "broken-fragment"), [State::New]);
    crawled.again(&lacking(&["two"]));
    let less = crawled.audited(&complete());
    assert_eq!(states(&crawled, &less, "broken-fragment"), [State::Persisting]);
    assert_eq!(fixed(&less, "broken-fragment"), [url("/long#one")]);
}

#[test]
fn missing_elements_beyond_the_reported_ones_are_not_fixed() {
    let names = |count: usize| (0..count).map(|n| format!("n{n:03}")).collect::<Vec<_>>();
    let mut crawled = lacking(&names(150)).crawled();
    crawled.audited(&complete());
    crawled.again(&lacking(&[vec!["a".to_owned()], names(150)].concat()));
    let pushed_out = crawled.audited(&complete());
    assert_eq!(fixed(&pushed_out, "broken-fragment"), [""; 0], "n099 is missing, and not among the first hundred");
    crawled.again(&lacking(&names(99)));
    let less = crawled.audited(&complete());
    assert_eq!(fixed(&less, "broken-fragment"), [url("/long#a"), url("/long#n099")]);
}

#[test]
fn an_unnamed_file_that_comes_and_goes_at_the_usual_place_is_no_fault() {
    let absent = home(&["/a"]).links("/a", &["/"]);
    let usual = |status, media_type, body: &str| absent.clone().answer("/sitemap.xml", status, media_type, body);
    let html =
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>x</title>\n<body>&nbsp;<a href=/>home</a>";
    let xhtml = "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>http://example.com/a</p></body></html>";
    let days = [
        usual(200, "text/html", html),
        usual(200, "application/xml", html),
        usual(200, "application/xhtml+xml", xhtml),
        usual(200, "text/html", "<p>Not here</p>"),
        usual(200, "text/plain", "Not here"),
        usual(200, "text/html", ""),
        usual(500, "text/html", html),
        absent.clone().redirect("/sitemap.xml", "/a"),
        absent.clone().redirect("/sitemap.xml", "/"),
    ];
    for (later, web) in days.iter().enumerate() {
        let mut crawled = absent.crawled();
        for web in [&absent, web, &absent, web] {
            let audit = crawled.audited(&complete());
            let about_files: Vec<_> = crawled
                .items(&audit)
                .into_iter()
                .map(|item| item.check.code)
                .filter(|code| check(code).topic == Topic::Sitemaps)
                .collect();
            assert_eq!(about_files, [""; 0], "{later}");
            assert!(audit.fixed().is_empty(), "{later}: {:?}", audit.fixed());
            crawled.again(web);
        }
    }
}

/// Returns the same site, where absent URLs answer with this status.
fn lost(web: &Web, status: u16, location: Option<&str>) -> Web {
    let headers: Vec<_> = location.map(|target| ("location", target)).into_iter().collect();
    let lost = reply(status, &headers, "");
    web.clone().otherwise(move |_| Answer::Reply(lost.clone()))
}

#[test]
fn a_redirect_stays_a_soft_404_while_the_probe_is_inconclusive() {
    let day = home(&["/old", "/a"]).links("/a", &["/"]).links("/lost", &["/"]).redirect("/old", "/lost");
    let day = day.answer("/sitemap.xml", 404, "text/plain", "");
    let day = lost(&day, 302, Some("/lost"));
    for status in [500, 503, 429] {
        let later = lost(&day, status, None);
        outlives("soft-404", &day, &later, &complete());
        let mut crawled = day.crawled();
        crawled.audited(&complete());
        crawled.again(&later);
        assert!(states(&crawled, &crawled.audit(&complete()), "redirect-link").is_empty(), "{status}");
    }
    let mut crawled = day.crawled();
    crawled.audited(&complete());
    crawled.again(&lost(&day, 404, None));
    let audit = crawled.audited(&complete());
    assert_eq!(states(&crawled, &audit, "redirect-link"), [State::New], "names that cannot exist are 404 now");
    assert_eq!(fixed(&audit, "soft-404"), [url("/old")]);
}
