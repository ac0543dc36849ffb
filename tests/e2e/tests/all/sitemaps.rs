//! The sitemaps that a crawl writes (sitemaps.org, protocol 0.9).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::BTreeSet;
use std::path::Path;

use mapwright_e2e::schema::{assert_schema, assert_valid, part_files};
use mapwright_e2e::sitemaps::{entries_of, file_name, read};
use mapwright_e2e::{CommandOutput, Crawl, Workspace, links};
use mapwright_testkit::{FakeSite, Response, assert_listed};

/// "You must … Specify the namespace": exactly that of the protocol, with `http`.
pub(crate) const NAMESPACE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

// ---- the written files

#[test]
fn a_small_site_is_one_valid_urlset_named_sitemap_xml() {
    let (workspace, site) = (Workspace::new(), site_of(12));
    workspace.crawl_well(&site.url("/"), &[]);
    assert_eq!(workspace.published().keys().collect::<Vec<_>>(), ["sitemap.xml"]);
    let text = read(&workspace.out().join("sitemap.xml"));
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"), "{text}");
    assert!(text.contains(NAMESPACE), "{text}");
    assert_valid(&workspace.out());
    assert_eq!(workspace.listed().len(), 13);
}

#[test]
fn parts_have_at_most_the_configured_number_of_urls_and_are_well_filled() {
    // The start page and n others, ten per file. With more than one file, parts leave some room to grow.
    for (others, parts) in [(9, 1), (10, 2), (17, 2), (20, 3), (34, 4), (99, 11)] {
        let (workspace, site) = (Workspace::new(), site_of(others));
        workspace.crawl_well(&site.url("/"), &["--max-urls-per-file", "10"]);
        assert_eq!(workspace.listed().len(), others + 1);
        assert_valid(&workspace.out());
        if parts == 1 {
            assert!(read(&workspace.out().join("sitemap.xml")).contains("<urlset"));
            continue;
        }
        let sizes: Vec<usize> = part_files(&workspace.out()).iter().map(|file| entries_of(&read(file)).len()).collect();
        assert_eq!(sizes.len(), parts, "{sizes:?}");
        assert!(sizes.iter().all(|&urls| (1..=10).contains(&urls)), "{sizes:?}");
    }
}

#[test]
fn parts_have_at_most_the_configured_bytes_including_the_closing_tag() {
    let site = site_of(300);
    for limit in [4_096, 4_097, 4_150, 5_000, 9_999] {
        let workspace = Workspace::new();
        workspace.crawl_well(&site.url("/"), &["--max-bytes-per-file", &limit.to_string(), "--no-lastmod"]);
        assert_eq!(workspace.listed().len(), 301);
        let texts: Vec<String> = part_files(&workspace.out()).iter().map(|file| read(file)).collect();
        for text in &texts {
            assert!(text.len() <= limit, "{} bytes where {limit} are allowed", text.len());
            assert!(text.trim_end().ends_with("</urlset>"));
        }
        for pair in texts.windows(2) {
            assert!(pair[0].len() * 100 >= limit * 65, "{} bytes of {limit} filled, and more follows", pair[0].len());
        }
    }
}

/// At the exact size limit there is one file; with one byte less there are two.
#[test]
fn a_file_may_be_filled_to_the_last_byte() {
    let site = site_of(100);
    let workspace = Workspace::new();
    workspace.crawl_well(&site.url("/"), &["--no-lastmod"]);
    let size = read(&workspace.out().join("sitemap.xml")).len();
    assert!(size > 4_096, "{size}");
    for (limit, root) in [(size, "<urlset"), (size - 1, "<sitemapindex")] {
        let workspace = Workspace::new();
        workspace.crawl_well(&site.url("/"), &["--no-lastmod", "--max-bytes-per-file", &limit.to_string()]);
        let text = read(&workspace.out().join("sitemap.xml"));
        assert!(text.contains(root), "with {limit} bytes allowed for {size}: {text}");
    }
}

