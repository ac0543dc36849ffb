//! The first lines of a result: the reason why search engines do not index the start page, and the URLs out of scope.

use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{FakeSite, Response};

/// The first lines of the output of a crawl and of an audit.
fn first_lines(site: &FakeSite) -> [String; 2] {
    let (workspace, url) = (Workspace::new(), site.url("/"));
    let crawled = workspace.run(&["crawl", &url, "-o", "out", "--state", "state"]);
    let audited = workspace.run(&["audit", &url, "-o", "report", "--state", "audited"]);
    [crawled, audited].map(|run| run.stdout.lines().next().unwrap_or_default().to_owned())
}

fn starting(head: &str) -> FakeSite {
    let site = FakeSite::open();
    site.page("/", format!("<head>{head}</head><h1>Home</h1>{}", links(&["/a"]))).page("/a", "<h1>A</h1>");
    site
}

#[test]
fn a_start_page_that_is_not_indexable_is_reported_first() {
    let cases = [
        ("noindex", "says noindex: "),
        ("nofollow", "says nofollow: none of its links was followed; --follow-nofollow"),
        ("noindex,nofollow", "says noindex and nofollow: "),
    ];
    for (directives, words) in cases {
        let site = starting(&format!("<meta name=robots content='{directives}'>"));
        for line in first_lines(&site) {
            assert!(line.starts_with(&format!("the start page {} {words}", site.url("/"))), "{line}");
        }
    }
}

#[test]
fn other_start_pages_are_not_reported() {
    let site = starting("<meta name=robots content=noarchive>");
    for line in first_lines(&site) {
        assert!(line.contains("fetched in"), "{line}");
    }
}

#[test]
fn a_disallowed_start_page_is_reported_beside_an_allowed_one() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.robots("User-agent: *\nDisallow: /shut\n");
    site.page("/", links(&["/a"])).page("/a", "A").page("/shut/", "Shut");
    let (open, shut) = (site.url("/"), site.url("/shut/"));
    let run = workspace.run(&["audit", &open, &shut, "-o", "report", "--state", "state"]);
    let first = run.stdout.lines().next().unwrap_or_default().to_owned();
    assert!(first.contains(&shut) && first.contains("Disallow: /shut") && first.contains("--ignore-robots"), "{first}");
    assert!(run.stdout.contains("start-excluded"), "{}", run.stdout);
}

#[test]
fn other_sites_and_the_host_outside_the_path_are_two_rows() {
    let (workspace, site, other) = (Workspace::new(), FakeSite::open(), FakeSite::open());
    site.page("/docs/", links(&["/blog", "/shop", "/docs/a", &other.url("/")])).page("/docs/a", "A");
    let run = workspace.run(&["crawl", &site.url("/docs/"), "-o", "out", "--state", "state"]).exited(0);
    let rows: Vec<&str> = run.stdout.lines().filter(|line| line.contains("out-of-scope")).map(str::trim).collect();
    assert!(rows.len() == 2 && rows[0].starts_with("1 ") && rows[0].contains("another site"), "{rows:?}");
    assert!(rows[1].starts_with("2 ") && rows[1].contains("this host") && rows[1].contains("--scope"), "{rows:?}");
    assert!(run.stdout.contains(&format!("Sitemap: {}", site.url("/sitemap.xml"))), "{}", run.stdout);
}

#[test]
fn the_hosts_of_a_list_are_no_other_sites() {
    let (workspace, site, other) = (Workspace::new(), FakeSite::open(), FakeSite::open());
    site.page("/a", links(&["/b", "/c", &other.url("/")])).page("/b", "B");
    let list = workspace.file("list.txt", format!("{}\n{}\n", site.url("/a"), site.url("/b")));
    let words = ["crawl", "--scope", "list", "--url-list", &list, "-o", "out", "--state", "state"];
    let run = workspace.run(&words).exited(0);
    let rows: Vec<&str> = run.stdout.lines().filter(|line| line.contains("out-of-scope")).map(str::trim).collect();
    assert!(rows.len() == 2 && rows[0].starts_with("1 ") && rows[0].contains("another site"), "{rows:?}");
    assert!(
        rows[1].starts_with("1 ") && rows[1].contains("this host") && rows[1].contains("not on the list"),
        "{rows:?}"
    );
}

#[test]
fn a_site_of_empty_pages_is_reported_if_its_sitemap_lists_many() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths = ["/", "/1", "/2", "/3", "/4"];
    let shell = |path: &str| format!("<title>{path}</title><div id=root></div><script src=/app.js></script>");
    paths.iter().for_each(|path| _ = site.page(path, shell(path)));
    site.sitemap("/sitemap.xml", &paths).robots(format!("Sitemap: {}", site.url("/sitemap.xml")));
    let run = workspace.run(&["crawl", &site.url("/"), "-o", "out", "--state", "state"]).exited(0);
    assert!(run.stdout.contains("5 of 5 pages are empty shells"), "{}", run.stdout);
    site.answer("/1", Response::html(format!("{}{}", shell("/1"), links(&["/2"]))));
    site.answer("/2", Response::html(format!("{}{}", shell("/2"), links(&["/1"]))));
    let run = workspace.run(&["crawl", &site.url("/"), "-o", "out", "--state", "other"]).exited(0);
    assert!(!run.stdout.contains("shells"), "{}", run.stdout);
}
