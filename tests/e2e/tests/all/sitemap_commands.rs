//! `sitemap list` and `sitemap check`, on sitemaps of every form.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use crate::sitemaps::{NAMESPACE, lines, site_of};
use std::collections::BTreeSet;

use mapwright_e2e::Workspace;
use mapwright_testkit::{FakeSite, gzip};

// ---- sitemap list

const URLSET: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
    <url><loc>http://example.com/a?x=1&amp;y=2</loc></url>\n<url><loc>http://example.com/b</loc></url>\n</urlset>\n";
const LISTED: [&str; 2] = ["http://example.com/a?x=1&y=2", "http://example.com/b"];

#[test]
fn list_reads_a_file_a_packed_file_and_standard_input() {
    let workspace = Workspace::new();
    let plain = workspace.file("plain.xml", URLSET);
    let packed = workspace.file("packed.xml.gz", gzip(URLSET.as_bytes()));
    let unnamed = workspace.file("packed-without-a-name", gzip(URLSET.as_bytes()));
    for name in [&plain, &packed, &unnamed] {
        assert_eq!(lines(&workspace.run(&["sitemap", "list", name])), LISTED, "{name}");
    }
    assert_eq!(lines(&workspace.run_with_input(&["sitemap", "list", "-"], URLSET.as_bytes())), LISTED);
    assert_eq!(lines(&workspace.run_with_input(&["sitemap", "list", "-"], &gzip(URLSET.as_bytes()))), LISTED);
}

#[test]
fn list_reads_text_rss_and_atom() {
    let workspace = Workspace::new();
    let text = workspace.file("urls.txt", "\u{feff}http://example.com/a?x=1&y=2\r\nhttp://example.com/b\r\n");
    let rss = workspace.file(
        "feed.rss",
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>x</title><link>http://example.com/</link>\
         <item><link>http://example.com/a?x=1&amp;y=2</link></item><item><link>http://example.com/b</link></item>\
         </channel></rss>",
    );
    let atom = workspace.file(
        "feed.atom",
        "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>x</title>\
         <entry><link href=\"http://example.com/a?x=1&amp;y=2\"/></entry>\
         <entry><link rel=\"alternate\" href=\"http://example.com/b\"/></entry></feed>",
    );
    for name in [&text, &rss, &atom] {
        let lines = lines(&workspace.run(&["sitemap", "list", name]));
        assert!(LISTED.iter().all(|url| lines.iter().any(|line| line == url)), "{name}: {lines:?}");
    }
}

#[test]
fn list_recurses_into_the_parts_of_an_index_on_a_server() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.sitemap_index("/index.xml", &["/one.xml", "/nested.xml"]).sitemap("/one.xml", &["/a"]);
    site.sitemap_index("/nested.xml", &["/two.xml.gz"]);
    let two = URLSET.replace("example.com", &site.address().to_string());
    site.file("/two.xml.gz", "application/gzip", gzip(two.as_bytes()));
    let lines = lines(&workspace.run(&["sitemap", "list", &site.url("/index.xml")]));
    let found: BTreeSet<String> = lines.into_iter().collect();
    assert_eq!(found, site.urls(&["/a", "/a?x=1&y=2", "/b"]).into_iter().collect());
}

#[test]
fn list_reads_what_a_crawl_has_published() {
    let (workspace, site) = (Workspace::new(), site_of(35));
    workspace.crawl_well(&site.url("/"), &["--max-urls-per-file", "10"]);
    let index = workspace.out().join("sitemap.xml").display().to_string();
    let run = workspace.run(&["sitemap", "list", &index]).exited(0);
    let found: BTreeSet<String> = run.stdout.lines().map(str::to_owned).collect();
    assert_eq!(found, workspace.listed());
}

#[test]
fn list_is_lenient() {
    let workspace = Workspace::new();
    let cut = URLSET.split("</urlset>").next().unwrap().replace("http://www.sitemaps.org", "https://www.sitemaps.org");
    let file = workspace.file("cut.xml", cut);
    let run = workspace.run(&["sitemap", "list", &file]).exited(0);
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), LISTED);
}

#[test]
fn list_of_a_missing_file_is_one_error() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    for target in [workspace.path("none.xml").display().to_string(), site.url("/none.xml")] {
        let run = workspace.run(&["sitemap", "list", &target]).exited(2);
        assert!(run.only_line().contains(&target), "{}", run.stderr);
        assert!(run.stdout.is_empty());
    }
}

// ---- sitemap check

#[test]
fn check_finds_nothing_in_a_clean_sitemap_from_any_source() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let urlset = URLSET.replace("example.com", &site.address().to_string());
    site.file("/sitemap.xml", "application/xml", urlset.as_str());
    let plain = workspace.file("plain.xml", &urlset);
    let packed = workspace.file("packed.xml.gz", gzip(urlset.as_bytes()));
    for target in [plain.as_str(), packed.as_str(), &site.url("/sitemap.xml")] {
        let _ = workspace.run(&["sitemap", "check", target]).exited(0);
    }
    let _ = workspace.run_with_input(&["sitemap", "check", "-"], urlset.as_bytes()).exited(0);
}

