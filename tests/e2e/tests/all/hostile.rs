//! Hostile and broken sites: each crawl is bounded in time and memory, and finds all good pages.
//!
//! The bounds are generous, for debug builds on small machines: they only distinguish bounded from unbounded.
#![allow(clippy::unwrap_used, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use mapwright_e2e::{CommandOutput, Workspace, links};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, ServerAction, gzip};

/// The longest time of a crawl with one bad response.
pub(crate) const TIME: Duration = Duration::from_secs(60);
/// The maximum memory of such a crawl in MiB: the budget of 120 MB, the 64 MiB in flight, and the overhead of a debug
/// build.
pub(crate) const MEMORY: u64 = 300;
/// The arguments for one attempt with a short timeout, so that an endless response ends soon.
pub(crate) const PATIENT: [&str; 4] = ["--timeout", "3s", "--retries", "0"];

// ---- bodies

#[test]
fn an_endless_body() {
    crawl_meets("/bad", |site| {
        site.endless("/bad", "<p>and another paragraph</p>\n");
    });
}

#[test]
fn an_endless_body_that_drips() {
    let head = Response::html([]).until_close().to_bytes();
    crawl_meets("/bad", move |site| {
        let gap = Duration::from_millis(100);
        site.answer("/bad", ServerAction::Endless { prefix: head, chunk: b"<p>x".to_vec(), gap });
    });
}

#[test]
fn endless_chunks() {
    let prefix = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    let chunk = b"10\r\n<p>sixteen bytes\r\n".to_vec();
    crawl_meets("/bad", move |site| {
        site.answer("/bad", ServerAction::Endless { prefix, chunk, gap: Duration::ZERO });
    });
}

#[test]
fn gzip_bombs() {
    let bomb = packed_spaces(1 << 30);
    crawl_meets("/bad", |site| {
        site.answer("/bad", Response::html(bomb.clone()).header("Content-Encoding", "gzip"));
    });
    let layered = gzip(&bomb);
    crawl_meets("/bad", |site| {
        site.answer("/bad", Response::html(layered.clone()).header("Content-Encoding", "gzip, gzip"));
    });
}

#[test]
fn a_zstd_bomb() {
    let bomb = zstd::stream::encode_all(std::io::repeat(b' ').take(1 << 30), 1).unwrap();
    crawl_meets("/bad", |site| {
        site.answer("/bad", Response::html(bomb.clone()).header("Content-Encoding", "zstd"));
    });
}

#[test]
fn a_brotli_bomb() {
    let mut bomb = Vec::new();
    let mut packer = brotli::CompressorWriter::new(&mut bomb, 1 << 16, 1, 22);
    std::io::copy(&mut std::io::repeat(b' ').take(256 << 20), &mut packer).unwrap();
    drop(packer);
    crawl_meets("/bad", |site| {
        site.answer("/bad", Response::html(bomb.clone()).header("Content-Encoding", "br"));
    });
}

#[test]
fn many_coding_layers() {
    let layers = vec!["gzip"; 200].join(", ");
    crawl_meets("/bad", |site| {
        site.answer("/bad", Response::html(gzip(b"<p>x")).header("Content-Encoding", &layers));
    });
}

/// robots.txt and a sitemap may be decompression bombs too.
#[test]
fn prerequisites_that_are_bombs() {
    let bomb = packed_spaces(1 << 30);
    crawl_meets("/ok", |site| {
        site.answer("/robots.txt", Response::text(bomb.clone()).header("Content-Encoding", "gzip"));
        site.answer("/sitemap.xml", Response::xml(bomb.clone()));
        site.page("/ok", "<h1>Fine</h1>");
    });
}

#[test]
fn a_false_content_length() {
    crawl_meets("/bad", |site| {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000000000\r\n\r\n<h1>So little</h1>";
        site.answer("/bad", ServerAction::stall_after(head));
    });
}

// ---- heads

#[test]
fn slow_headers() {
    let head = format!("HTTP/1.1 200 OK\r\n{}", "X-Slow: yes\r\n".repeat(1_000));
    crawl_meets("/bad", |site| {
        site.drip("/bad", head, Duration::from_millis(200));
    });
}

#[test]
fn endless_headers() {
    let prefix = b"HTTP/1.1 200 OK\r\n".to_vec();
    crawl_meets("/bad", move |site| {
        site.answer(
            "/bad",
            ServerAction::Endless { prefix, chunk: b"X-More: and more\r\n".to_vec(), gap: Duration::ZERO },
        );
    });
}

