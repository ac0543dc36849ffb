//! Stability of published sitemaps: an added or removed page changes one part, parts stay well filled, and a page that
//! fails in one run stays listed.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::{BTreeMap, BTreeSet};

use crate::daily::Publications;
use mapwright_e2e::clock;
use mapwright_e2e::sitemaps::{Part, Publication};
use mapwright_e2e::{Entry, Workspace, links};
use mapwright_testkit::living::{Catalogue, Dice, dates};
use mapwright_testkit::{FakeSite, Response};

/// The maximum number of URLs in one part.
const LIMIT: usize = 50;
/// The maximum number of bytes in one part, if bytes are limited.
const BYTES: usize = 8_192;
/// The minimum average fill of the parts, in percent.
const LEAST_FILL: f64 = 65.0;
/// The number of runs with churn.
const DAYS: u64 = if cfg!(feature = "full") { 100 } else { 8 };

#[test]
fn a_page_added_or_removed_changes_one_part_and_the_index() {
    let mut shelf = CatalogueFixture::of(1_500, &["--max-urls-per-file", "50"]);
    shelf.day();
    let folder = shelf.workspace.published();
    shelf.unchanged_day();
    assert!(
        folder == shelf.workspace.published(),
        "{:?}, before {:?}",
        shelf.workspace.published().keys(),
        folder.keys()
    );
    for page in ["/p/4", "/p/c", "/p/0", "/p/zzz"] {
        let before = shelf.unchanged_day();
        let began = clock::millis();
        shelf.catalogue.add(page);
        let after = shelf.day();
        let mut entries = changed_parts(&before, &after, began);
        assert!(entries.remove(&shelf.catalogue.url(page)), "{page} is not in the part that changed");
        assert_eq!(entries, only_part_left(&before, &after));

        let before = shelf.unchanged_day();
        let began = clock::millis();
        shelf.catalogue.remove(page);
        let after = shelf.day();
        let mut entries = changed_parts(&before, &after, began);
        entries.insert(shelf.catalogue.url(page));
        assert_eq!(entries, only_part_left(&before, &after), "without {page}");
    }
}

#[test]
fn random_churn_leaves_the_parts_well_filled() {
    let mut shelf = CatalogueFixture::of(1_500, &["--max-urls-per-file", "50"]);
    let mut filled = Filled::default();
    filled.note(&shelf.day(), by_urls);
    for day in 0..DAYS {
        shelf.churn(day, 15, |dice| format!("/p/{:016x}", dice.roll()));
        filled.note(&shelf.day(), by_urls);
    }
    filled.judge("random keys");
}

/// The keys have different lengths, and a part is full when its bytes reach the limit.
#[test]
fn random_churn_leaves_the_parts_well_filled_by_bytes() {
    let mut shelf = CatalogueFixture::of(0, &["--max-bytes-per-file", "8192"]);
    let key = |dice: &mut Dice| format!("/p/{:016x}/{}", dice.roll(), "x".repeat(dice.below(160)));
    shelf.grow(0, 900, key);
    let mut filled = Filled::default();
    filled.note(&shelf.day(), by_bytes);
    for day in 1..=DAYS {
        shelf.churn(day, 9, key);
        filled.note(&shelf.day(), by_bytes);
    }
    filled.judge("random keys, by bytes");
}

/// A blog, whose new pages sort last.
#[test]
fn growth_at_the_end_leaves_the_parts_well_filled() {
    let mut shelf = CatalogueFixture::of(0, &["--max-urls-per-file", "50"]);
    let mut next = 0;
    let mut post = |count: usize, shelf: &CatalogueFixture| {
        for _ in 0..count {
            next += 1;
            shelf.catalogue.add(&format!("/post-{next:06}"));
        }
    };
    post(600, &shelf);
    let mut filled = Filled::default();
    filled.note(&shelf.day(), by_urls);
    for _ in 0..DAYS {
        post(12, &shelf);
        filled.note(&shelf.day(), by_urls);
    }
    filled.judge("ascending keys");
}

/// The worst distribution of new pages: all of them sort between the same two.
#[test]
fn growth_in_one_place_leaves_the_parts_well_filled() {
    let mut shelf = CatalogueFixture::of(600, &["--max-urls-per-file", "50"]);
    let mut filled = Filled::default();
    filled.note(&shelf.day(), by_urls);
    for day in 0..DAYS {
        shelf.grow(day, 12, |dice| format!("/p/8/{:016x}", dice.roll()));
        filled.note(&shelf.day(), by_urls);
    }
    filled.judge("all in one place");
}