#[test]
fn check_finds_nothing_in_what_a_crawl_has_published() {
    let (workspace, site) = (Workspace::new(), site_of(35));
    workspace.crawl_well(&site.url("/"), &["--max-urls-per-file", "10", "--priority", "--changefreq"]);
    for name in workspace.published().into_keys() {
        let _ = workspace.run(&["sitemap", "check", &workspace.out().join(name).display().to_string()]).exited(0);
    }
}

#[test]
fn check_reports_each_fault_with_its_line() {
    let workspace = Workspace::new();
    let faulty = URLSET
        .replace("<loc>http://example.com/b</loc>", "<loc>/relative</loc>")
        .replace("y=2</loc>", "y=2</loc>\n<lastmod>yesterday</lastmod>\n<priority>7</priority>");
    let file = workspace.file("faulty.xml", &faulty);
    let run = workspace.run(&["sitemap", "check", &file]).exited(1);
    let line_of = |text: &str| faulty.lines().position(|line| line.contains(text)).unwrap() + 1;
    for (what, line) in
        [("lastmod", line_of("yesterday")), ("priority", line_of("7</priority")), ("absolute", line_of("/relative"))]
    {
        let reported = run.stdout.lines().find(|reported| reported.contains(what));
        let reported = reported.unwrap_or_else(|| panic!("no fault reports of {what}: {}", run.stdout));
        assert!(reported.contains(&line.to_string()), "{what} is in line {line}: {reported}");
    }
}

#[test]
fn check_finds_the_common_faults() {
    let faults = [
        ("the namespace with https", URLSET.replace("http://www.site", "https://www.site")),
        ("no namespace", URLSET.replace(" xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"", "")),
        ("not closed", URLSET.replace("</urlset>", "")),
        ("a raw ampersand", URLSET.replace("&amp;", "&")),
        ("an entry without loc", URLSET.replace("<loc>http://example.com/b</loc>", "")),
        ("another scheme", URLSET.replace("http://example.com/b", "ftp://example.com/b")),
        ("a loc of 2,048 characters", URLSET.replace("com/b", &format!("com/{}", "b".repeat(2_048 - 19)))),
        ("a changefreq of no kind", URLSET.replace("/b</loc>", "/b</loc><changefreq>often</changefreq>")),
        ("no sitemap", "<html><body>Not found</body></html>".to_owned()),
    ];
    let workspace = Workspace::new();
    for (name, text) in faults {
        let run = workspace.run_with_input(&["sitemap", "check", "-"], text.as_bytes());
        assert_eq!(run.code, Some(1), "{name}: {}", run.said());
        assert!(!run.stdout.trim().is_empty(), "{name}: no fault is reported");
    }
}

/// "All URLs listed in the Sitemap must use the same protocol … and reside on the same host as the Sitemap."
#[test]
fn check_finds_urls_of_another_host_than_the_sitemaps_own() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.file("/sitemap.xml", "application/xml", URLSET.replace("http://example.com/b", &site.url("/b")));
    let run = workspace.run(&["sitemap", "check", &site.url("/sitemap.xml")]).exited(1);
    assert!(run.stdout.contains("host"), "{}", run.stdout);
    assert!(!run.stdout.contains(&site.url("/b")), "{}", run.stdout);
}

#[test]
fn check_counts_fifty_thousand_entries_and_no_more() {
    let workspace = Workspace::new();
    for (entries, code) in [(50_000, 0), (50_001, 1)] {
        let urls: String = (0..entries).map(|n| format!("<url><loc>http://example.com/{n}</loc></url>\n")).collect();
        let text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset {NAMESPACE}>\n{urls}</urlset>\n");
        let run = workspace.run_with_input(&["sitemap", "check", "-"], text.as_bytes());
        assert_eq!(run.code, Some(code), "{entries} entries: {}", run.said());
    }
}

#[test]
fn check_of_a_missing_file_exits_with_2() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let _ = workspace.run(&["sitemap", "check", &workspace.path("none.xml").display().to_string()]).exited(2);
    let _ = workspace.run(&["sitemap", "check", &site.url("/none.xml")]).exited(2);
}

#[test]
fn check_judges_the_parts_only_with_follow() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.sitemap_index("/index.xml", &["/part.xml"]).file("/part.xml", "application/xml", "<urlset><url>");
    let _ = workspace.run(&["sitemap", "check", &site.url("/index.xml")]).exited(0);
    assert_eq!(site.hits("/part.xml"), 0);
    let _ = workspace.run(&["sitemap", "check", "--follow", &site.url("/index.xml")]).exited(1);
    assert_eq!(site.hits("/part.xml"), 1);
}

#[test]
fn check_prints_json() {
    let workspace = Workspace::new();
    let run = workspace.run_with_input(&["sitemap", "check", "--format", "json", "-"], b"<urlset/>").exited(1);
    assert!(run.summary().is_object() || run.summary().is_array());
}