#[test]
fn an_endless_status_line() {
    crawl_meets("/bad", |site| {
        let prefix = b"HTTP/1.1 200 ".to_vec();
        site.answer("/bad", ServerAction::Endless { prefix, chunk: b"OKAY".to_vec(), gap: Duration::ZERO });
    });
}

#[test]
fn endless_interim_responses() {
    crawl_meets("/bad", |site| {
        let chunk = b"HTTP/1.1 103 Early Hints\r\n\r\n".to_vec();
        site.answer("/bad", ServerAction::Endless { prefix: Vec::new(), chunk, gap: Duration::ZERO });
    });
}

#[test]
fn responses_that_are_not_http() {
    let bad: [&[u8]; 5] =
        [b"\x16\x03\x01\x02\x00", b"SSH-2.0-OpenSSH_9.2\r\n", b"\0\0\0\0\0\0", b"HTTP/9.9 xyz\r\n\r\n", b"\r\n"];
    for bytes in bad {
        crawl_meets("/bad", |site| {
            site.raw("/bad", bytes);
        });
    }
}

#[test]
fn a_flood_of_cookies() {
    let (workspace, site) = (Workspace::new(), good_site("/bad"));
    site.handler("/bad", |_: &ReceivedRequest| {
        let cookie = |number: usize| format!("name{number}={}", "v".repeat(3_000));
        (0..60).fold(Response::html("<h1>Cookies</h1>"), |page, number| page.header("Set-Cookie", cookie(number)))
    });
    let run = workspace.crawl(&site.url("/"), &["-c", "1", "--cookies", "all"]).exited(0);
    run.assert_within(TIME, MEMORY);
    let longest = site.requests().iter().filter_map(|request| request.header("Cookie").map(str::len)).max();
    assert!(longest.unwrap_or(0) <= 16 << 10, "a Cookie field of {longest:?} bytes");
    assert_good_pages(&workspace, &site);
}

// ---- pages

#[test]
fn deep_nesting() {
    for element in ["div", "b", "table", "svg", "ul", "noscript"] {
        let open = format!("<{element}>");
        let depth = (600 << 10) / open.len();
        let page = format!("<!doctype html>{}<a href=/after-the-depth>x</a>", open.repeat(depth));
        let (workspace, site) = (Workspace::new(), good_site("/bad"));
        site.page("/bad", page).page("/after-the-depth", "<h1>After all</h1>");
        let run = workspace.crawl(&site.url("/"), &[]).exited(0);
        run.assert_within(TIME, MEMORY);
        assert_good_pages(&workspace, &site);
        assert!(workspace.listed().contains(&site.url("/after-the-depth")), "the link below nested {element} is lost");
    }
}

/// A selector needs a tree, whose construction is quadratic in depth, so it has a time budget.
#[test]
fn deep_nesting_under_a_selector() {
    let (workspace, site) = (Workspace::new(), good_site("/bad"));
    site.page("/bad", "<div>".repeat(200_000));
    let run = workspace.crawl(&site.url("/"), &["--links-in", "main, body"]).exited(0);
    run.assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
}

#[test]
fn markup_that_is_slow_to_read() {
    let many_attributes: String = (0..300_000).map(|number| format!(" a{number}=x")).collect();
    let pages = [
        "<".repeat(5 << 20),
        "<a ".repeat(2 << 20),
        format!("<a href=/x{many_attributes}>x</a>"),
        format!("<a href='{}'>x</a>", "a".repeat(10 << 20)),
        "<!--".repeat(2 << 20),
        format!("<p>{}", "&#99999999999;&amp".repeat(500_000)),
        format!("<script>{}", "</scrip".repeat(1 << 20)),
        "<![CDATA[".repeat(1 << 20),
    ];
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths: Vec<String> = (0..pages.len()).map(|number| format!("/bad/{number}")).collect();
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()) + &good_links());
    for (path, page) in paths.iter().zip(pages) {
        site.page(path, page);
    }
    add_good_pages(&site);
    let run = workspace.crawl(&site.url("/"), &[]).exited(0);
    run.assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
}

#[test]
fn a_million_links_to_few_pages() {
    let (workspace, site) = (Workspace::new(), good_site("/bad"));
    site.page("/bad", "<a href=/1>x</a>".repeat(1_000_000)).page("/1", "<h1>One</h1>");
    let run = workspace.crawl(&site.url("/"), &[]).exited(0);
    run.assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
    assert_eq!(site.hits("/1"), 1);
}

#[test]
fn short_references_behind_a_long_base() {
    let base = "a".repeat(60_000);
    for reference in ["<a href=", "<img src="] {
        let references: String = (0..20_000).map(|number| format!("{reference}{number}>")).collect();
        crawl_meets("/bad", |site| {
            site.page("/bad", format!("<base href=/{base}/>{references}"));
        });
    }
}