#[test]
fn parts_are_compressed_and_equal_from_run_to_run() {
    let site = site_of(35);
    let runs = [Workspace::new(), Workspace::new()].map(|workspace| {
        workspace.crawl_well(&site.url("/"), &["--max-urls-per-file", "10"]);
        parts(&workspace)
    });
    assert_eq!(runs[0].len(), 4);
    for (name, bytes) in &runs[0] {
        assert!(name.ends_with(".xml.gz") && bytes.starts_with(&[0x1f, 0x8b]), "{name}");
        // RFC 1952, 2.3.1: MTIME 0 means that no time stamp is available.
        assert_eq!(bytes[4..8], [0; 4], "{name} carries a time stamp");
    }
    assert!(runs[0] == runs[1], "the parts of two runs differ");
}

#[test]
fn the_index_names_the_existing_files() {
    let (workspace, site) = (Workspace::new(), site_of(35));
    workspace.crawl_well(&site.url("/"), &["--max-urls-per-file", "10"]);
    let text = read(&workspace.out().join("sitemap.xml"));
    assert!(text.contains("<sitemapindex") && text.contains(NAMESPACE), "{text}");
    let named: BTreeSet<String> = entries_of(&text).iter().map(|part| file_name(&part.loc).to_owned()).collect();
    let mut there: BTreeSet<String> = workspace.published().into_keys().collect();
    assert!(there.remove("sitemap.xml"));
    assert_eq!(named, there);
    for part in entries_of(&text) {
        assert!(part.loc.starts_with(&site.url("/sitemap-")) && part.loc.ends_with(".xml.gz"), "{}", part.loc);
        assert!(part.lastmod.is_some(), "{} has no lastmod", part.loc);
    }
}

/// "All … data values … must be … entity-escaped": ampersand, single quote, double quote, less, greater.
#[test]
fn the_five_characters_are_escaped() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let path = "/it's?a=1&b=2";
    site.page("/", "<a href=\"/it's?a=1&amp;b=2\">x</a> <a href='/q\"<x>'>y</a>");
    site.page(path, "<h1>One</h1>").page("/q%22%3Cx%3E", "<h1>Two</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", path, "/q%22%3Cx%3E"]));
    let text = read(&workspace.out().join("sitemap.xml"));
    assert!(text.contains("/it&apos;s?a=1&amp;b=2</loc>"), "{text}");
    assert_valid(&workspace.out());
}

#[test]
fn urls_are_ascii_and_sorted() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths = ["/b", "/a/z", "/a", "/a?x", "/Z", "/%C3%A4", "/~user", "/a-b", "/10", "/9"];
    site.page("/", format!("{}<a href='/ä'>ä</a>", links(&paths[..5])) + &links(&paths[6..]));
    for path in paths {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    workspace.crawl_well(&site.url("/"), &["--max-urls-per-file", "4"]);
    let order = mapwright_testkit::read_listed(&workspace.out()).unwrap();
    let mut sorted = order.clone();
    sorted.sort();
    assert_eq!(order, sorted);
    assert_eq!(order.len(), 11);
    assert!(order.iter().all(|url| url.is_ascii()));
}

#[test]
fn the_text_format_is_one_url_a_line() {
    let (workspace, site) = (Workspace::new(), site_of(7));
    workspace.crawl_well(&site.url("/"), &["--sitemap-format", "text"]);
    let files = workspace.published();
    assert_eq!(files.len(), 1, "{:?}", files.keys());
    let text = String::from_utf8(files.into_values().next().unwrap()).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut expected: Vec<String> = site.urls(&["/"]);
    expected.extend((0..7).map(|n| site.url(&path_of(n))));
    expected.sort();
    assert_eq!(lines, expected);
}

