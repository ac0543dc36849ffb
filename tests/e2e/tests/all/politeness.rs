//! How gently a site is treated, measured by the times at which its requests arrived. Lower bounds alone: a loaded
//! machine may be late, never early.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use mapwright_e2e::desk::Desk;
use mapwright_e2e::links;
use mapwright_testkit::{Answer, Response, Site, assert_listed};

/// A request may be noticed this much late, and so seem nearer to the next than it was sent.
const LATENESS: Duration = Duration::from_millis(60);

#[test]
fn no_more_requests_are_in_flight_than_asked_for() {
    for bound in [1, 4] {
        let (desk, site) = (Desk::new(), wide_site(60));
        site.latency(Duration::from_millis(20));
        desk.crawl_well(&site.url("/"), &["-c", &bound.to_string()]);
        assert_eq!(desk.listed().len(), 61);
        assert!(site.max_in_flight() <= bound, "{} requests at once with -c {bound}", site.max_in_flight());
    }
}

#[test]
fn sixteen_requests_in_flight_are_the_default_bound_and_are_used() {
    let (desk, site) = (Desk::new(), wide_site(200));
    site.latency(Duration::from_millis(50));
    desk.crawl_well(&site.url("/"), &[]);
    assert!(site.max_in_flight() <= 16, "{} requests at once", site.max_in_flight());
    assert!(site.max_in_flight() >= 8, "only {} requests at once where sixteen may be", site.max_in_flight());
}

#[test]
fn the_delay_lies_between_any_two_requests() {
    let (desk, site) = (Desk::new(), wide_site(6));
    desk.crawl_well(&site.url("/"), &["--delay", "250ms"]);
    assert_eq!(desk.listed().len(), 7);
    assert_spaced(&site, Duration::from_millis(250));
}

#[test]
fn the_rate_holds_in_every_second() {
    let (desk, site) = (Desk::new(), wide_site(15));
    desk.crawl_well(&site.url("/"), &["--rate-limit", "5"]);
    assert_eq!(desk.listed().len(), 16);
    let times = times(&site);
    for window in times.windows(6) {
        let span = window[5] - window[0];
        assert!(span + 2 * LATENESS >= Duration::from_secs(1), "six requests within {span:?} at five a second");
    }
}

#[test]
fn a_rate_below_one_is_one_request_in_several_seconds() {
    let (desk, site) = (Desk::new(), wide_site(1));
    desk.crawl_well(&site.url("/"), &["--rate-limit", "0.5", "--no-sitemaps"]);
    assert_spaced(&site, Duration::from_secs(2));
}

#[test]
fn the_crawl_delay_of_robots_txt_is_obeyed() {
    let (desk, site) = (Desk::new(), wide_site(3));
    site.robots("User-agent: *\nCrawl-delay: 1\n");
    desk.crawl_well(&site.url("/"), &[]);
    assert_eq!(desk.listed().len(), 4);
    assert_spaced(&site, Duration::from_secs(1));
}

/// The group of our own token counts, and no other (RFC 9309, 2.2.1).
#[test]
fn the_crawl_delay_of_our_own_group_counts() {
    let (desk, site) = (Desk::new(), wide_site(30));
    site.robots("User-agent: *\nCrawl-delay: 10\n\nUser-agent: mapwright\nDisallow: /private\n");
    let run = desk.crawl_well(&site.url("/"), &[]);
    assert_eq!(desk.listed().len(), 31);
    assert!(run.took < Duration::from_secs(60), "the delay of a foreign group was obeyed: {:?}", run.took);
}

#[test]
fn a_longer_crawl_delay_counts_as_the_cap() {
    let (desk, site) = (Desk::new(), wide_site(4));
    site.robots("User-agent: *\nCrawl-delay: 86400\n");
    let run = desk.crawl_well(&site.url("/"), &["--max-crawl-delay", "300ms"]);
    assert_eq!(desk.listed().len(), 5);
    assert_spaced(&site, Duration::from_millis(300));
    assert!(run.took < Duration::from_secs(60), "{:?}", run.took);
}

#[test]
fn each_origin_has_a_pace_of_its_own() {
    let (desk, slow, fast) = (Desk::new(), Site::open(), wide_site(30));
    slow.robots("User-agent: *\nCrawl-delay: 1\n").page("/", "<a href=/a>A</a>").page("/a", "<h1>A</h1>");
    let run = desk.plan(&slow.url("/"), &["--no-sitemaps", &fast.url("/")]);
    let run = mapwright_e2e::desk::finish(run).exited(0);
    assert_eq!(desk.listed().len(), 33);
    assert_spaced(&slow, Duration::from_secs(1));
    assert!(run.took < Duration::from_secs(20), "thirty pages without a delay waited for the other origin");
}

#[test]
fn a_site_that_asks_for_a_pause_is_left_alone_for_that_long() {
    let (desk, site) = (Desk::new(), Site::open());
    site.page("/", "<a href=/a>A</a>").page("/a", "<h1>A</h1>");
    site.first_n("/", 1, Response::new(429).header("Retry-After", "2"));
    desk.crawl_well(&site.url("/"), &["--no-sitemaps"]);
    assert_listed(&desk.out(), &site.urls(&["/", "/a"]));
    let tries = site.requests_for("/");
    assert!(tries[1].at - tries[0].at + LATENESS >= Duration::from_secs(2));
}