#[test]
fn structured_data_of_a_million_small_objects() {
    let script = format!("<script type=application/ld+json>[{}0]</script>", "{\"\":0},".repeat(149_000));
    crawl_meets("/bad", |site| {
        site.page("/bad", script.repeat(15));
    });
}

#[test]
fn a_million_links_to_as_many_pages() {
    let (workspace, site) = (Workspace::new(), good_site("/bad"));
    let mut page = String::with_capacity(16 << 20);
    for number in 0..1_000_000 {
        let _ = write!(page, "<a href=/{number:x}>");
    }
    site.page("/bad", page);
    let run = workspace.crawl(&site.url("/"), &["--max-urls", "50"]).exited(0);
    run.assert_within(TIME, MEMORY + 400);
    assert_good_pages(&workspace, &site);
}

#[test]
fn an_endless_site_does_not_starve_the_good_pages() {
    let (workspace, site) = (Workspace::new(), good_site("/calendar/0"));
    site.handler("/calendar/*", |request: &ReceivedRequest| {
        let day: u64 = request.path().rsplit('/').next().and_then(|day| day.parse().ok()).unwrap_or(0);
        let next: String = (1..20).map(|step| format!("<a href=/calendar/{}>x</a>", day + step)).collect();
        Response::html(format!("<h1>Day {day}</h1>{next}"))
    });
    let run = workspace.crawl(&site.url("/"), &["--max-urls", "200"]).exited(0);
    run.assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
    assert!(site.requests().len() < 220, "{} requests", site.requests().len());
}

/// "1,000 URLs for a pattern proven endless (segments that grow or repeat)", without any other limit that would end it.
#[test]
fn paths_that_grow_for_ever_end_by_themselves() {
    for links in [
        "<a href=more/>deeper</a>",
        "<a href=a/>deeper</a> <a href=b/>deeper</a>",
        "<a href=p?n=1>x</a> <a href=q/>x</a>",
    ] {
        let (workspace, site) = (Workspace::new(), good_site("/grow/"));
        site.handler("/grow/*", move |request: &ReceivedRequest| {
            Response::html(format!("<h1>{}</h1>{links}", request.target))
        });
        let run = workspace.crawl(&site.url("/"), &["--pattern-budget", "100", "--max-time", "10s"]);
        let requested = site.requests().len();
        assert_eq!(run.code, Some(0), "{links} did not end by itself, {requested} requests: {}", run.said());
        run.assert_within(TIME, MEMORY);
        assert_good_pages(&workspace, &site);
        assert!(requested < 3_000, "{requested} requests with {links}");
    }
}

// ---- helpers

/// Crawls a good site that also links this path, which `spoil` sets up, and asserts the bounds and the good pages.
#[track_caller]
fn crawl_meets(path: &str, spoil: impl FnOnce(&FakeSite)) -> CommandOutput {
    let (workspace, site) = (Workspace::new(), good_site(path));
    spoil(&site);
    let run = workspace.crawl(&site.url("/"), &PATIENT).exited(0);
    run.assert_within(TIME, MEMORY);
    assert!(!run.said().contains("panicked"), "{}", run.said());
    assert_good_pages(&workspace, &site);
    run
}

/// The good pages: a chain, so that the crawl must continue after the bad response.
const GOOD: [&str; 6] = ["/good/1", "/good/2", "/good/3", "/good/4", "/good/5", "/good/6"];

/// A site whose start page links a bad path and the first of the good pages.
pub(crate) fn good_site(bad: &str) -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&[bad]) + &good_links());
    add_good_pages(&site);
    site
}

pub(crate) fn good_links() -> String {
    links(&["/good/1"])
}

pub(crate) fn add_good_pages(site: &FakeSite) {
    for (number, path) in GOOD.iter().enumerate() {
        let next = GOOD.get(number + 1).map_or_else(String::new, |next| links(&[*next]));
        site.page(path, format!("<h1>{path}</h1>{next}"));
    }
}

#[track_caller]
pub(crate) fn assert_good_pages(workspace: &Workspace, site: &FakeSite) {
    let listed = workspace.listed();
    for path in GOOD.iter().chain(&["/"]) {
        assert!(listed.contains(&site.url(path)), "{path} is not listed: {listed:?}");
    }
}

/// This number of spaces, compressed.
fn packed_spaces(bytes: usize) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    let block = vec![b' '; 1 << 20];
    for _ in 0..bytes >> 20 {
        packer.write_all(&block).unwrap();
    }
    packer.finish().unwrap()
}
