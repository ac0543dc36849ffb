//! Politeness to a site, measured by the arrival times of its requests. The tests check only lower bounds: requests
//! from a loaded machine may be late, but never early.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{FakeSite, Response, ServerAction, assert_listed};

/// The maximum delay until the site notices a request, which makes the pause to the next one seem shorter.
const LATENESS: Duration = Duration::from_millis(60);

#[test]
fn no_more_requests_are_in_flight_than_configured() {
    for bound in [1, 4] {
        let (workspace, site) = (Workspace::new(), wide_site(60));
        site.latency(Duration::from_millis(20));
        workspace.crawl_well(&site.url("/"), &["-c", &bound.to_string()]);
        assert_eq!(workspace.listed().len(), 61);
        assert!(site.max_in_flight() <= bound, "{} requests at once with -c {bound}", site.max_in_flight());
    }
}

#[test]
fn sixteen_requests_in_flight_are_the_default_bound_and_are_used() {
    let (workspace, site) = (Workspace::new(), wide_site(200));
    site.latency(Duration::from_millis(50));
    workspace.crawl_well(&site.url("/"), &[]);
    assert!(site.max_in_flight() <= 16, "{} requests at once", site.max_in_flight());
    assert!(site.max_in_flight() >= 8, "only {} requests at once where sixteen may be", site.max_in_flight());
}

#[test]
fn the_delay_lies_between_any_two_requests() {
    let (workspace, site) = (Workspace::new(), wide_site(6));
    workspace.crawl_well(&site.url("/"), &["--delay", "250ms"]);
    assert_eq!(workspace.listed().len(), 7);
    assert_spaced(&site, Duration::from_millis(250));
}

#[test]
fn the_rate_holds_in_every_second() {
    let (workspace, site) = (Workspace::new(), wide_site(15));
    workspace.crawl_well(&site.url("/"), &["--rate-limit", "5"]);
    assert_eq!(workspace.listed().len(), 16);
    let times = times(&site);
    for window in times.windows(6) {
        let span = window[5] - window[0];
        assert!(span + 2 * LATENESS >= Duration::from_secs(1), "six requests within {span:?} at five a second");
    }
}

#[test]
fn a_rate_below_one_is_one_request_in_several_seconds() {
    let (workspace, site) = (Workspace::new(), wide_site(1));
    workspace.crawl_well(&site.url("/"), &["--rate-limit", "0.5", "--no-sitemaps"]);
    assert_spaced(&site, Duration::from_secs(2));
}

#[test]
fn the_crawl_delay_of_robots_txt_is_obeyed() {
    let (workspace, site) = (Workspace::new(), wide_site(3));
    site.robots("User-agent: *\nCrawl-delay: 1\n");
    workspace.crawl_well(&site.url("/"), &[]);
    assert_eq!(workspace.listed().len(), 4);
    assert_spaced(&site, Duration::from_secs(1));
}

/// Only the group of our own token counts (RFC 9309, 2.2.1).
#[test]
fn the_crawl_delay_of_our_own_group_counts() {
    let (workspace, site) = (Workspace::new(), wide_site(30));
    site.robots("User-agent: *\nCrawl-delay: 10\n\nUser-agent: mapwright\nDisallow: /private\n");
    let run = workspace.crawl_well(&site.url("/"), &[]);
    assert_eq!(workspace.listed().len(), 31);
    assert!(run.took < Duration::from_secs(60), "the delay of a foreign group was obeyed: {:?}", run.took);
}

#[test]
fn a_longer_crawl_delay_is_reduced_to_the_cap() {
    let (workspace, site) = (Workspace::new(), wide_site(4));
    site.robots("User-agent: *\nCrawl-delay: 86400\n");
    let run = workspace.crawl_well(&site.url("/"), &["--max-crawl-delay", "300ms"]);
    assert_eq!(workspace.listed().len(), 5);
    assert_spaced(&site, Duration::from_millis(300));
    assert!(run.took < Duration::from_secs(60), "{:?}", run.took);
}

