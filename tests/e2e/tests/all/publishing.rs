//! Replacement of published sitemaps: atomic for their readers, and only by a result that is good enough (invariant 8).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use mapwright_e2e::files::{Files, files_in};
use mapwright_e2e::sitemaps::{entries_of, file_name, read};
use mapwright_e2e::{Workspace, binary, links};
use mapwright_testkit::{FakeSite, Response, ResponseGate};

/// The arguments for ten URLs per file, so that small sites have parts.
const PARTS: [&str; 2] = ["--max-urls-per-file", "10"];

// ---- a successful publication

#[test]
fn no_temporary_file_stays() {
    let (workspace, site) = (Workspace::new(), site_of(35));
    for _ in 0..2 {
        workspace.crawl_well(&site.url("/"), &PARTS);
        let mut expected = vec!["sitemap.xml".to_owned()];
        expected.extend(index_of(&workspace));
        expected.sort();
        assert_eq!(workspace.published().into_keys().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn every_entry_of_the_old_index_resolves_after_the_next_publication() {
    let (workspace, site) = (Workspace::new(), site_of(80));
    let mut ever = Files::new();
    let mut before: Option<BTreeMap<String, Vec<String>>> = None;
    // The site grows at the front, shrinks at the back, and changes in the middle.
    for pages in [0..80, 20..95, 20..60, 0..70, 35..70] {
        set_pages(&site, pages);
        workspace.crawl_well(&site.url("/"), &PARTS);
        let now: BTreeMap<String, Vec<String>> =
            index_of(&workspace).into_iter().map(|name| (name.clone(), urls_in(&workspace, &name))).collect();
        for (name, urls) in before.iter().flatten() {
            assert_eq!(&urls_in(&workspace, name), urls, "{name} of the index before lists something else now");
        }
        // A name is never reused for other bytes.
        let mut files = workspace.published();
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
    let (workspace, site) = (Workspace::new(), site_of(80));
    workspace.crawl_well(&site.url("/"), &PARTS);
    let first = index_of(&workspace);
    set_pages(&site, 0..45);
    workspace.crawl_well(&site.url("/"), &PARTS);
    let second = index_of(&workspace);
    let left: Vec<&String> = first.iter().filter(|name| !second.contains(name)).collect();
    assert!(!left.is_empty(), "no part has left the index: {first:?} {second:?}");
    assert!(left.iter().all(|name| workspace.published().contains_key(*name)), "gone at once: {left:?}");
    workspace.crawl_well(&site.url("/"), &PARTS);
    let third = workspace.published();
    assert!(left.iter().all(|name| !third.contains_key(*name)), "still there: {left:?} in {:?}", third.keys());
    assert_eq!(third.len(), index_of(&workspace).len() + 1);
}

#[test]
fn unchanged_parts_keep_their_names_their_bytes_and_their_lastmods() {
    let (workspace, site) = (Workspace::new(), site_of(80));
    workspace.crawl_well(&site.url("/"), &PARTS);
    let (before, dates) = (workspace.published(), part_dates(&workspace));
    // One page is removed and another added, both in the last part.
    set_pages(&site, 0..79);
    workspace.crawl_well(&site.url("/"), &PARTS);
    let after = workspace.published();
    let unchanged: Vec<String> = index_of(&workspace).into_iter().filter(|name| before.contains_key(name)).collect();
    assert!(unchanged.len() >= 7, "only {unchanged:?} of nine parts kept their names");
    for name in unchanged {
        assert!(after[&name] == before[&name], "{name} has other bytes");
        assert_eq!(part_dates(&workspace)[&name], dates[&name], "{name} was not written again");
    }
}

#[test]
fn nothing_is_written_if_nothing_changed() {
    let (workspace, site) = (Workspace::new(), site_of(35));
    workspace.crawl_well(&site.url("/"), &PARTS);
    let before = workspace.published();
    workspace.crawl_well(&site.url("/"), &PARTS);
    assert!(workspace.published() == before, "{:?}", workspace.published().keys());
}

#[test]
fn the_index_is_written_after_the_parts_it_names() {
    let (workspace, site) = (Workspace::new(), site_of(35));
    workspace.crawl_well(&site.url("/"), &PARTS);
    let written = |name: &str| workspace.out().join(name).metadata().unwrap().modified().unwrap();
    let index = written("sitemap.xml");
    for name in index_of(&workspace) {
        assert!(written(&name) <= index, "{name} is younger than the index");
    }
}

#[test]
fn foreign_files_in_the_directory_are_not_changed() {
    let (workspace, site) = (Workspace::new(), site_of(35));
    workspace.file("out/index.html", "<h1>Mine</h1>");
    workspace.file("out/sitemap-news.xml", "<urlset/>");
    for pages in [0..35, 0..20, 0..20] {
        set_pages(&site, pages);
        workspace.crawl_well(&site.url("/"), &PARTS);
    }
    let files = workspace.published();
    assert_eq!(files["index.html"], b"<h1>Mine</h1>");
    assert_eq!(files["sitemap-news.xml"], b"<urlset/>");
}

// ---- crawls that must not replace the old sitemap

#[test]
fn a_failed_crawl_keeps_the_old_files() {
    let (workspace, site, before) = published_site();
    site.status("/", 500);
    assert_kept(
        &workspace,
        &before,
        3,
        &workspace.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--retries", "0"]),
    );
}

#[test]
fn a_server_that_is_gone_keeps_the_old_files() {
    let (workspace, site, before) = published_site();
    let start = site.url("/");
    drop(site);
    assert_kept(&workspace, &before, 3, &workspace.crawl(&start, &["--max-urls-per-file", "10", "--retries", "0"]));
}

#[test]
fn a_crawl_that_robots_txt_forbids_keeps_the_old_files() {
    let (workspace, site, before) = published_site();
    site.robots("User-agent: *\nDisallow: /\n");
    let run = workspace.crawl(&site.url("/"), &PARTS);
    assert_kept(&workspace, &before, 3, &run);
}

#[test]
fn an_empty_crawl_keeps_the_old_files() {
    let (workspace, site, before) = published_site();
    site.page("/", "<meta name=robots content=noindex><p>Nothing to see.</p>");
    assert_kept(&workspace, &before, 5, &workspace.crawl(&site.url("/"), &PARTS));
}

#[test]
fn a_cut_crawl_keeps_the_old_files() {
    let (workspace, site, before) = published_site();
    let gate = ResponseGate::closed();
    site.answer("/page-00020", Response::html("<h1>Held</h1>").held_by(&gate));
    let run = workspace.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--max-time", "2s"]);
    gate.open();
    assert_kept(&workspace, &before, 4, &run);
}

/// "Lists fewer than half of the URLs of the sitemap already there": half of them is enough.
#[test]
fn a_crawl_that_lists_fewer_than_half_keeps_the_old_files() {
    let (workspace, site) = (Workspace::new(), site_of(39));
    workspace.crawl_well(&site.url("/"), &PARTS);
    let before = workspace.published();
    // The start page counts: forty before, nineteen now.
    set_pages(&site, 0..18);
    assert_kept(&workspace, &before, 5, &workspace.crawl(&site.url("/"), &PARTS));
    set_pages(&site, 0..19);
    workspace.crawl_well(&site.url("/"), &PARTS);
    assert_eq!(workspace.listed().len(), 20);
}

#[test]
fn the_shrink_guard_counts_the_sitemap_that_is_there_whoever_wrote_it() {
    let (workspace, site) = (Workspace::new(), site_of(4));
    let urls: String = (0..40).map(|n| format!("<url><loc>{}</loc></url>", site.url(&path_of(n)))).collect();
    let xml = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>");
    workspace.file("out/sitemap.xml", xml);
    let before = workspace.published();
    assert_kept(&workspace, &before, 5, &workspace.crawl(&site.url("/"), &["--replace"]));
}

#[test]
fn the_share_of_the_shrink_guard_can_be_set_and_zero_switches_it_off() {
    for (guard, pages, code) in [("0", 0, 0), ("90", 5, 0), ("90", 2, 5), ("10", 34, 5), ("10", 36, 0)] {
        let (workspace, site) = (Workspace::new(), site_of(39));
        workspace.crawl_well(&site.url("/"), &PARTS);
        let before = workspace.published();
        set_pages(&site, 0..pages);
        let run = workspace.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--shrink-guard", guard]).exited(code);
        match code {
            0 => assert_eq!(workspace.listed().len(), pages + 1, "guard {guard}, {pages} pages"),
            _ => assert_kept(&workspace, &before, code, &run),
        }
    }
}

#[test]
fn an_interrupted_crawl_is_published_if_that_is_allowed() {
    let (workspace, site) = (Workspace::new(), site_of(30));
    let gate = ResponseGate::closed();
    site.answer("/page-00020", Response::html("<h1>Held</h1>").held_by(&gate));
    let run = workspace.crawl(&site.url("/"), &["--max-time", "2s", "--allow-partial"]).exited(4);
    gate.open();
    let listed = workspace.listed();
    assert!(listed.contains(&site.url("/")) && !listed.contains(&site.url("/page-00020")), "{listed:?}");
    assert!(listed.len() > 1, "{}", run.said());
}

#[test]
fn a_crawl_within_the_configured_limits_is_complete() {
    let (workspace, site) = (Workspace::new(), site_of(30));
    let run = workspace.crawl(&site.url("/"), &["--max-urls", "10"]).exited(0);
    assert_eq!(workspace.listed().len(), 10);
    assert!(run.said().contains("21"), "the URLs that were not fetched are not counted: {}", run.said());
    let workspace = Workspace::new();
    workspace.crawl_well(&site.url("/"), &["--max-depth", "0"]);
    assert_eq!(workspace.listed().len(), 1);
}

// ---- a directory that cannot be written

#[test]
fn a_directory_that_cannot_be_created_is_reported_before_the_first_request() {
    let (workspace, site) = (Workspace::new(), site_of(3));
    let file = workspace.file("a-file", "not a directory");
    for out in [format!("{file}/below"), "/proc/mapwright".to_owned(), file] {
        let state = workspace.state().display().to_string();
        let run = workspace.run(&["crawl", &site.url("/"), "--out", &out, "--state", &state]).exited(5);
        assert!(run.only_line().contains(&out), "{}", run.stderr);
        assert!(site.requests().is_empty(), "the site was requested before the directory was checked");
    }
}

#[test]
fn a_state_inside_the_published_directory_is_refused() {
    let (workspace, site) = (Workspace::new(), site_of(3));
    let out = workspace.out().display().to_string();
    let run = workspace.run(&["crawl", &site.url("/"), "--out", &out, "--state", &out]).exited(2);
    assert!(run.only_line().contains("--state"), "{}", run.stderr);
    assert!(site.requests().is_empty());
}

/// The disk is a file system in a private mount namespace that has no room for the second sitemap.
#[test]
fn a_disk_that_is_full_while_publishing_keeps_the_old_files() {
    let (workspace, site) = (Workspace::new(), site_of(20));
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
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).env("ROOT", workspace.path(""));
    command.env("MAPWRIGHT", binary::path()).env("START", site.url("/")).env("HOME", workspace.path("home"));
    let mut child = command.spawn().expect("unshare: install the package util-linux");
    wait_for_file(&workspace, "ready", &mut child);
    set_pages(&site, 0..400);
    workspace.file("grown", "");
    assert!(child.wait().unwrap().success(), "{}", said(&workspace));
    let [before, after] = ["before", "after"].map(|name| files_in(&workspace.path(name)));
    assert!(before.len() == 4 && before == after, "{:?} {:?}\n{}", before.keys(), after.keys(), said(&workspace));
    assert_eq!(std::fs::read_to_string(workspace.path("code")).unwrap().trim(), "5", "{}", said(&workspace));
}

/// With too little room on the record's disk, the crawl stops, can be resumed, and publishes nothing.
#[test]
fn a_disk_that_is_full_under_the_record_cuts_the_crawl() {
    let (workspace, site) = (Workspace::new(), site_of(1000));
    let script = r#"
        set -eu
        mkdir -p "$ROOT/state"
        mount -t tmpfs -o size=600k none "$ROOT/state"
        code=0
        "$MAPWRIGHT" crawl "$START" --out "$ROOT/out" --state "$ROOT/state" --no-progress >"$ROOT/first" 2>&1 || code=$?
        echo "$code" >"$ROOT/code"
    "#;
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).env("ROOT", workspace.path(""));
    command.env("MAPWRIGHT", binary::path()).env("START", site.url("/")).env("HOME", workspace.path("home"));
    assert!(command.status().expect("unshare: install the package util-linux").success());
    assert_eq!(std::fs::read_to_string(workspace.path("code")).unwrap().trim(), "4", "{}", said(&workspace));
    assert!(workspace.published().is_empty(), "{:?}", workspace.published().keys());
    assert!(said(&workspace).contains("state"), "the full disk is not reported: {}", said(&workspace));
}

// ---- helpers

fn said(workspace: &Workspace) -> String {
    ["first", "second"].map(|name| std::fs::read_to_string(workspace.path(name)).unwrap_or_default()).concat()
}

fn wait_for_file(workspace: &Workspace, name: &str, child: &mut std::process::Child) {
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while !workspace.path(name).exists() {
        assert!(child.try_wait().unwrap().is_none(), "the script ended early: {}", said(workspace));
        assert!(std::time::Instant::now() < deadline, "{name} did not come: {}", said(workspace));
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
fn published_site() -> (Workspace, FakeSite, Files) {
    let (workspace, site) = (Workspace::new(), site_of(39));
    workspace.crawl_well(&site.url("/"), &PARTS);
    let before = workspace.published();
    assert!(before.len() >= 5, "an index and its parts");
    (workspace, site, before)
}

#[track_caller]
fn assert_kept(workspace: &Workspace, before: &Files, code: i32, run: &mapwright_e2e::CommandOutput) {
    assert_eq!(run.code, Some(code), "{}", run.said());
    let after = workspace.published();
    assert!(after == *before, "the old files have changed: {:?}, before {:?}", after.keys(), before.keys());
    let said = run.said().to_lowercase();
    let reports = ["left", "kept", "stays", "in place", "not published", "nothing was published", "unchanged"];
    assert!(reports.iter().any(|words| said.contains(words)), "it does not say that the old sitemap stays: {said}");
}

/// The names of the parts that the index gives, in its order.
fn index_of(workspace: &Workspace) -> Vec<String> {
    part_dates(workspace).into_keys().collect()
}

fn part_dates(workspace: &Workspace) -> BTreeMap<String, Option<String>> {
    let entries = entries_of(&read(&workspace.out().join("sitemap.xml")));
    entries.into_iter().map(|part| (file_name(&part.loc).to_owned(), part.lastmod)).collect()
}

fn urls_in(workspace: &Workspace, name: &str) -> Vec<String> {
    entries_of(&read(&workspace.out().join(name))).into_iter().map(|entry| entry.loc).collect()
}
