//! `mapwright crawl`: its limits, the order in which they are spent, and its output.

use std::collections::BTreeMap;

use mapwright_e2e::{Crawl, Crawled, document, links};
use mapwright_testkit::{FakeSite, Response};
use serde_json::Value;

#[track_caller]
fn run(crawl: Crawl) -> Crawled {
    let crawled = crawl.run().exited(0);
    crawled.assert_accounts_for_all();
    crawled
}

/// A site on which each page links to the next.
fn chain(length: usize) -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&["/1"]));
    for at in 1..=length {
        let path = format!("/{at}");
        site.page(&path, document(&path, "", &links(&[&format!("/{}", at + 1)])));
    }
    site
}

#[test]
fn max_depth_counts_links_from_the_start() {
    let site = chain(3);
    let listed = |depth: &str| run(Crawl::of(&site).args(["--max-depth", depth])).listed().len();
    assert_eq!(listed("0"), 1, "the start URLs alone");
    assert_eq!(listed("1"), 2);
    assert_eq!(listed("2"), 3);
    assert_eq!(run(Crawl::of(&site)).listed().len(), 4, "no limit by default");
}

#[test]
fn depth_is_the_length_of_the_shortest_path() {
    let site = FakeSite::open();
    // `/far` is reachable by a longer path and by a shorter one.
    site.page("/", links(&["/1", "/short"])).page("/1", links(&["/2"])).page("/2", links(&["/far"]));
    site.page("/short", links(&["/far"])).page("/far", links(&["/end"])).page("/end", "end");
    let crawled = run(Crawl::of(&site).args(["--max-depth", "3"]));
    assert!(crawled.listed().contains(&site.url("/end")));
    let depths = crawled.query("SELECT url, depth FROM v_listed ORDER BY url");
    let depths: BTreeMap<String, String> =
        depths.into_iter().map(|row| (row[0].replace(&site.base(), ""), row[1].clone())).collect();
    assert_eq!((depths["/"].as_str(), depths["/far"].as_str(), depths["/end"].as_str()), ("0", "2", "3"));
}

#[test]
fn a_url_of_a_sitemap_has_depth_one_whatever_links_to_it() {
    let site = FakeSite::open();
    // `/t` has depth 3 through `/b`, and less if listed or through the listed `/d`, so the order of requests could
    // change the depth of `/end`.
    site.page("/", "home").page("/a", links(&["/b"])).page("/b", links(&["/t"])).page("/d", links(&["/t"]));
    site.page("/t", links(&["/end"])).page("/end", "end");
    let (itself, by_d) = (["/a", "/t"], ["/a", "/d"]);
    let cases = [
        (itself, &["-c", "1"][..]),
        (itself, &["-c", "16"]),
        (itself, &["-c", "1", "--max-urls", "100"]),
        (by_d, &["-c", "1"]),
        (by_d, &["-c", "16"]),
    ];
    for (listed, options) in cases {
        site.sitemap("/sitemap.xml", &listed);
        let crawled = run(Crawl::of(&site).args(["--max-depth", "3"]).args(options));
        assert!(crawled.listed().contains(&site.url("/end")), "{listed:?} {options:?}");
    }
}

#[test]
fn max_urls_is_spent_by_depth() {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/b", "/c"]));
    for path in ["/a", "/b", "/c"] {
        site.page(path, document(path, "", &links(&[&format!("{path}/deep")]))).page(&format!("{path}/deep"), path);
    }
    let crawled = run(Crawl::of(&site).args(["--max-urls", "4"]));
    crawled.assert_lists(&site.urls(&["/", "/a", "/b", "/c"]));
    crawled.assert_excluded(&site.url("/a/deep"), "url-limit");
    let summary = crawled.summary();
    assert_eq!(summary["max_urls_reached"], true);
    assert_eq!(summary["fetched"], 4);
    assert_eq!(summary["sitemap"]["published"], true, "the crawl that was requested is complete");
}

#[test]
fn max_urls_is_spent_on_links_before_sitemap_entries() {
    let site = FakeSite::open();
    site.page("/", links(&["/a"])).page("/a", links(&["/b"])).page("/b", "b").page("/mapped", "mapped");
    site.sitemap("/sitemap.xml", &["/mapped"]);
    let crawled = run(Crawl::of(&site).args(["--max-urls", "3"]));
    crawled.assert_lists(&site.urls(&["/", "/a", "/b"]));
    crawled.assert_excluded(&site.url("/mapped"), "url-limit");
    // robots.txt and sitemaps are prerequisites and do not count.
    assert_eq!(site.hits("/robots.txt") + site.hits("/sitemap.xml"), 2);
}

#[test]
fn max_urls_is_spent_on_redirect_hops_before_links() {
    let site = FakeSite::open();
    site.page("/", links(&["/old", "/other", "/another"])).redirect("/old", "/new", 301).page("/new", "new");
    site.page("/other", "other").page("/another", "another");
    let crawled = run(Crawl::of(&site).args(["--max-urls", "3", "--concurrency", "1"]));
    crawled.assert_lists(&site.urls(&["/", "/new"]));
    crawled.assert_excluded(&site.url("/other"), "url-limit");
}

#[test]
fn a_url_in_a_sitemap_and_in_a_link_counts_as_linked() {
    let site = FakeSite::open();
    site.page("/", links(&["/hub"]))
        .page("/hub", links(&["/linked"]))
        .page("/linked", "linked")
        .page("/mapped", "mapped");
    site.sitemap("/sitemap.xml", &["/mapped", "/linked"]);
    let crawled = run(Crawl::of(&site).args(["--max-urls", "3", "--concurrency", "1"]));
    crawled.assert_lists(&site.urls(&["/", "/hub", "/linked"]));
}