#[test]
fn parts_of_a_site_that_shrinks_are_merged() {
    let mut shelf = CatalogueFixture::of(1_500, &["--max-urls-per-file", "50", "--shrink-guard", "0"]);
    shelf.day();
    for (day, pages) in [1_000, 600, 300, 150, 60].into_iter().enumerate() {
        shelf.shrink(day as u64, pages);
        let parts = shelf.day().parts;
        // At most one part is less than a quarter full.
        let most = pages * 4 / LIMIT + 1;
        println!("{pages} pages in {} parts", parts.len());
        assert!(parts.len() <= most, "{pages} pages in {} parts, more than {most}", parts.len());
    }
    shelf.unchanged_day();
}

#[test]
fn one_file_becomes_an_index_when_it_is_full() {
    let mut shelf = CatalogueFixture::of(20, &["--max-urls-per-file", "50"]);
    for (day, pages) in [20, 49, 50, 51, 120, 400].into_iter().enumerate() {
        let more = pages - shelf.catalogue.paths().len();
        shelf.grow(day as u64, more, |dice| format!("/p/{:016x}", dice.roll()));
        let published = shelf.day();
        assert_eq!(published.has_index(), pages > LIMIT, "{pages} pages: {}", published.entry_point);
        shelf.unchanged_day();
    }
}

// ---- pages that fail

#[test]
fn a_listed_page_that_fails_stays_for_three_runs_with_its_lastmod() {
    for (status, reason) in [(503, "http-error"), (500, "http-error"), (429, "throttled")] {
        let (workspace, site) = listed_site();
        let before = lastmods(&workspace);
        assert!(before[&site.url("/a")].is_some(), "{before:?}");
        site.status("/a", status);
        for run in 1..=3 {
            crawl(&workspace, &site, &[]);
            assert_eq!(lastmods(&workspace), before, "run {run} with {status}");
        }
        crawl(&workspace, &site, &[]);
        assert!(!workspace.listed().contains(&site.url("/a")), "still listed after four runs with {status}");
        assert_eq!(workspace.exclusion(&site.url("/a")).reason, reason);
        put_page(&site);
        crawl(&workspace, &site, &[]);
        assert!(workspace.listed().contains(&site.url("/a")), "not listed again after {status}");
    }
}

#[test]
fn a_good_response_in_between_resets_the_count() {
    let (workspace, site) = listed_site();
    for failing in [2, 3] {
        site.status("/a", 503);
        (0..failing).for_each(|_| crawl(&workspace, &site, &[]));
        assert!(workspace.listed().contains(&site.url("/a")), "gone after {failing} runs");
        put_page(&site);
        crawl(&workspace, &site, &[]);
    }
}

#[test]
fn the_number_of_runs_that_a_failing_page_stays_can_be_set() {
    for runs in [0, 1, 5] {
        let (workspace, site) = listed_site();
        let words = ["--keep-failing".to_owned(), runs.to_string()];
        let words = words.each_ref().map(String::as_str);
        site.status("/a", 503);
        for run in 1..=runs + 1 {
            crawl(&workspace, &site, &words);
            assert_eq!(workspace.listed().contains(&site.url("/a")), run <= runs, "run {run} of {runs}");
        }
    }
}

#[test]
fn a_page_that_failed_for_too_long_returns_only_after_a_good_response() {
    let (workspace, site) = listed_site();
    site.status("/a", 503);
    for words in [&["--keep-failing", "0"][..], &[], &[]] {
        crawl(&workspace, &site, words);
        assert!(!workspace.listed().contains(&site.url("/a")), "listed with {words:?}");
    }
    put_page(&site);
    crawl(&workspace, &site, &[]);
    assert!(workspace.listed().contains(&site.url("/a")));
}

#[test]
fn a_run_whose_sitemap_is_rejected_removes_no_page() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths: Vec<String> = (0..12).map(|n| format!("/{n}")).collect();
    let put = |path: &String| _ = site.page(path, format!("<h1>{path}</h1>"));
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    paths.iter().for_each(put);
    crawl(&workspace, &site, &[]);
    paths.iter().take(9).for_each(|path| _ = site.status(path, 404));
    drop(workspace.crawl(&site.url("/"), &[]).exited(5));
    paths.iter().for_each(put);
    site.status("/5", 503);
    crawl(&workspace, &site, &[]);
    assert!(workspace.listed().contains(&site.url("/5")), "it was published all the time, and has failed once");
}

