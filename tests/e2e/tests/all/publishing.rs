//! How sitemaps replace one another: atomically for their readers, and only by what is worth it (invariant 8).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use mapwright_e2e::desk::{Desk, Files, files_in};
use mapwright_e2e::sitemaps::{entries_of, file_name, read};
use mapwright_e2e::{binary, links};
use mapwright_testkit::{Gate, Response, Site};

/// Ten URLs to a file, so that small sites have parts.
const PARTS: [&str; 2] = ["--max-urls-per-file", "10"];

// ---- a successful publication

#[test]
fn no_temporary_file_stays() {
    let (desk, site) = (Desk::new(), site_of(35));
    for _ in 0..2 {
        desk.crawl_well(&site.url("/"), &PARTS);
        let mut expected = vec!["sitemap.xml".to_owned()];
        expected.extend(index_of(&desk));
        expected.sort();
        assert_eq!(desk.published().into_keys().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn every_entry_of_the_old_index_resolves_after_the_next_publication() {
    let (desk, site) = (Desk::new(), site_of(80));
    let mut ever = Files::new();
    let mut before: Option<BTreeMap<String, Vec<String>>> = None;
    // The site grows at the front, shrinks at the back, and changes in the middle.
    for pages in [0..80, 20..95, 20..60, 0..70, 35..70] {
        set_pages(&site, pages);
        desk.crawl_well(&site.url("/"), &PARTS);
        let now: BTreeMap<String, Vec<String>> =
            index_of(&desk).into_iter().map(|name| (name.clone(), urls_in(&desk, &name))).collect();
        for (name, urls) in before.iter().flatten() {
            assert_eq!(&urls_in(&desk, name), urls, "{name} of the index before lists something else now");
        }
        // A name is never used again for other bytes.
        let mut files = desk.published();
        files.remove("sitemap.xml");
        for (name, bytes) in files {
            let known = ever.entry(name.clone()).or_insert_with(|| bytes.clone());
            assert!(*known == bytes, "{name} has been used for two contents");
        }
        before = Some(now);
    }
}

#[test]
fn parts_that_left_the_index_go_a_run_later() {
    let (desk, site) = (Desk::new(), site_of(80));
    desk.crawl_well(&site.url("/"), &PARTS);
    let first = index_of(&desk);
    set_pages(&site, 0..45);
    desk.crawl_well(&site.url("/"), &PARTS);
    let second = index_of(&desk);
    let left: Vec<&String> = first.iter().filter(|name| !second.contains(name)).collect();
    assert!(!left.is_empty(), "no part has left the index: {first:?} {second:?}");
    assert!(left.iter().all(|name| desk.published().contains_key(*name)), "gone at once: {left:?}");
    desk.crawl_well(&site.url("/"), &PARTS);
    let third = desk.published();
    assert!(left.iter().all(|name| !third.contains_key(*name)), "still there: {left:?} in {:?}", third.keys());
    assert_eq!(third.len(), index_of(&desk).len() + 1);
}

#[test]
fn unchanged_parts_keep_their_names_their_bytes_and_their_lastmods() {
    let (desk, site) = (Desk::new(), site_of(80));
    desk.crawl_well(&site.url("/"), &PARTS);
    let (before, dates) = (desk.published(), part_dates(&desk));
    // One page goes and another comes, in the last part of all.
    set_pages(&site, 0..79);
    desk.crawl_well(&site.url("/"), &PARTS);
    let after = desk.published();
    let unchanged: Vec<String> = index_of(&desk).into_iter().filter(|name| before.contains_key(name)).collect();
    assert!(unchanged.len() >= 7, "only {unchanged:?} of nine parts kept their names");
    for name in unchanged {
        assert!(after[&name] == before[&name], "{name} has other bytes");
        assert_eq!(part_dates(&desk)[&name], dates[&name], "{name} was not written again");
    }
}

#[test]
fn where_nothing_changed_nothing_is_written() {
    let (desk, site) = (Desk::new(), site_of(35));
    desk.crawl_well(&site.url("/"), &PARTS);
    let before = desk.published();
    desk.crawl_well(&site.url("/"), &PARTS);
    assert!(desk.published() == before, "{:?}", desk.published().keys());
}

#[test]
fn the_index_is_written_after_the_parts_it_names() {
    let (desk, site) = (Desk::new(), site_of(35));
    desk.crawl_well(&site.url("/"), &PARTS);
    let written = |name: &str| desk.out().join(name).metadata().unwrap().modified().unwrap();
    let index = written("sitemap.xml");
    for name in index_of(&desk) {
        assert!(written(&name) <= index, "{name} is younger than the index");
    }
}

#[test]
fn foreign_files_in_the_directory_are_left_alone() {
    let (desk, site) = (Desk::new(), site_of(35));
    desk.file("out/index.html", "<h1>Mine</h1>");
    desk.file("out/sitemap-news.xml", "<urlset/>");
    for pages in [0..35, 0..20, 0..20] {
        set_pages(&site, pages);
        desk.crawl_well(&site.url("/"), &PARTS);
    }
    let files = desk.published();
    assert_eq!(files["index.html"], b"<h1>Mine</h1>");
    assert_eq!(files["sitemap-news.xml"], b"<urlset/>");
}

// ---- crawls that must not replace the old sitemap

#[test]
fn a_failed_crawl_keeps_the_old_files() {
    let (desk, site, before) = published_site();
    site.status("/", 500);
    assert_kept(&desk, &before, 3, &desk.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--retries", "0"]));
}

#[test]
fn a_server_that_is_gone_keeps_the_old_files() {
    let (desk, site, before) = published_site();
    let start = site.url("/");
    drop(site);
    assert_kept(&desk, &before, 3, &desk.crawl(&start, &["--max-urls-per-file", "10", "--retries", "0"]));
}

#[test]
fn a_crawl_that_robots_txt_forbids_keeps_the_old_files() {
    let (desk, site, before) = published_site();
    site.robots("User-agent: *\nDisallow: /\n");
    let run = desk.crawl(&site.url("/"), &PARTS);
    assert_kept(&desk, &before, 3, &run);
}

#[test]
fn an_empty_crawl_keeps_the_old_files() {
    let (desk, site, before) = published_site();
    site.page("/", "<meta name=robots content=noindex><p>Nothing to see.</p>");
    assert_kept(&desk, &before, 5, &desk.crawl(&site.url("/"), &PARTS));
}

#[test]
fn a_cut_crawl_keeps_the_old_files() {
    let (desk, site, before) = published_site();
    let gate = Gate::closed();
    site.answer("/page-00020", Response::html("<h1>Held</h1>").held_by(&gate));
    let run = desk.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--max-time", "2s"]);
    gate.open();
    assert_kept(&desk, &before, 4, &run);
}

/// "Lists fewer than half of the URLs of the sitemap already there": half of them is enough.
#[test]
fn a_crawl_that_lists_fewer_than_half_keeps_the_old_files() {
    let (desk, site) = (Desk::new(), site_of(39));
    desk.crawl_well(&site.url("/"), &PARTS);
    let before = desk.published();
    // The start page counts: forty before, nineteen now.
    set_pages(&site, 0..18);
    assert_kept(&desk, &before, 5, &desk.crawl(&site.url("/"), &PARTS));
    set_pages(&site, 0..19);
    desk.crawl_well(&site.url("/"), &PARTS);
    assert_eq!(desk.listed().len(), 20);
}

#[test]
fn the_shrink_guard_counts_the_sitemap_that_is_there_whoever_wrote_it() {
    let (desk, site) = (Desk::new(), site_of(4));
    let urls: String = (0..40).map(|n| format!("<url><loc>{}</loc></url>", site.url(&path_of(n)))).collect();
    let xml = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>");
    desk.file("out/sitemap.xml", xml);
    let before = desk.published();
    assert_kept(&desk, &before, 5, &desk.crawl(&site.url("/"), &["--replace"]));
}

#[test]
fn the_share_of_the_shrink_guard_can_be_set_and_zero_switches_it_off() {
    for (guard, pages, code) in [("0", 0, 0), ("90", 5, 0), ("90", 2, 5), ("10", 34, 5), ("10", 36, 0)] {
        let (desk, site) = (Desk::new(), site_of(39));
        desk.crawl_well(&site.url("/"), &PARTS);
        let before = desk.published();
        set_pages(&site, 0..pages);
        let run = desk.crawl(&site.url("/"), &["--max-urls-per-file", "10", "--shrink-guard", guard]).exited(code);
        match code {
            0 => assert_eq!(desk.listed().len(), pages + 1, "guard {guard}, {pages} pages"),
            _ => assert_kept(&desk, &before, code, &run),
        }
    }
}

#[test]
fn a_cut_crawl_is_published_where_that_is_allowed() {
    let (desk, site) = (Desk::new(), site_of(30));
    let gate = Gate::closed();
    site.answer("/page-00020", Response::html("<h1>Held</h1>").held_by(&gate));
    let run = desk.crawl(&site.url("/"), &["--max-time", "2s", "--allow-partial"]).exited(4);
    gate.open();
    let listed = desk.listed();
    assert!(listed.contains(&site.url("/")) && !listed.contains(&site.url("/page-00020")), "{listed:?}");
    assert!(listed.len() > 1, "{}", run.said());
}

#[test]
fn the_shape_that_was_asked_for_is_whole() {
    let (desk, site) = (Desk::new(), site_of(30));
    let run = desk.crawl(&site.url("/"), &["--max-urls", "10"]).exited(0);
    assert_eq!(desk.listed().len(), 10);
    assert!(run.said().contains("21"), "the URLs that were not fetched are not counted: {}", run.said());
    let desk = Desk::new();
    desk.crawl_well(&site.url("/"), &["--max-depth", "0"]);
    assert_eq!(desk.listed().len(), 1);
}

// ---- a directory that cannot be written

#[test]
fn a_directory_that_cannot_be_made_is_told_before_the_first_request() {
    let (desk, site) = (Desk::new(), site_of(3));
    let file = desk.file("a-file", "not a directory");
    for out in [format!("{file}/below"), "/proc/mapwright".to_owned(), file] {
        let state = desk.state().display().to_string();
        let run = desk.run(&["crawl", &site.url("/"), "--out", &out, "--state", &state]).exited(5);
        assert!(run.only_line().contains(&out), "{}", run.err());
        assert!(site.requests().is_empty(), "the site was asked before the directory was checked");
    }
}

#[test]
fn a_state_inside_the_published_directory_is_refused() {
    let (desk, site) = (Desk::new(), site_of(3));
    let out = desk.out().display().to_string();
    let run = desk.run(&["crawl", &site.url("/"), "--out", &out, "--state", &out]).exited(2);
    assert!(run.only_line().contains("--state"), "{}", run.err());
    assert!(site.requests().is_empty());
}

/// A full disk: a file system of its own, in a mount namespace of its own, that has no room for the second sitemap.
#[test]
fn a_disk_that_is_full_while_publishing_keeps_the_old_files() {
    let (desk, site) = (Desk::new(), site_of(20));
    let script = r#"
        set -eu
        mkdir -p "$DESK/disk" "$DESK/before" "$DESK/after"
        mount -t tmpfs -o size=64k none "$DESK/disk"
        crawl() {
            "$MAPWRIGHT" crawl "$START" --out "$DESK/disk" --state "$DESK/state" --no-progress --gzip never "$@"
        }
        crawl --max-urls-per-file 10 >"$DESK/first" 2>&1
        cp "$DESK"/disk/* "$DESK/before/"
        dd if=/dev/zero of="$DESK/disk/ballast" bs=1k count=64 2>/dev/null || true
        touch "$DESK/ready"
        while [ ! -e "$DESK/grown" ]; do sleep 0.05; done
        code=0
        crawl --max-urls-per-file 100 >"$DESK/second" 2>&1 || code=$?
        rm "$DESK/disk/ballast"
        cp "$DESK"/disk/* "$DESK/after/"
        echo "$code" >"$DESK/code"
    "#;
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).env("DESK", desk.path(""));
    command.env("MAPWRIGHT", binary::path()).env("START", site.url("/")).env("HOME", desk.path("home"));
    let mut child = command.spawn().expect("unshare: install the package util-linux");
    wait_for_file(&desk, "ready", &mut child);
    set_pages(&site, 0..400);
    desk.file("grown", "");
    assert!(child.wait().unwrap().success(), "{}", said(&desk));
    let [before, after] = ["before", "after"].map(|name| files_in(&desk.path(name)));
    assert!(before.len() == 4 && before == after, "{:?} {:?}\n{}", before.keys(), after.keys(), said(&desk));
    assert_eq!(std::fs::read_to_string(desk.path("code")).unwrap().trim(), "5", "{}", said(&desk));
}

/// The record's own disk: too little room cuts the crawl, resumable, and publishes nothing.
#[test]
fn a_disk_that_is_full_under_the_record_cuts_the_crawl() {
    let (desk, site) = (Desk::new(), site_of(1000));
    let script = r#"
        set -eu
        mkdir -p "$DESK/state"
        mount -t tmpfs -o size=600k none "$DESK/state"
        code=0
        "$MAPWRIGHT" crawl "$START" --out "$DESK/out" --state "$DESK/state" --no-progress >"$DESK/first" 2>&1 || code=$?
        echo "$code" >"$DESK/code"
    "#;
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).env("DESK", desk.path(""));
    command.env("MAPWRIGHT", binary::path()).env("START", site.url("/")).env("HOME", desk.path("home"));
    assert!(command.status().expect("unshare: install the package util-linux").success());
    assert_eq!(std::fs::read_to_string(desk.path("code")).unwrap().trim(), "4", "{}", said(&desk));
    assert!(desk.published().is_empty(), "{:?}", desk.published().keys());
    assert!(said(&desk).contains("state"), "where the disk is full is not told: {}", said(&desk));
}

// ---- the words of these tests

fn said(desk: &Desk) -> String {
    ["first", "second"].map(|name| std::fs::read_to_string(desk.path(name)).unwrap_or_default()).concat()
}

fn wait_for_file(desk: &Desk, name: &str, child: &mut std::process::Child) {
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while !desk.path(name).exists() {
        assert!(child.try_wait().unwrap().is_none(), "the script ended early: {}", said(desk));
        assert!(std::time::Instant::now() < deadline, "{name} did not come: {}", said(desk));
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn path_of(number: usize) -> String {
    format!("/page-{number:05}")
}

/// A start page and so many others.
fn site_of(pages: usize) -> Site {
    let site = Site::open();
    set_pages(&site, 0..pages);
    site
}

/// Lets the site have the start page and exactly these others.
fn set_pages(site: &Site, pages: std::ops::Range<usize>) {
    let paths: Vec<String> = pages.map(path_of).collect();
    site.answer("/page-*", Response::html("<h1>Gone</h1>").status(404));
    for number in 0..500 {
        let path = path_of(number);
        let known = paths.contains(&path);
        site.answer(&path, Response::html(format!("<h1>{path}</h1>")).status(if known { 200 } else { 404 }));
    }
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
}

/// A site of forty pages with its sitemap published, and the files of that.
fn published_site() -> (Desk, Site, Files) {
    let (desk, site) = (Desk::new(), site_of(39));
    desk.crawl_well(&site.url("/"), &PARTS);
    let before = desk.published();
    assert!(before.len() >= 5, "an index and its parts");
    (desk, site, before)
}

#[track_caller]
fn assert_kept(desk: &Desk, before: &Files, code: i32, run: &mapwright_e2e::desk::Run) {
    assert_eq!(run.done.code, Some(code), "{}", run.said());
    let after = desk.published();
    assert!(after == *before, "the old files have changed: {:?}, before {:?}", after.keys(), before.keys());
    let said = run.said().to_lowercase();
    let tells = ["left", "kept", "stays", "in place", "not published", "nothing was published", "unchanged"];
    assert!(tells.iter().any(|words| said.contains(words)), "it does not say that the old sitemap stays: {said}");
}

/// The names of the parts that the index gives, in its order.
fn index_of(desk: &Desk) -> Vec<String> {
    part_dates(desk).into_keys().collect()
}

fn part_dates(desk: &Desk) -> BTreeMap<String, Option<String>> {
    let entries = entries_of(&read(&desk.out().join("sitemap.xml")));
    entries.into_iter().map(|part| (file_name(&part.loc).to_owned(), part.lastmod)).collect()
}

fn urls_in(desk: &Desk, name: &str) -> Vec<String> {
    entries_of(&read(&desk.out().join(name))).into_iter().map(|entry| entry.loc).collect()
}