#[test]
fn skipped_links_are_reported() {
    let site = FakeSite::open();
    site.page("/", format!("{}{}", "<a href='#x'>x</a>".repeat(200_000), links(&["/last"]))).page("/last", "last");
    let crawled = run(Crawl::of(&site));
    crawled.assert_lists(&site.urls(&["/"]));
    assert!(crawled.stdout().contains("1 URL was read in part"), "{}", crawled.stdout());
}

#[test]
fn the_json_summary_counts_everything() {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/gone", "/no"])).page("/a", "a").page("/no", "<meta name=robots content=noindex>");
    let crawled = run(Crawl::of(&site));
    let summary = crawled.summary();
    assert_eq!(summary["exit"], 0);
    assert_eq!(summary["listed"], 2);
    assert_eq!(summary["fetched"], 4);
    assert_eq!(summary["sitemap"]["urls"], 2);
    let mut counted: BTreeMap<String, u64> = BTreeMap::new();
    for gone in crawled.excluded().into_values() {
        *counted.entry(gone.reason).or_default() += 1;
    }
    let reported = summary["excluded"].as_object().expect("counts by reason");
    let reported: BTreeMap<String, u64> =
        reported.iter().map(|(reason, count)| (reason.clone(), count.as_u64().unwrap())).collect();
    assert_eq!(reported, counted);
    assert!(summary["slowest"].as_array().is_some_and(|pages| !pages.is_empty()));
    let line = format!("Sitemap: {}", site.url("/sitemap.xml"));
    assert_eq!(summary["robots_lines"][0]["line"], Value::from(line));
}

#[test]
fn the_text_summary_shows_pages_reasons_files_and_advice() {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/gone"])).page("/a", "a");
    let crawled = Crawl::of(&site).text().run().exited(0);
    let said = format!("{}{}", crawled.stdout(), crawled.stderr());
    for words in ["3 pages", "2 listed", "http-error", "sitemap.xml", &format!("Sitemap: {}", site.url("/sitemap.xml"))]
    {
        assert!(said.contains(words), "no {words:?} in: {said}");
    }
    assert!(!said.contains('\u{1b}'), "no colours where there is no terminal: {said:?}");
}

#[test]
fn limits_are_reported_with_the_number_of_known_urls_not_fetched() {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/b", "/c", "/d"])).page("/a", "a").page("/b", "b").page("/c", "c").page("/d", "d");
    let crawled = Crawl::of(&site).args(["--max-urls", "2"]).text().run().exited(0);
    let said = format!("{}{}", crawled.stdout(), crawled.stderr());
    let line = said.lines().find(|line| line.contains("url-limit")).unwrap_or_else(|| panic!("no count: {said}"));
    assert!(line.contains('3'), "{line}");
}

#[test]
fn nothing_crawled_is_exit_3_and_publishes_nothing() {
    let cases: [(&str, Response); 4] = [
        ("404", Response::html("gone").status(404)),
        ("403", Response::html("no").status(403)),
        ("500", Response::html("oops").status(500)),
        ("204", Response::new(204)),
    ];
    for (name, answer) in cases {
        let site = FakeSite::open();
        site.answer("/", answer);
        let crawled = Crawl::of(&site).args(["--retries", "0"]).text().run().exited(3);
        assert!(!crawled.has_sitemap(), "{name}");
        crawled.assert_says(&site.url("/"));
        crawled.assert_says(name);
    }
}

#[test]
fn one_start_that_answers_is_enough() {
    let site = FakeSite::open();
    site.page("/good", "good");
    let crawled = Crawl::from(&[site.url("/good"), site.url("/gone")]).run().exited(0);
    crawled.assert_lists(&site.urls(&["/good"]));
}

#[test]
fn a_url_without_a_scheme_is_tried_as_https_and_said() {
    let site = FakeSite::open();
    site.page("/", "plain");
    let bare = site.address().to_string();
    let crawled = Crawl::from(&[&bare]).args(["--retries", "0", "--connect-timeout", "1s"]).text().run();
    assert_eq!(crawled.code(), Some(3), "nobody speaks TLS there: {}", crawled.stderr());
    crawled.assert_says("https://");
}

#[test]
fn control_characters_of_the_site_never_reach_the_terminal_raw() {
    let site = FakeSite::open();
    let evil = "x\u{1b}[31m\u{7}\u{202e}";
    site.page("/", links(&[evil, "/redirect"])).answer("/redirect", Response::redirect(301, "/\u{9b}31m"));
    let crawled = Crawl::of(&site).arg("-vvv").text().run().exited(0);
    let said = format!("{}{}", crawled.stdout(), crawled.stderr());
    assert!(!said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{said:?}");
}

#[test]
fn quiet_prints_nothing_on_success_and_no_advice_otherwise() {
    let site = FakeSite::open();
    site.page("/", "home");
    let quiet = || Crawl::of(&site).arg("--quiet").text();
    let crawled = quiet().run().exited(0);
    assert_eq!((crawled.stdout(), crawled.stderr()), ("", ""));
    site.page("/", "<meta name=robots content=noindex>home");
    let crawled = quiet().run().exited(5);
    let said = format!("{}{}", crawled.stdout(), crawled.stderr());
    assert!(said.contains("no sitemap was published") && !said.contains("to do"), "{said}");
}

#[test]
fn the_same_site_gives_the_same_bytes() {
    let site = chain(20);
    let bytes = |concurrency: &str| {
        let crawled = run(Crawl::of(&site).args(["--concurrency", concurrency]));
        std::fs::read(crawled.out().join("sitemap.xml")).expect("a sitemap")
    };
    assert_eq!(bytes("1"), bytes("16"));
}
