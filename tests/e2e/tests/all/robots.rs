//! robots.txt and the crawl: RFC 9309, section 2.3, `Crawl-delay`, and the agent's token.

use std::time::Duration;

use mapwright_e2e::{Crawl, Crawled, document, links};
use mapwright_testkit::{FakeSite, Response, ServerAction};

/// A site with a page and a private page, and this answer for robots.txt.
fn guarded(robots: impl Into<ServerAction>) -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/private/b"])).page("/a", "a").page("/private/b", "b").answer("/robots.txt", robots);
    site
}

const DENY: &str = "User-agent: *\nDisallow: /private/\n";

/// Crawls without retries.
fn quick(site: &FakeSite) -> Crawled {
    Crawl::of(site).args(["--retries", "0"]).run()
}

#[track_caller]
fn assert_guarded(site: &FakeSite) {
    let crawled = quick(site).exited(0);
    crawled.assert_lists(&site.urls(&["/", "/a"]));
    crawled.assert_excluded(&site.url("/private/b"), "robots");
    assert_eq!(site.hits("/private/b"), 0);
    crawled.assert_accounts_for_all();
}

#[test]
fn rules_bind_the_crawl() {
    assert_guarded(&guarded(Response::text(DENY)));
    assert_guarded(&guarded(Response::new(200).body(DENY)));
    assert_guarded(&guarded(Response::text(DENY).gzip()));
}

#[test]
fn a_4xx_allows_all() {
    // RFC 9309, 2.3.1.3.
    for status in [400, 401, 403, 404, 410] {
        let site = guarded(Response::text("User-agent: *\nDisallow: /\n").status(status));
        let crawled = quick(&site).exited(0);
        assert_eq!(crawled.listed().len(), 3, "{status}: {:?}", crawled.listed());
    }
}

#[test]
fn a_429_and_5xx_disallow_all_and_are_reported_with_their_status() {
    // RFC 9309, 2.3.1.4; 429 counts as a server error.
    for status in [429, 500, 502, 503] {
        let site = guarded(Response::text("User-agent: *\nAllow: /\n").status(status));
        let crawled = Crawl::of(&site).args(["--retries", "0"]).text().run().exited(3);
        assert_eq!(site.hits("/") + site.hits("/a"), 0, "{status}");
        assert!(!crawled.has_sitemap(), "{status}");
        crawled.assert_says(&format!("robots.txt answered {status}"));
        let reason = crawled.reason(&site.url("/"));
        assert!(matches!(reason.as_deref(), Some("robots-unavailable" | "throttled")), "{status}: {reason:?}");
    }
}

#[test]
fn a_missing_response_disallows_all_and_counts_as_no_answer() {
    for silence in [ServerAction::reset_after([]), ServerAction::raw([])] {
        let site = guarded(silence);
        let crawled = quick(&site).exited(3);
        assert_eq!(site.hits("/"), 0);
        crawled.assert_excluded(&site.url("/"), "no-answer");
    }
}

#[test]
fn a_host_whose_robots_txt_fails_does_not_stop_the_others() {
    let site = FakeSite::open();
    let at = |host: &str, path: &str| format!("http://{host}:{}{path}", site.port());
    let hosts = ["www.site.test", "failing.site.test", "silent.site.test"];
    site.page("/", links(&[&at(hosts[1], "/x"), &at(hosts[2], "/y"), "/a"]))
        .page("/a", "a")
        .page("/x", "x")
        .page("/y", "y");
    site.status("//failing.site.test/robots.txt", 503).reset("//silent.site.test/robots.txt");
    let crawl = Crawl::from(&[at(hosts[0], "/")]).args(["--scope", "domain", "--retries", "0"]).hosts(&site, &hosts);
    let crawled = crawl.run().exited(0);
    crawled.assert_lists(&[at(hosts[0], "/"), at(hosts[0], "/a")]);
    crawled.assert_excluded(&at(hosts[1], "/x"), "robots-unavailable");
    crawled.assert_excluded(&at(hosts[2], "/y"), "no-answer");
    assert_eq!(site.hits("/x") + site.hits("/y"), 0);
}

#[test]
fn a_transient_failure_is_retried() {
    let site = guarded(Response::text(DENY));
    site.first_n("/robots.txt", 1, ServerAction::reset_after([]));
    let crawled = Crawl::of(&site).args(["--retries", "1"]).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/a"]));
}

#[test]
fn redirects_of_robots_txt_are_followed() {
    // RFC 9309, 2.3.1.2: at least five hops, across hosts too.
    let site = guarded(Response::redirect(301, "/1"));
    site.redirect("/1", "/2", 302).redirect("/2", "/3", 307).redirect("/3", "/4", 308).file("/4", "text/plain", DENY);
    assert_guarded(&site);
    let elsewhere = FakeSite::open();
    elsewhere.file("/rules", "text/plain", DENY);
    assert_guarded(&guarded(Response::redirect(302, &elsewhere.url("/rules"))));
    let site = guarded(Response::redirect(302, "/private/rules"));
    site.file("/private/rules", "text/plain", DENY);
    assert_guarded(&site);
}