#[test]
fn each_origin_has_a_pace_of_its_own() {
    let (workspace, slow, fast) = (Workspace::new(), FakeSite::open(), wide_site(30));
    slow.robots("User-agent: *\nCrawl-delay: 1\n").page("/", "<a href=/a>A</a>").page("/a", "<h1>A</h1>");
    let run = workspace.plan(&slow.url("/"), &["--no-sitemaps", &fast.url("/")]);
    let run = run.run().done.exited(0);
    assert_eq!(workspace.listed().len(), 33);
    assert_spaced(&slow, Duration::from_secs(1));
    assert!(run.took < Duration::from_secs(20), "thirty pages without a delay waited for the other origin");
}

#[test]
fn a_retry_after_of_a_site_is_obeyed() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<a href=/a>A</a>").page("/a", "<h1>A</h1>");
    site.first_n("/", 1, Response::new(429).header("Retry-After", "2"));
    workspace.crawl_well(&site.url("/"), &["--no-sitemaps"]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/a"]));
    let tries = site.requests_for("/");
    assert!(tries[1].at - tries[0].at + LATENESS >= Duration::from_secs(2));
}

/// Servers limit the request rate and answer excess requests with an error; nginx sends 503 by default.
#[test]
fn a_site_with_a_request_rate_limit_is_listed_completely() {
    for (status, options) in [(429, &[][..]), (503, &[]), (503, &["--max-depth", "3"]), (429, &["--max-urls", "200"])] {
        let (workspace, site) = (Workspace::new(), limited_site(120, 40.0, status));
        workspace.crawl_well(&site.url("/"), options);
        assert_eq!(workspace.listed().len(), 121, "{status} {options:?}");
        assert!(site.requests().len() < 300, "{} requests for 121 pages", site.requests().len());
    }
}

#[test]
fn a_site_with_a_limit_of_a_request_in_two_seconds_is_listed_completely() {
    let (workspace, site) = (Workspace::new(), limited_site(8, 0.5, 429));
    workspace.crawl_well(&site.url("/"), &["--no-sitemaps"]);
    assert_eq!(workspace.listed().len(), 9);
}

#[test]
fn a_restart_of_the_server_does_not_end_the_crawl() {
    let (workspace, site, gone) = (Workspace::new(), wide_site(300), Arc::new(OnceLock::<Instant>::new()));
    for path in (100..300).map(|n| format!("/page/{n}")) {
        let (gone, page) = (gone.clone(), format!("<h1>{path}</h1>"));
        site.handler(&path, move |_| {
            let away = gone.get_or_init(Instant::now).elapsed() < Duration::from_secs(2);
            if away { ServerAction::raw("") } else { Response::html(page.as_str()).into() }
        });
    }
    workspace.crawl_well(&site.url("/"), &[]);
    assert_eq!(workspace.listed().len(), 301);
}

#[test]
fn a_server_of_one_worker_has_one_or_two_requests_in_flight() {
    let (workspace, site) = (Workspace::new(), working_site(30, 1, Duration::from_millis(100)));
    workspace.crawl_well(&site.url("/"), &["--no-sitemaps"]);
    assert_eq!(workspace.listed().len(), 31);
    assert!(site.max_in_flight() <= 2, "{} requests at once for one worker", site.max_in_flight());
}

#[test]
fn pages_that_fail_only_under_load_are_listed() {
    type Beyond = fn() -> ServerAction;
    let error: Beyond = || Response::new(500).into();
    let busy: Beyond = || Response::new(503).into();
    let reset: Beyond = || ServerAction::reset_after([]);
    for beyond in [error, busy, reset] {
        let (workspace, site) = (Workspace::new(), bounded_site(80, 4, beyond));
        let crawled = workspace.crawl_well(&site.url("/"), &["--no-sitemaps"]);
        assert_eq!(workspace.listed().len(), 81, "{}", crawled.said());
    }
}

/// The counterpart: these pages fail without load too.
#[test]
fn pages_that_fail_without_load_are_not_listed_and_cost_three_requests() {
    let (workspace, site) = (Workspace::new(), wide_site(150));
    for page in 0..50 {
        site.status(&format!("/page/{}", 3 * page), 500);
    }
    workspace.crawl_well(&site.url("/"), &[]);
    assert_eq!(workspace.listed().len(), 101);
    let tries: Vec<usize> = (0..50).map(|page| site.requests_for(&format!("/page/{}", 3 * page)).len()).collect();
    assert_eq!(tries, [3; 50]);
}