#[test]
fn a_failing_page_that_must_not_be_listed_is_not_kept() {
    let (workspace, site) = listed_site();
    site.status("/a", 503);
    crawl(&workspace, &site, &[]);
    assert!(workspace.listed().contains(&site.url("/a")));
    crawl(&workspace, &site, &["--no-list", "/a$"]);
    assert!(!workspace.listed().contains(&site.url("/a")));
}

#[test]
fn a_page_that_is_gone_is_removed_at_once() {
    for status in [404, 410] {
        let (workspace, site) = listed_site();
        site.status("/a", status);
        crawl(&workspace, &site, &[]);
        assert!(!workspace.listed().contains(&site.url("/a")), "listed with {status}");
        assert_eq!(workspace.exclusion(&site.url("/a")).reason, "http-error");
    }
}

#[test]
fn a_page_that_fails_from_the_beginning_is_not_listed() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", links(&["/a", "/b"])).page("/b", "<h1>B</h1>").status("/a", 503);
    for _ in 0..2 {
        crawl(&workspace, &site, &[]);
        assert!(!workspace.listed().contains(&site.url("/a")));
        assert_eq!(workspace.exclusion(&site.url("/a")).reason, "http-error");
    }
}

#[test]
fn a_hub_that_fails_in_one_run_keeps_its_pages() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let names: Vec<String> = (0..30).map(|number| format!("/hub/page-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for name in &names {
        site.page(name, format!("<h1>{name}</h1>"));
    }
    site.page("/", links(&["/hub/"])).page("/hub/", links(&names));
    crawl(&workspace, &site, &[]);
    let before = lastmods(&workspace);
    assert_eq!(before.len(), 32);
    site.status("/hub/", 503);
    crawl(&workspace, &site, &[]);
    assert_eq!(lastmods(&workspace), before);
    site.page("/hub/", links(&names));
    crawl(&workspace, &site, &[]);
    assert_eq!(lastmods(&workspace), before);
}

/// A site of a start page, a page that will fail, and one that will not, crawled once.
fn listed_site() -> (Workspace, FakeSite) {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", links(&["/a", "/b"])).page("/b", "<h1>B</h1>");
    put_page(&site);
    crawl(&workspace, &site, &[]);
    assert_eq!(workspace.listed().len(), 3);
    (workspace, site)
}

fn put_page(site: &FakeSite) {
    site.answer("/a", Response::html("<h1>A</h1>").header("Last-Modified", "Tue, 04 Mar 2025 05:06:07 GMT"));
}

#[track_caller]
fn crawl(workspace: &Workspace, site: &FakeSite, more: &[&str]) {
    let words: Vec<&str> = ["--retries", "0"].iter().chain(more).copied().collect();
    workspace.crawl_well(&site.url("/"), &words);
}

fn lastmods(workspace: &Workspace) -> BTreeMap<String, Option<String>> {
    Publication::read(&workspace.out()).lastmods()
}

// ---- helpers

/// A catalogue site, and the workspace in which its sitemap is published.
struct CatalogueFixture {
    catalogue: Catalogue,
    workspace: Workspace,
    words: Vec<&'static str>,
    publications: Publications,
}