#[test]
fn gzip_always_compresses_the_single_file_too_and_never_not_even_parts() {
    let site = site_of(12);
    let workspace = Workspace::new();
    workspace.crawl_well(&site.url("/"), &["--gzip", "always"]);
    let files = workspace.published();
    let urlset = files.values().find(|bytes| bytes.starts_with(&[0x1f, 0x8b]));
    assert!(urlset.is_some(), "nothing is compressed: {:?}", files.keys());
    assert_eq!(workspace.listed().len(), 13);
    let workspace = Workspace::new();
    workspace.crawl_well(&site.url("/"), &["--gzip", "never", "--max-urls-per-file", "5"]);
    let files = workspace.published();
    assert_eq!(files.len(), 4, "{:?}", files.keys());
    assert!(files.iter().all(|(name, bytes)| name.ends_with(".xml") && bytes.starts_with(b"<?xml")));
    assert_valid(&workspace.out());
    assert_eq!(workspace.listed().len(), 13);
}

/// "A Sitemap file located at http://example.com/catalog/sitemap.xml can include any URLs starting with
/// http://example.com/catalog/".
#[test]
fn the_base_of_the_parts_is_the_root_of_the_host_or_the_configured_url() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/docs/guide/index.html", links(&["a", "b", "c/d", "../other"]));
    for path in ["/docs/guide/a", "/docs/guide/b", "/docs/guide/c/d", "/docs/other"] {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    let start = site.url("/docs/guide/index.html");
    workspace.crawl_well(&start, &["--max-urls-per-file", "2"]);
    assert_eq!(workspace.listed().len(), 4);
    assert_parts_below(&workspace.out(), &site.url("/"));
    let workspace = Workspace::new();
    workspace.crawl_well(&start, &["--max-urls-per-file", "2", "--sitemap-base", "https://cdn.example.com/maps/"]);
    assert_parts_below(&workspace.out(), "https://cdn.example.com/maps/");
}

#[test]
fn changefreq_and_priority_are_written_on_request_only_and_valid() {
    let (workspace, site) = (Workspace::new(), site_of(6));
    workspace.crawl_well(&site.url("/"), &[]);
    let text = read(&workspace.out().join("sitemap.xml"));
    assert!(!text.contains("<changefreq>") && !text.contains("<priority>"), "{text}");
    workspace.crawl_well(&site.url("/"), &["--priority", "--changefreq"]);
    assert_valid(&workspace.out());
    let entries = entries_of(&read(&workspace.out().join("sitemap.xml")));
    let priority = |url: &str| entries.iter().find(|entry| entry.loc == url).and_then(|entry| entry.priority.clone());
    let home: f64 = priority(&site.url("/")).unwrap().parse().unwrap();
    let page: f64 = priority(&site.url(&path_of(0))).unwrap().parse().unwrap();
    assert!((0.0..=1.0).contains(&page) && page < home && home <= 1.0, "{page} {home}");
}

#[test]
fn a_sitemap_on_standard_output_is_the_sitemap_and_nothing_else() {
    let (workspace, site) = (Workspace::new(), site_of(5));
    let state = workspace.state().display().to_string();
    let run = workspace.run(&["crawl", &site.url("/"), "--out", "-", "--state", &state]).exited(0);
    let file = workspace.file("printed.xml", &run.stdout);
    assert_schema(Path::new(&file), "sitemap.xsd");
    assert_eq!(entries_of(&run.stdout).len(), 6);
    assert!(run.stderr.contains("listed"), "the summary is missing on standard error: {}", run.stderr);
}

#[test]
fn lastmod_is_never_the_time_of_the_crawl() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<a href=/dated>Dated</a>");
    let dated = Response::html("<h1>Dated</h1>").header("Last-Modified", "Tue, 05 Mar 2024 10:20:30 GMT");
    site.answer("/dated", dated);
    workspace.crawl_well(&site.url("/"), &[]);
    let entries = entries_of(&read(&workspace.out().join("sitemap.xml")));
    let lastmod = |url: String| entries.iter().find(|entry| entry.loc == url).unwrap().lastmod.clone();
    assert_eq!(lastmod(site.url("/")), None);
    assert!(lastmod(site.url("/dated")).is_some_and(|date| date.starts_with("2024-03-05")));
    assert_valid(&workspace.out());
}