#[test]
fn pages_that_stall_do_not_end_the_crawl() {
    for stalls in [0..30, 15..45, 30..60] {
        let (workspace, site) = (Workspace::new(), wide_site(60));
        for page in stalls {
            site.stall(&format!("/page/{page}"));
        }
        workspace.crawl_well(&site.url("/"), &["--timeout", "300ms"]);
        assert_eq!(workspace.listed().len(), 31);
    }
}

/// A start page that links this number of pages, served by this number of workers, each of which takes this time per
/// page.
fn working_site(pages: usize, workers: usize, each: Duration) -> FakeSite {
    let (site, free) = (wide_site(pages), Arc::new(Mutex::new(vec![Instant::now(); workers])));
    for path in (0..pages).map(|n| format!("/page/{n}")) {
        let (free, page) = (free.clone(), format!("<h1>{path}</h1>"));
        site.handler(&path, move |_| {
            let (mut free, now) = (free.lock().unwrap(), Instant::now());
            let worker = free.iter_mut().min().unwrap();
            *worker = now.max(*worker) + each;
            Response::html(page.as_str()).delay(*worker - now)
        });
    }
    site
}

/// A start page that links this number of pages on a server with this limit of concurrent requests, which answers
/// excess requests with `beyond`.
fn bounded_site(pages: usize, at_once: usize, beyond: fn() -> ServerAction) -> FakeSite {
    const EACH: Duration = Duration::from_millis(100);
    let (site, taken) = (wide_site(pages), Arc::new(Mutex::new(Vec::<Instant>::new())));
    for path in (0..pages).map(|n| format!("/page/{n}")) {
        let (taken, page) = (taken.clone(), format!("<h1>{path}</h1>"));
        site.handler(&path, move |_| {
            let (mut taken, now) = (taken.lock().unwrap(), Instant::now());
            taken.retain(|until| *until > now);
            if taken.len() >= at_once {
                return beyond();
            }
            taken.push(now + EACH);
            Response::html(page.as_str()).delay(EACH).into()
        });
    }
    site
}

/// A start page that links this number of pages.
fn wide_site(pages: usize) -> FakeSite {
    let site = FakeSite::open();
    let paths: Vec<String> = (0..pages).map(|n| format!("/page/{n}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    site.page("/", links(&paths));
    for path in paths {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    site
}

/// A start page that links this number of pages on a server with this rate limit, which answers excess requests with
/// this status.
fn limited_site(pages: usize, a_second: f64, status: u16) -> FakeSite {
    let (site, permits) = (wide_site(pages), Arc::new(Mutex::new((Instant::now(), 3.0))));
    for path in (0..pages).map(|n| format!("/page/{n}")) {
        let (permits, page) = (permits.clone(), format!("<h1>{path}</h1>"));
        site.handler(&path, move |_| {
            let mut permits = permits.lock().unwrap();
            let earned = permits.0.elapsed().as_secs_f64() * a_second;
            *permits = (Instant::now(), (permits.1 + earned).min(3.0) - 1.0);
            if permits.1 >= 0.0 {
                return Response::html(page.as_str());
            }
            permits.1 += 1.0;
            Response::new(status)
        });
    }
    site
}

fn times(site: &FakeSite) -> Vec<Instant> {
    let mut times: Vec<Instant> = site.requests().iter().map(|request| request.at).collect();
    times.sort();
    times
}

/// Asserts the pause between any two requests after robots.txt.
#[track_caller]
fn assert_spaced(site: &FakeSite, pause: Duration) {
    // The delay in robots.txt applies only once robots.txt is read.
    let times = times(site).split_off(1);
    assert!(times.len() > 1, "{} requests", times.len());
    for pair in times.windows(2) {
        let gap = pair[1] - pair[0];
        assert!(gap + LATENESS >= pause, "two requests within {gap:?} where {pause:?} must lie between");
    }
}
