//! Replacement of published sitemaps: atomic for their readers, and only by a result that is good enough (invariant 8).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use mapwright_e2e::fixture::{Files, Fixture, files_in};
use mapwright_e2e::sitemaps::{entries_of, file_name, read};
use mapwright_e2e::{binary, links};
use mapwright_testkit::{FakeSite, Response, ResponseGate};

/// The arguments for ten URLs per file, so that small sites have parts.
const PARTS: [&str; 2] = ["--max-urls-per-file", "10"];

// ---- a successful publication

#[test]
fn no_temporary_file_stays() {
    let (fixture, site) = (Fixture::new(), site_of(35));
    for _ in 0..2 {
        fixture.crawl_well(&site.url("/"), &PARTS);
        let mut expected = vec!["sitemap.xml".to_owned()];
        expected.extend(index_of(&fixture));
        expected.sort();
        assert_eq!(fixture.published().into_keys().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn every_entry_of_the_old_index_resolves_after_the_next_publication() {
    let (fixture, site) = (Fixture::new(), site_of(80));
    let mut ever = Files::new();
    let mut before: Option<BTreeMap<String, Vec<String>>> = None;
    // The site grows at the front, shrinks at the back, and changes in the middle.
    for pages in [0..80, 20..95, 20..60, 0..70, 35..70] {
        set_pages(&site, pages);
        fixture.crawl_well(&site.url("/"), &PARTS);
        let now: BTreeMap<String, Vec<String>> =
            index_of(&fixture).into_iter().map(|name| (name.clone(), urls_in(&fixture, &name))).collect();
        for (name, urls) in before.iter().flatten() {
            assert_eq!(&urls_in(&fixture, name), urls, "{name} of the index before lists something else now");
        }
        // A name is never reused for other bytes.
        let mut files = fixture.published();
        files.remove("sitemap.xml");
        for (name, bytes) in files {
            let known = ever.entry(name.clone()).or_insert_with(|| bytes.clone());
            assert!(*known == bytes, "{name} has been used for two contents");
        }
        before = Some(now);
    }
}

#[test]
fn parts_that_left_the_index_are_removed_a_run_later() {
    let (fixture, site) = (Fixture::new(), site_of(80));
    fixture.crawl_well(&site.url("/"), &PARTS);
    let first = index_of(&fixture);
    set_pages(&site, 0..45);
    fixture.crawl_well(&site.url("/"), &PARTS);
    let second = index_of(&fixture);
    let left: Vec<&String> = first.iter().filter(|name| !second.contains(name)).collect();
    assert!(!left.is_empty(), "no part has left the index: {first:?} {second:?}");
    assert!(left.iter().all(|name| fixture.published().contains_key(*name)), "gone at once: {left:?}");
    fixture.crawl_well(&site.url("/"), &PARTS);
    let third = fixture.published();
    assert!(left.iter().all(|name| !third.contains_key(*name)), "still there: {left:?} in {:?}", third.keys());
    assert_eq!(third.len(), index_of(&fixture).len() + 1);
}

#[test]
fn unchanged_parts_keep_their_names_their_bytes_and_their_lastmods() {
    let (fixture, site) = (Fixture::new(), site_of(80));
    fixture.crawl_well(&site.url("/"), &PARTS);
    let (before, dates) = (fixture.published(), part_dates(&fixture));
    // One page is removed and another added, both in the last part.
    set_pages(&site, 0..79);
    fixture.crawl_well(&site.url("/"), &PARTS);
    let after = fixture.published();
    let unchanged: Vec<String> = index_of(&fixture).into_iter().filter(|name| before.contains_key(name)).collect();
    assert!(unchanged.len() >= 7, "only {unchanged:?} of nine parts kept their names");
    for name in unchanged {
        assert!(after[&name] == before[&name], "{name} has other bytes");
        assert_eq!(part_dates(&fixture)[&name], dates[&name], "{name} was not written again");
    }
}

#[test]
fn nothing_is_written_if_nothing_changed() {
    let (fixture, site) = (Fixture::new(), site_of(35));
    fixture.crawl_well(&site.url("/"), &PARTS);
    let before = fixture.published();
    fixture.crawl_well(&site.url("/"), &PARTS);
    assert!(fixture.published() == before, "{:?}", fixture.published().keys());
}

#[test]
fn the_index_is_written_after_the_parts_it_names() {
    let (fixture, site) = (Fixture::new(), site_of(35));
    fixture.crawl_well(&site.url("/"), &PARTS);
    let written = |name: &str| fixture.out().join(name).metadata().unwrap().modified().unwrap();
    let index = written("sitemap.xml");
    for name in index_of(&fixture) {
        assert!(written(&name) <= index, "{name} is younger than the index");
    }
}

#[test]
fn foreign_files_in_the_directory_are_not_changed() {
    let (fixture, site) = (Fixture::new(), site_of(35));
    fixture.file("out/index.html", "<h1>Mine</h1>");
    fixture.file("out/sitemap-news.xml", "<urlset/>");
    for pages in [0..35, 0..20, 0..20] {
        set_pages(&site, pages);
        fixture.crawl_well(&site.url("/"), &PARTS);
    }
    let files = fixture.published();
    assert_eq!(files["index.html"], b"<h1>Mine</h1>");
    assert_eq!(files["sitemap-news.xml"], b"<urlset/>");
}

// ---- crawls that must not replace the old sitemap

#[test]
fn a_failed_crawl_keeps_the_old_files() {
    let (fixture, site, before) = published_site();
    site.status("/", 500);
    assert_kept(&fixture, &before, 3, &fixture.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--retries", "0"]));
}

#[test]
fn a_server_that_is_gone_keeps_the_old_files() {
    let (fixture, site, before) = published_site();
    let start = site.url("/");
    drop(site);
    assert_kept(&fixture, &before, 3, &fixture.crawl(&start, &["--max-urls-per-file", "10", "--retries", "0"]));
}

#[test]
fn a_crawl_that_robots_txt_forbids_keeps_the_old_files() {
    let (fixture, site, before) = published_site();
    site.robots("User-agent: *\nDisallow: /\n");
    let run = fixture.crawl(&site.url("/"), &PARTS);
    assert_kept(&fixture, &before, 3, &run);
}

#[test]
fn an_empty_crawl_keeps_the_old_files() {
    let (fixture, site, before) = published_site();
    site.page("/", "<meta name=robots content=noindex><p>Nothing to see.</p>");
    assert_kept(&fixture, &before, 5, &fixture.crawl(&site.url("/"), &PARTS));
}

#[test]
fn a_cut_crawl_keeps_the_old_files() {
    let (fixture, site, before) = published_site();
    let gate = ResponseGate::closed();
    site.answer("/page-00020", Response::html("<h1>Held</h1>").held_by(&gate));
    let run = fixture.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--max-time", "2s"]);
    gate.open();
    assert_kept(&fixture, &before, 4, &run);
}

/// "Lists fewer than half of the URLs of the sitemap already there": half of them is enough.
#[test]
fn a_crawl_that_lists_fewer_than_half_keeps_the_old_files() {
    let (fixture, site) = (Fixture::new(), site_of(39));
    fixture.crawl_well(&site.url("/"), &PARTS);
    let before = fixture.published();
    // The start page counts: forty before, nineteen now.
    set_pages(&site, 0..18);
    assert_kept(&fixture, &before, 5, &fixture.crawl(&site.url("/"), &PARTS));
    set_pages(&site, 0..19);
    fixture.crawl_well(&site.url("/"), &PARTS);
    assert_eq!(fixture.listed().len(), 20);
}

#[test]
fn the_shrink_guard_counts_the_sitemap_that_is_there_whoever_wrote_it() {
    let (fixture, site) = (Fixture::new(), site_of(4));
    let urls: String = (0..40).map(|n| format!("<url><loc>{}</loc></url>", site.url(&path_of(n)))).collect();
    let xml = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>");
    fixture.file("out/sitemap.xml", xml);
    let before = fixture.published();
    assert_kept(&fixture, &before, 5, &fixture.crawl(&site.url("/"), &["--replace"]));
}

#[test]
fn the_share_of_the_shrink_guard_can_be_set_and_zero_switches_it_off() {
    for (guard, pages, code) in [("0", 0, 0), ("90", 5, 0), ("90", 2, 5), ("10", 34, 5), ("10", 36, 0)] {
        let (fixture, site) = (Fixture::new(), site_of(39));
        fixture.crawl_well(&site.url("/"), &PARTS);
        let before = fixture.published();
        set_pages(&site, 0..pages);
        let run = fixture.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--shrink-guard", guard]).exited(code);
        match code {
            0 => assert_eq!(fixture.listed().len(), pages + 1, "guard {guard}, {pages} pages"),
            _ => assert_kept(&fixture, &before, code, &run),
        }
    }
}

#[test]
fn an_interrupted_crawl_is_published_if_that_is_allowed() {
    let (fixture, site) = (Fixture::new(), site_of(30));
    let gate = ResponseGate::closed();
    site.answer("/page-00020", Response::html("<h1>Held</h1>").held_by(&gate));
    let run = fixture.crawl(&site.url("/"), &["--max-time", "2s", "--allow-partial"]).exited(4);
    gate.open();
    let listed = fixture.listed();
    assert!(listed.contains(&site.url("/")) && !listed.contains(&site.url("/page-00020")), "{listed:?}");
    assert!(listed.len() > 1, "{}", run.said());
}

#[test]
fn a_crawl_within_the_configured_limits_is_complete() {
    let (fixture, site) = (Fixture::new(), site_of(30));
    let run = fixture.crawl(&site.url("/"), &["--max-urls", "10"]).exited(0);
    assert_eq!(fixture.listed().len(), 10);
    assert!(run.said().contains("21"), "the URLs that were not fetched are not counted: {}", run.said());
    let fixture = Fixture::new();
    fixture.crawl_well(&site.url("/"), &["--max-depth", "0"]);
    assert_eq!(fixture.listed().len(), 1);
}

// ---- a directory that cannot be written

#[test]
fn a_directory_that_cannot_be_created_is_reported_before_the_first_request() {
    let (fixture, site) = (Fixture::new(), site_of(3));
    let file = fixture.file("a-file", "not a directory");
    for out in [format!("{file}/below"), "/proc/mapwright".to_owned(), file] {
        let state = fixture.state().display().to_string();
        let run = fixture.run(&["crawl", &site.url("/"), "--out", &out, "--state", &state]).exited(5);
        assert!(run.only_line().contains(&out), "{}", run.err());
        assert!(site.requests().is_empty(), "the site was requested before the directory was checked");
    }
}

#[test]
fn a_state_inside_the_published_directory_is_refused() {
    let (fixture, site) = (Fixture::new(), site_of(3));
    let out = fixture.out().display().to_string();
    let run = fixture.run(&["crawl", &site.url("/"), "--out", &out, "--state", &out]).exited(2);
    assert!(run.only_line().contains("--state"), "{}", run.err());
    assert!(site.requests().is_empty());
}

/// The disk is a file system in a private mount namespace that has no room for the second sitemap.
#[test]
fn a_disk_that_is_full_while_publishing_keeps_the_old_files() {
    let (fixture, site) = (Fixture::new(), site_of(20));
    let script = r#"
        set -eu
        mkdir -p "$ROOT/disk" "$ROOT/before" "$ROOT/after"
        mount -t tmpfs -o size=64k none "$ROOT/disk"
        crawl() {
            "$MAPWRIGHT" crawl "$START" --out "$ROOT/disk" --state "$ROOT/state" --no-progress --gzip never "$@"
        }
        crawl --max-urls-per-file 10 >"$ROOT/first" 2>&1
        cp "$ROOT"/disk/* "$ROOT/before/"
        dd if=/dev/zero of="$ROOT/disk/ballast" bs=1k count=64 2>/dev/null || true
        touch "$ROOT/ready"
        while [ ! -e "$ROOT/grown" ]; do sleep 0.05; done
        code=0
        crawl --max-urls-per-file 100 >"$ROOT/second" 2>&1 || code=$?
        rm "$ROOT/disk/ballast"
        cp "$ROOT"/disk/* "$ROOT/after/"
        echo "$code" >"$ROOT/code"
    "#;
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).env("ROOT", fixture.path(""));
    command.env("MAPWRIGHT", binary::path()).env("START", site.url("/")).env("HOME", fixture.path("home"));
    let mut child = command.spawn().expect("unshare: install the package util-linux");
    wait_for_file(&fixture, "ready", &mut child);
    set_pages(&site, 0..400);
    fixture.file("grown", "");
    assert!(child.wait().unwrap().success(), "{}", said(&fixture));
    let [before, after] = ["before", "after"].map(|name| files_in(&fixture.path(name)));
    assert!(before.len() == 4 && before == after, "{:?} {:?}\n{}", before.keys(), after.keys(), said(&fixture));
    assert_eq!(std::fs::read_to_string(fixture.path("code")).unwrap().trim(), "5", "{}", said(&fixture));
}

/// With too little room on the record's disk, the crawl stops, can be resumed, and publishes nothing.
#[test]
fn a_disk_that_is_full_under_the_record_cuts_the_crawl() {
    let (fixture, site) = (Fixture::new(), site_of(1000));
    let script = r#"
        set -eu
        mkdir -p "$ROOT/state"
        mount -t tmpfs -o size=600k none "$ROOT/state"
        code=0
        "$MAPWRIGHT" crawl "$START" --out "$ROOT/out" --state "$ROOT/state" --no-progress >"$ROOT/first" 2>&1 || code=$?
        echo "$code" >"$ROOT/code"
    "#;
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).env("ROOT", fixture.path(""));
    command.env("MAPWRIGHT", binary::path()).env("START", site.url("/")).env("HOME", fixture.path("home"));
    assert!(command.status().expect("unshare: install the package util-linux").success());
    assert_eq!(std::fs::read_to_string(fixture.path("code")).unwrap().trim(), "4", "{}", said(&fixture));
    assert!(fixture.published().is_empty(), "{:?}", fixture.published().keys());
    assert!(said(&fixture).contains("state"), "the full disk is not reported: {}", said(&fixture));
}

// ---- helpers

fn said(fixture: &Fixture) -> String {
    ["first", "second"].map(|name| std::fs::read_to_string(fixture.path(name)).unwrap_or_default()).concat()
}

fn wait_for_file(fixture: &Fixture, name: &str, child: &mut std::process::Child) {
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while !fixture.path(name).exists() {
        assert!(child.try_wait().unwrap().is_none(), "the script ended early: {}", said(fixture));
        assert!(std::time::Instant::now() < deadline, "{name} did not come: {}", said(fixture));
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn path_of(number: usize) -> String {
    format!("/page-{number:05}")
}

/// A site with a start page and this number of other pages.
fn site_of(pages: usize) -> FakeSite {
    let site = FakeSite::open();
    set_pages(&site, 0..pages);
    site
}

/// Sets the pages of the site: the start page and exactly these others.
fn set_pages(site: &FakeSite, pages: std::ops::Range<usize>) {
    let paths: Vec<String> = pages.map(path_of).collect();
    site.answer("/page-*", Response::html("<h1>Gone</h1>").status(404));
    for number in 0..500 {
        let path = path_of(number);
        let known = paths.contains(&path);
        site.answer(&path, Response::html(format!("<h1>{path}</h1>")).status(if known { 200 } else { 404 }));
    }
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
}

/// A site of forty pages with its published sitemap, and the files of the sitemap.
fn published_site() -> (Fixture, FakeSite, Files) {
    let (fixture, site) = (Fixture::new(), site_of(39));
    fixture.crawl_well(&site.url("/"), &PARTS);
    let before = fixture.published();
    assert!(before.len() >= 5, "an index and its parts");
    (fixture, site, before)
}

#[track_caller]
fn assert_kept(fixture: &Fixture, before: &Files, code: i32, run: &mapwright_e2e::fixture::Run) {
    assert_eq!(run.done.code, Some(code), "{}", run.said());
    let after = fixture.published();
    assert!(after == *before, "the old files have changed: {:?}, before {:?}", after.keys(), before.keys());
    let said = run.said().to_lowercase();
    let reports = ["left", "kept", "stays", "in place", "not published", "nothing was published", "unchanged"];
    assert!(reports.iter().any(|words| said.contains(words)), "it does not say that the old sitemap stays: {said}");
}

/// The names of the parts that the index gives, in its order.
fn index_of(fixture: &Fixture) -> Vec<String> {
    part_dates(fixture).into_keys().collect()
}

fn part_dates(fixture: &Fixture) -> BTreeMap<String, Option<String>> {
    let entries = entries_of(&read(&fixture.out().join("sitemap.xml")));
    entries.into_iter().map(|part| (file_name(&part.loc).to_owned(), part.lastmod)).collect()
}

fn urls_in(fixture: &Fixture, name: &str) -> Vec<String> {
    entries_of(&read(&fixture.out().join(name))).into_iter().map(|entry| entry.loc).collect()
}