impl CatalogueFixture {
    /// A site of this number of pages with random names, crawled with these arguments.
    fn of(pages: usize, words: &[&'static str]) -> CatalogueFixture {
        let words = words.to_vec();
        let shelf = CatalogueFixture {
            catalogue: Catalogue::open(),
            workspace: Workspace::new(),
            words,
            publications: Publications::default(),
        };
        shelf.grow(0, pages, |dice| format!("/p/{:016x}", dice.roll()));
        shelf
    }

    fn grow(&self, day: u64, pages: usize, key: impl Fn(&mut Dice) -> String) {
        let mut dice = Dice::of(&[50, day]);
        (0..pages).for_each(|_| self.catalogue.add(&key(&mut dice)));
    }

    fn shrink(&self, day: u64, pages: usize) {
        let paths = Dice::of(&[51, day]).shuffled(self.catalogue.paths());
        paths.iter().skip(pages).for_each(|path| self.catalogue.remove(path));
    }

    /// Replaces this number of pages.
    fn churn(&self, day: u64, pages: usize, key: impl Fn(&mut Dice) -> String) {
        self.shrink(day, self.catalogue.paths().len() - pages);
        self.grow(1_000 + day, pages, key);
    }

    /// Crawls and publishes, and asserts the invariants of every publication.
    #[track_caller]
    fn day(&mut self) -> Publication {
        self.workspace.crawl_well(&self.catalogue.start(), &self.words);
        let published = Publication::read(&self.workspace.out());
        let listed: BTreeSet<String> = published.entries().into_iter().map(|entry| entry.loc).collect();
        assert!(listed == self.catalogue.urls(), "{} URLs listed, not {}", listed.len(), self.catalogue.urls().len());
        let full = |part: &&Part| part.entries.len() > self.limit() || part.length > self.byte_limit();
        assert_eq!(published.parts.iter().filter(full).map(|part| &part.name).collect::<Vec<_>>(), [""; 0]);
        let wrong = self.publications.follow(published.clone());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        published
    }

    /// Crawls the unchanged site, and asserts that the published files are equal byte for byte.
    #[track_caller]
    fn unchanged_day(&mut self) -> Publication {
        let before = self.publications.last().cloned().unwrap();
        let after = self.day();
        assert!(before == after, "files changed in a run in which nothing did");
        after
    }

    fn limit(&self) -> usize {
        if self.words.contains(&"--max-urls-per-file") { LIMIT } else { usize::MAX }
    }

    fn byte_limit(&self) -> usize {
        if self.words.contains(&"--max-bytes-per-file") { BYTES } else { usize::MAX }
    }
}

/// The URLs of the part that left the index. Asserts that there is exactly one.
#[track_caller]
fn only_part_left(before: &Publication, after: &Publication) -> BTreeSet<String> {
    let left = before.beyond(after);
    assert_eq!(left.len(), 1, "not one part left the index: {:?}", names(&left));
    locs(&left[0].entries)
}

/// The URLs of the new parts. Asserts that there is one, or two if the old part was full, and that they are dated by
/// the time of their writing.
#[track_caller]
fn changed_parts(before: &Publication, after: &Publication, began: i64) -> BTreeSet<String> {
    let new = after.beyond(before);
    let was_full = before.beyond(after).iter().any(|part| part.entries.len() == LIMIT);
    assert!(new.len() == 1 || was_full && new.len() == 2, "{:?} are new", names(&new));
    for part in &new {
        let written = part.lastmod.as_deref().and_then(dates::instant).unwrap();
        assert!((began / 1_000 * 1_000..=clock::millis()).contains(&written), "{}: {:?}", part.name, part.lastmod);
    }
    new.iter().flat_map(|part| locs(&part.entries)).collect()
}

fn names<'a>(parts: &[&'a Part]) -> Vec<&'a str> {
    parts.iter().map(|part| part.name.as_str()).collect()
}

fn locs(entries: &[Entry]) -> BTreeSet<String> {
    entries.iter().map(|entry| entry.loc.clone()).collect()
}

/// The fill of the parts at each publication, in percent.
#[derive(Default)]
struct Filled {
    means: Vec<f64>,
    least_part: Option<f64>,
    parts: Vec<usize>,
}

impl Filled {
    #[track_caller]
    fn note(&mut self, published: &Publication, fill: fn(&Part) -> f64) {
        assert!(published.has_index(), "there are no parts to be filled");
        let fills: Vec<f64> = published.parts.iter().map(fill).collect();
        self.means.push(fills.iter().sum::<f64>() / fills.len() as f64);
        self.least_part = fills.into_iter().chain(self.least_part).reduce(f64::min);
        self.parts.push(published.parts.len());
    }

    #[track_caller]
    fn judge(&self, name: &str) {
        let least = self.means.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = self.means.iter().sum::<f64>() / self.means.len() as f64;
        let (fewest, most) = (self.parts.iter().min().unwrap(), self.parts.iter().max().unwrap());
        println!(
            "{name}: {} publications of {fewest} to {most} parts, full to {mean:.1} % on average, {least:.1} % at the \
             least; the emptiest part ever {:.1} %",
            self.means.len(),
            self.least_part.unwrap()
        );
        assert!(least >= LEAST_FILL, "{name}: full to {least:.1} % on average in one publication: {:?}", self.means);
    }
}

fn by_urls(part: &Part) -> f64 {
    part.entries.len() as f64 * 100.0 / LIMIT as f64
}

fn by_bytes(part: &Part) -> f64 {
    part.length as f64 * 100.0 / BYTES as f64
}