#[test]
fn a_redirect_to_an_error_counts_as_that_error() {
    let crawled = quick(&guarded(Response::redirect(301, "/gone"))).exited(0);
    assert_eq!(crawled.listed().len(), 3);
    let site = guarded(Response::redirect(301, "/failing"));
    site.status("/failing", 503);
    quick(&site).exited(3).assert_excluded(&site.url("/"), "robots-unavailable");
}

#[test]
fn each_port_has_a_robots_txt_of_its_own() {
    let (one, two) = (guarded(Response::text(DENY)), guarded(Response::text("User-agent: *\nDisallow: /a\n")));
    let starts = [one.url("/"), two.url("/")];
    let crawled = Crawl::from(&starts).run().exited(0);
    let mut expected = one.urls(&["/", "/a"]);
    expected.extend(two.urls(&["/", "/private/b"]));
    crawled.assert_lists(&expected);
}

#[test]
fn the_agent_and_its_token_choose_the_group() {
    let robots = "User-agent: acmebot\nDisallow: /a\n\nUser-agent: mapwright\nDisallow: /private/\n";
    let crawl = |words: &[&str]| {
        let site = guarded(Response::text(robots));
        let listed = Crawl::of(&site).args(words).run().exited(0).listed();
        let agents: Vec<String> =
            site.requests().iter().filter_map(|it| it.header("user-agent").map(str::to_owned)).collect();
        (listed.contains(&site.url("/a")), listed.contains(&site.url("/private/b")), agents)
    };
    let (a, b, agents) = crawl(&[]);
    assert!(a && !b);
    assert!(agents.iter().all(|agent| agent.starts_with("mapwright/") && agent.contains("(+http")), "{agents:?}");
    let (a, b, agents) = crawl(&["--user-agent", "acmebot/9.1 (+http://acme.test/)"]);
    assert!(!a && b);
    assert!(agents.iter().all(|agent| agent == "acmebot/9.1 (+http://acme.test/)"), "{agents:?}");
    let (a, b, agents) = crawl(&["--robots-agent", "acmebot"]);
    assert!(!a && b);
    assert!(agents.iter().all(|agent| agent.starts_with("mapwright/")), "{agents:?}");
}

#[test]
fn ignore_robots_fetches_disallowed_pages() {
    let site = guarded(Response::text("User-agent: *\nDisallow: /\n"));
    let crawled = Crawl::of(&site).arg("--ignore-robots").run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/a", "/private/b"]));
}

/// The shortest time between two requests for pages.
fn shortest_gap(site: &FakeSite) -> Duration {
    let pages: Vec<_> = site.requests().into_iter().filter(|request| request.path() != "/robots.txt").collect();
    let gaps = pages.iter().zip(pages.iter().skip(1)).map(|(one, next)| next.at - one.at);
    gaps.min().unwrap_or_default()
}

#[test]
fn a_crawl_delay_is_obeyed_up_to_a_cap() {
    let pages = ["/", "/a", "/b", "/c"];
    let slow = |delay: &str| {
        let site = FakeSite::open();
        site.robots(format!("User-agent: *\nCrawl-delay: {delay}\n"));
        for path in pages {
            site.page(path, document(path, "", &links(&pages)));
        }
        site
    };
    // Network and clocks may shorten a gap that the site sees.
    let almost = |millis: u64| Duration::from_millis(millis * 8 / 10);
    let site = slow("0.1");
    Crawl::of(&site).arg("--no-sitemaps").run().exited(0).assert_lists(&site.urls(&pages));
    assert!(shortest_gap(&site) >= almost(100), "{:?}", shortest_gap(&site));
    let site = slow("86400");
    let crawled = Crawl::of(&site).args(["--no-sitemaps", "--max-crawl-delay", "50ms"]).run().exited(0);
    crawled.assert_lists(&site.urls(&pages));
    assert!(shortest_gap(&site) >= almost(50), "{:?}", shortest_gap(&site));
}

#[test]
fn a_crawl_delay_of_another_agent_is_not_ours() {
    let site = guarded(Response::text("User-agent: other\nCrawl-delay: 3600\n"));
    Crawl::of(&site).args(["--max-crawl-delay", "1h"]).run().exited(0).assert_lists(&site.urls(&[
        "/",
        "/a",
        "/private/b",
    ]));
}

#[test]
fn robots_txt_is_checked_with_the_exact_url_of_a_redirect() {
    let site = FakeSite::open();
    site.robots("User-agent: *\nDisallow: /*utm_source=\n").page("/", links(&["/a", "/b"]));
    site.redirect("/a", "/a?utm_source=x", 302).page("/a?utm_source=x", "a");
    site.redirect("/b", "/b?gclid=1", 302).page("/b?gclid=1", "b");
    let crawled = Crawl::of(&site).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/b"]));
    crawled.assert_excluded(&site.url("/a"), "robots");
    assert_eq!(site.hits("/a?utm_source=x"), 0);
}

#[test]
fn a_redirect_to_a_disallowed_url_is_not_followed() {
    let site = FakeSite::open();
    site.robots(DENY).page("/", links(&["/go"])).redirect("/go", "/private/x", 301).page("/private/x", "x");
    let crawled = Crawl::of(&site).run().exited(0);
    crawled.assert_lists(&site.urls(&["/"]));
    crawled.assert_excluded(&site.url("/go"), "redirect");
    crawled.assert_excluded(&site.url("/private/x"), "robots");
    assert_eq!(site.hits("/private/x"), 0);
}