/// Servers count requests by time, and answer what is too many at once: nginx 503 unless told otherwise.
#[test]
fn a_site_that_allows_so_many_requests_a_second_is_listed_whole() {
    for (status, options) in [(429, &[][..]), (503, &[]), (503, &["--max-depth", "3"]), (429, &["--max-urls", "200"])] {
        let (desk, site) = (Desk::new(), limited_site(120, 40.0, status));
        desk.crawl_well(&site.url("/"), options);
        assert_eq!(desk.listed().len(), 121, "{status} {options:?}");
        assert!(site.requests().len() < 300, "{} requests for 121 pages", site.requests().len());
    }
}

#[test]
fn a_site_that_allows_a_request_in_two_seconds_is_listed_whole() {
    let (desk, site) = (Desk::new(), limited_site(8, 0.5, 429));
    desk.crawl_well(&site.url("/"), &["--no-sitemaps"]);
    assert_eq!(desk.listed().len(), 9);
}

#[test]
fn a_server_that_is_started_anew_meanwhile_cuts_nothing() {
    let (desk, site, gone) = (Desk::new(), wide_site(300), Arc::new(OnceLock::<Instant>::new()));
    for path in (100..300).map(|n| format!("/page/{n}")) {
        let (gone, page) = (gone.clone(), format!("<h1>{path}</h1>"));
        site.handler(&path, move |_| {
            let away = gone.get_or_init(Instant::now).elapsed() < Duration::from_secs(2);
            if away { Answer::raw("") } else { Response::html(page.as_str()).into() }
        });
    }
    desk.crawl_well(&site.url("/"), &[]);
    assert_eq!(desk.listed().len(), 301);
}

#[test]
fn a_server_of_one_worker_has_one_or_two_requests_in_flight() {
    let (desk, site) = (Desk::new(), working_site(30, 1, Duration::from_millis(100)));
    desk.crawl_well(&site.url("/"), &["--no-sitemaps"]);
    assert_eq!(desk.listed().len(), 31);
    assert!(site.max_in_flight() <= 2, "{} requests at once for one worker", site.max_in_flight());
}

#[test]
fn what_fails_of_the_crawls_own_load_is_listed() {
    type Beyond = fn() -> Answer;
    let error: Beyond = || Response::new(500).into();
    let busy: Beyond = || Response::new(503).into();
    let reset: Beyond = || Answer::reset_after([]);
    for beyond in [error, busy, reset] {
        let (desk, site) = (Desk::new(), bounded_site(80, 4, beyond));
        let crawled = desk.crawl_well(&site.url("/"), &["--no-sitemaps"]);
        assert_eq!(desk.listed().len(), 81, "{}", crawled.said());
    }
}

/// The look-alike: pages that fail for everybody.
#[test]
fn what_fails_alone_is_not_listed_and_costs_three_requests() {
    let (desk, site) = (Desk::new(), wide_site(150));
    for page in 0..50 {
        site.status(&format!("/page/{}", 3 * page), 500);
    }
    desk.crawl_well(&site.url("/"), &[]);
    assert_eq!(desk.listed().len(), 101);
    let tries: Vec<usize> = (0..50).map(|page| site.requests_for(&format!("/page/{}", 3 * page)).len()).collect();
    assert_eq!(tries, [3; 50]);
}

#[test]
fn pages_that_stall_end_no_crawl_wherever_they_stand() {
    for stalls in [0..30, 15..45, 30..60] {
        let (desk, site) = (Desk::new(), wide_site(60));
        for page in stalls {
            site.stall(&format!("/page/{page}"));
        }
        desk.crawl_well(&site.url("/"), &["--timeout", "300ms"]);
        assert_eq!(desk.listed().len(), 31);
    }
}

/// A start page that links so many pages, of which so many workers each take so long.
fn working_site(pages: usize, workers: usize, each: Duration) -> Site {
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

/// A start page that links so many pages, of which a server takes so many at once; what comes beyond is answered so.
fn bounded_site(pages: usize, at_once: usize, beyond: fn() -> Answer) -> Site {
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

/// A start page that links so many pages.
fn wide_site(pages: usize) -> Site {
    let site = Site::open();
    let paths: Vec<String> = (0..pages).map(|n| format!("/page/{n}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    site.page("/", links(&paths));
    for path in paths {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    site
}

/// A start page, and so many pages of which a server answers so many a second; all others get this status.
fn limited_site(pages: usize, a_second: f64, status: u16) -> Site {
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

fn times(site: &Site) -> Vec<Instant> {
    let mut times: Vec<Instant> = site.requests().iter().map(|request| request.at).collect();
    times.sort();
    times
}

/// Asserts the pause between any two requests that follow on robots.txt.
#[track_caller]
fn assert_spaced(site: &Site, pause: Duration) {
    // The delay of robots.txt itself binds from the moment on that it is known.
    let times = times(site).split_off(1);
    assert!(times.len() > 1, "{} requests", times.len());
    for pair in times.windows(2) {
        let gap = pair[1] - pair[0];
        assert!(gap + LATENESS >= pause, "two requests within {gap:?} where {pause:?} must lie between");
    }
}