// ---- several hosts

#[test]
fn with_domain_scope_a_file_lists_one_host_and_one_index_lists_the_files() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let port = site.port();
    let hosts = ["shop.test", "blog.shop.test", "www.shop.test"];
    let home: String = hosts.iter().map(|host| format!("<a href=http://{host}:{port}/>x</a>")).collect();
    for host in hosts {
        site.page(&format!("//{host}/"), format!("<h1>{host}</h1>{home}<a href=/a>A</a>"));
        site.page(&format!("//{host}/a"), format!("<h1>A of {host}</h1>"));
    }
    let crawl = Crawl::from(&[format!("http://www.shop.test:{port}/")]).hosts(&site, &hosts).within(&workspace);
    let crawled = crawl.args(["--scope", "domain"]).run().exited(0);
    let expected: Vec<String> =
        hosts.iter().flat_map(|host| ["/", "/a"].map(|path| format!("http://{host}:{port}{path}"))).collect();
    crawled.assert_lists(&expected);
    let index = read(&workspace.out().join("sitemap.xml"));
    assert!(index.contains("<sitemapindex"), "{index}");
    for host in hosts {
        let names: Vec<String> = workspace.published().into_keys().filter(|name| belongs_to(name, host)).collect();
        let [name] = names.as_slice() else { panic!("{host}: {names:?} of {:?}", workspace.published().keys()) };
        for entry in entries_of(&read(&workspace.out().join(name))) {
            assert!(entry.loc.starts_with(&format!("http://{host}:{port}/")), "{name} lists {}", entry.loc);
        }
    }
    assert_valid(&workspace.out());
    // Cross-submission: each host's robots.txt must name the sitemap that lists the host.
    let reported = crawled.summary()["robots_lines"].to_string();
    for host in hosts {
        assert!(reported.contains(&format!("http://{host}:{port}")), "{reported}");
    }
    assert_eq!(reported.matches("Sitemap: http").count(), hosts.len(), "{reported}");
}

/// `sitemap-HOST-N.xml.gz`
fn belongs_to(name: &str, host: &str) -> bool {
    let number = name.strip_prefix(&format!("sitemap-{host}")).and_then(|rest| rest.strip_suffix(".xml.gz"));
    number.is_some_and(|rest| {
        rest.rsplit('-').next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    })
}

// ---- helpers

/// A site with a start page and this number of other pages.
pub(crate) fn site_of(others: usize) -> FakeSite {
    let site = FakeSite::open();
    let paths: Vec<String> = (0..others).map(path_of).collect();
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    for path in &paths {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    site
}

/// The path of a page. All paths have the same length, and therefore all entries too.
fn path_of(number: usize) -> String {
    format!("/page-{number:05}")
}

/// The published files except the entry point.
fn parts(workspace: &Workspace) -> mapwright_e2e::files::Files {
    let mut files = workspace.published();
    files.remove("sitemap.xml");
    files
}

#[track_caller]
fn assert_parts_below(out: &Path, base: &str) {
    let index = entries_of(&read(&out.join("sitemap.xml")));
    assert!(index.len() > 1);
    for part in index {
        let name = part.loc.strip_prefix(base);
        assert!(name.is_some_and(|name| !name.contains('/')), "{} does not lie in {base}", part.loc);
    }
}

pub(crate) fn lines(run: &CommandOutput) -> Vec<String> {
    assert_eq!(run.code, Some(0), "{}", run.said());
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn the_text_summary_shows_the_line_for_robots_txt() {
    let (workspace, site) = (Workspace::new(), site_of(2));
    let run = workspace.plan(&site.url("/"), &[]).run().exited(0);
    assert!(run.done.said().contains(&format!("Sitemap: {}", site.url("/sitemap.xml"))), "{}", run.done.said());
}
