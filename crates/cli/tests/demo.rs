//! `mapwright demo` from outside: the listed URLs, the excluded ones with their reasons, and the output.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use mapwright_sitemap::{Item, ReadLimits, Reader};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

/// The URLs in the sitemap of the built-in site: pages that answer 200, are indexable and their own canonical.
const LISTED: [&str; 26] = [
    "/",
    "/about",
    "/contact",
    "/da/",
    "/exhibits/",
    "/exhibits/grain-lift",
    "/exhibits/millstones",
    "/exhibits/models",
    "/exhibits/models?page=2",
    "/exhibits/sluice",
    "/exhibits/tide-wheel",
    "/history/",
    "/history/first-charter",
    "/history/flood",
    "/history/restoration",
    "/news/",
    "/news/night-opening",
    "/news/season",
    "/news/volunteers",
    "/recipes/",
    "/recipes/%C3%A6blekage",
    "/recipes/bread",
    "/visit/",
    "/visit/getting-here",
    "/visit/groups",
    "/visit/opening-hours",
];

/// The other URLs, each with the reason why it is excluded.
const LEFT_OUT: [(&str, &str); 15] = [
    ("/about/", "duplicate"),
    ("/exhibits/fire-pump", "http-error"),
    ("/exhibits/tide-wheel/print", "canonical"),
    ("/feed.xml", "media-type"),
    ("/login", "nofollow"),
    ("/mill.png", "resource"),
    ("/old-opening-hours", "redirect"),
    ("/plan.pdf", "media-type"),
    ("/private/rota", "robots"),
    ("/robots.txt", "media-type"),
    ("/sitemap.xml", "media-type"),
    ("/thank-you", "noindex"),
    ("/visit/tide-table", "http-error"),
    ("/webcam", "redirect"),
    ("https://example.com/", "out-of-scope"),
];

/// Runs the command in `folder`, with only the given variables in its environment.
fn run(folder: &Path, words: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mapwright"));
    command.args(words).current_dir(folder).env_clear().envs(variables.iter().copied());
    command.output().expect("the command runs")
}

/// Standard output of a run that ended with 0.
fn done(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn tree(base: &Path, folder: &Path, files: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tree(base, &path, files);
        } else {
            files.insert(path.strip_prefix(base).unwrap().to_string_lossy().into_owned());
        }
    }
}

/// The URLs of the sitemap in `folder`, each with its lastmod.
fn sitemap(folder: &Path) -> BTreeMap<String, Option<String>> {
    let bytes = std::fs::read(folder.join("mapwright-demo/sitemap.xml")).unwrap();
    assert!(bytes.starts_with(b"<?xml "), "a single file is plain XML unless --gzip always is given");
    let items = Reader::new(bytes.as_slice(), &ReadLimits::default());
    items
        .map(|item| match item {
            Item::Page(page) => (page.loc, page.lastmod.map(|date| date.to_string())),
            Item::Sitemap { loc, .. } => panic!("an index that names {loc}"),
        })
        .collect()
}

/// Returns the path and query of a URL of the demo site; other URLs unchanged.
fn short(url: &str) -> String {
    let Some(rest) = url.strip_prefix("http://127.0.0.1:") else { return url.to_owned() };
    rest.find('/').map_or("", |at| &rest[at..]).to_owned()
}

fn assert_listed_exactly(folder: &Path) {
    let listed: BTreeSet<String> = sitemap(folder).keys().map(|url| short(url)).collect();
    assert_eq!(listed, LISTED.iter().map(|path| (*path).to_owned()).collect::<BTreeSet<_>>());
}

#[test]
fn the_demo_lists_exactly_the_pages_that_belong_in_a_sitemap_and_works_again() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let output = run(folder.path(), &["demo"], &[]);
        let output = done(&output);
        assert!(output.contains("sitemap: mapwright-demo/sitemap.xml\n"), "{output}");
        assert!(output.contains(" export excluded --state mapwright-demo-record --format csv\n"), "{output}");
        assert_listed_exactly(folder.path());
    }
}

#[test]
fn every_other_url_is_excluded_for_one_reason_that_the_suggested_command_shows() {
    let folder = tempfile::tempdir().unwrap();
    done(&run(folder.path(), &["demo", "--quiet"], &[]));
    let csv = run(folder.path(), &["export", "excluded", "--state", "mapwright-demo-record", "--format", "csv"], &[]);
    let rows = done(&csv).lines().skip(1).map(|row| {
        let mut fields = row.split(',');
        (short(fields.next().unwrap()), fields.next().unwrap().to_owned())
    });
    let expected = LEFT_OUT.iter().map(|(url, reason)| ((*url).to_owned(), (*reason).to_owned()));
    assert_eq!(rows.collect::<BTreeSet<_>>(), expected.collect::<BTreeSet<_>>());
}

#[test]
fn pages_are_dated_by_what_the_site_says_of_them_and_not_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    done(&run(folder.path(), &["demo"], &[]));
    let dates: BTreeMap<String, String> =
        sitemap(folder.path()).into_iter().filter_map(|(url, date)| Some((short(&url), date?))).collect();
    let date = |path: &str| dates.get(path).map(String::as_str);
    assert_eq!(date("/history/restoration"), Some("2024-05-17"));
    assert_eq!(date("/news/season"), Some("2025-04-02T09:30:00+02:00"));
    assert_eq!(date("/visit/"), Some("2025-04-01T07:15:00Z"));
    assert_eq!(date("/recipes/bread"), None);
}

#[test]
fn neither_proxies_nor_options_of_other_crawls_reach_the_demo_and_it_touches_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere").to_string_lossy().into_owned();
    let variables = [
        ("HOME", elsewhere.as_str()),
        ("MAPWRIGHT_OUT", elsewhere.as_str()),
        ("MAPWRIGHT_STATE", elsewhere.as_str()),
        ("MAPWRIGHT_MAX_URLS", "3"),
        ("MAPWRIGHT_PROXY", "http://127.0.0.1:1"),
        ("HTTP_PROXY", "http://127.0.0.1:1"),
        ("ALL_PROXY", "http://127.0.0.1:1"),
    ];
    done(&run(folder.path(), &["demo"], &variables));
    assert_listed_exactly(folder.path());
    let mut files = BTreeSet::new();
    tree(folder.path(), folder.path(), &mut files);
    let (published, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.starts_with("mapwright-demo/"));
    assert_eq!(published, ["mapwright-demo/sitemap.xml"], "the record is never in the published folder");
    assert!(others.iter().all(|file| file.starts_with("mapwright-demo-record/")), "{others:?}");
}

#[test]
fn for_machines_the_demo_prints_its_summary_alone() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["demo", "--format", "json"], &[]);
    let summary: serde_json::Value = serde_json::from_str(done(&output)).expect("one JSON object");
    assert_eq!(summary["listed"], LISTED.len());
}
