//! What is published is stable: a page that comes or goes touches one part, parts stay well filled all the while, and a
//! page that fails for a night stays.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::{BTreeMap, BTreeSet};

use mapwright_e2e::desk::Desk;
use mapwright_e2e::night::{Part, Publication, Publications, clock};
use mapwright_e2e::{Entry, links};
use mapwright_testkit::living::{Catalogue, Dice, dates};
use mapwright_testkit::{Response, Site};

/// URLs in one part.
const LIMIT: usize = 50;
/// Bytes in one part, where these are limited.
const BYTES: usize = 8_192;
/// Of a hundred places in the parts, so many are taken on average.
const LEAST_FILL: f64 = 65.0;
/// Nights of churn.
const NIGHTS: u64 = if cfg!(feature = "full") { 100 } else { 8 };

#[test]
fn a_page_added_or_removed_changes_one_part_and_the_index() {
    let mut shelf = Shelf::of(1_500, &["--max-urls-per-file", "50"]);
    shelf.night();
    let folder = shelf.desk.published();
    shelf.quiet_night();
    assert!(folder == shelf.desk.published(), "{:?}, before {:?}", shelf.desk.published().keys(), folder.keys());
    for page in ["/p/4", "/p/c", "/p/0", "/p/zzz"] {
        let before = shelf.quiet_night();
        let began = clock::millis();
        shelf.catalogue.add(page);
        let after = shelf.night();
        let mut entries = changed_parts(&before, &after, began);
        assert!(entries.remove(&shelf.catalogue.url(page)), "{page} is not in the part that changed");
        assert_eq!(entries, only_part_left(&before, &after));

        let before = shelf.quiet_night();
        let began = clock::millis();
        shelf.catalogue.remove(page);
        let after = shelf.night();
        let mut entries = changed_parts(&before, &after, began);
        entries.insert(shelf.catalogue.url(page));
        assert_eq!(entries, only_part_left(&before, &after), "without {page}");
    }
}

#[test]
fn random_churn_leaves_the_parts_well_filled() {
    let mut shelf = Shelf::of(1_500, &["--max-urls-per-file", "50"]);
    let mut filled = Filled::default();
    filled.note(&shelf.night(), by_urls);
    for night in 0..NIGHTS {
        shelf.churn(night, 15, |dice| format!("/p/{:016x}", dice.roll()));
        filled.note(&shelf.night(), by_urls);
    }
    filled.judge("random keys");
}

/// Keys of many lengths, so that a part is full after as many as its bytes allow.
#[test]
fn random_churn_leaves_the_parts_well_filled_by_bytes() {
    let mut shelf = Shelf::of(0, &["--max-bytes-per-file", "8192"]);
    let key = |dice: &mut Dice| format!("/p/{:016x}/{}", dice.roll(), "x".repeat(dice.below(160)));
    shelf.grow(0, 900, key);
    let mut filled = Filled::default();
    filled.note(&shelf.night(), by_bytes);
    for night in 1..=NIGHTS {
        shelf.churn(night, 9, key);
        filled.note(&shelf.night(), by_bytes);
    }
    filled.judge("random keys, by bytes");
}

/// A blog: what is new stands at the end.
#[test]
fn what_grows_at_its_end_leaves_the_parts_well_filled() {
    let mut shelf = Shelf::of(0, &["--max-urls-per-file", "50"]);
    let mut next = 0;
    let mut post = |count: usize, shelf: &Shelf| {
        for _ in 0..count {
            next += 1;
            shelf.catalogue.add(&format!("/post-{next:06}"));
        }
    };
    post(600, &shelf);
    let mut filled = Filled::default();
    filled.note(&shelf.night(), by_urls);
    for _ in 0..NIGHTS {
        post(12, &shelf);
        filled.note(&shelf.night(), by_urls);
    }
    filled.judge("ascending keys");
}

/// What comes is spread as unevenly as it can be: every new page between the same two.
#[test]
fn what_grows_in_one_place_leaves_the_parts_well_filled() {
    let mut shelf = Shelf::of(600, &["--max-urls-per-file", "50"]);
    let mut filled = Filled::default();
    filled.note(&shelf.night(), by_urls);
    for night in 0..NIGHTS {
        shelf.grow(night, 12, |dice| format!("/p/8/{:016x}", dice.roll()));
        filled.note(&shelf.night(), by_urls);
    }
    filled.judge("all in one place");
}

#[test]
fn parts_of_a_site_that_shrinks_are_merged() {
    let mut shelf = Shelf::of(1_500, &["--max-urls-per-file", "50", "--shrink-guard", "0"]);
    shelf.night();
    for (night, pages) in [1_000, 600, 300, 150, 60].into_iter().enumerate() {
        shelf.shrink(night as u64, pages);
        let parts = shelf.night().parts;
        // None but the last that is left over holds less than a quarter of what it may.
        let most = pages * 4 / LIMIT + 1;
        println!("{pages} pages in {} parts", parts.len());
        assert!(parts.len() <= most, "{pages} pages in {} parts, more than {most}", parts.len());
    }
    shelf.quiet_night();
}

#[test]
fn one_file_becomes_an_index_when_it_is_full() {
    let mut shelf = Shelf::of(20, &["--max-urls-per-file", "50"]);
    for (night, pages) in [20, 49, 50, 51, 120, 400].into_iter().enumerate() {
        let more = pages - shelf.catalogue.paths().len();
        shelf.grow(night as u64, more, |dice| format!("/p/{:016x}", dice.roll()));
        let published = shelf.night();
        assert_eq!(published.has_index(), pages > LIMIT, "{pages} pages: {}", published.entry_point);
        shelf.quiet_night();
    }
}

// ---- pages that fail

#[test]
fn a_listed_page_that_fails_stays_for_three_runs_with_its_lastmod() {
    for (status, reason) in [(503, "http-error"), (500, "http-error"), (429, "throttled")] {
        let (desk, site) = listed_site();
        let before = lastmods(&desk);
        assert!(before[&site.url("/a")].is_some(), "{before:?}");
        site.status("/a", status);
        for run in 1..=3 {
            crawl(&desk, &site, &[]);
            assert_eq!(lastmods(&desk), before, "run {run} with {status}");
        }
        crawl(&desk, &site, &[]);
        assert!(!desk.listed().contains(&site.url("/a")), "still listed after four runs with {status}");
        assert_eq!(desk.exclusion(&site.url("/a")).reason, reason);
        put_page(&site);
        crawl(&desk, &site, &[]);
        assert!(desk.listed().contains(&site.url("/a")), "not listed again after {status}");
    }
}

#[test]
fn an_answer_in_between_begins_the_count_anew() {
    let (desk, site) = listed_site();
    for failing in [2, 3] {
        site.status("/a", 503);
        (0..failing).for_each(|_| crawl(&desk, &site, &[]));
        assert!(desk.listed().contains(&site.url("/a")), "gone after {failing} runs");
        put_page(&site);
        crawl(&desk, &site, &[]);
    }
}

#[test]
fn for_how_many_runs_can_be_set() {
    for runs in [0, 1, 5] {
        let (desk, site) = listed_site();
        let words = ["--keep-failing".to_owned(), runs.to_string()];
        let words = words.each_ref().map(String::as_str);
        site.status("/a", 503);
        for run in 1..=runs + 1 {
            crawl(&desk, &site, &words);
            assert_eq!(desk.listed().contains(&site.url("/a")), run <= runs, "run {run} of {runs}");
        }
    }
}

#[test]
fn what_has_failed_for_too_long_comes_back_by_a_good_answer_alone() {
    let (desk, site) = listed_site();
    site.status("/a", 503);
    for words in [&["--keep-failing", "0"][..], &[], &[]] {
        crawl(&desk, &site, words);
        assert!(!desk.listed().contains(&site.url("/a")), "listed with {words:?}");
    }
    put_page(&site);
    crawl(&desk, &site, &[]);
    assert!(desk.listed().contains(&site.url("/a")));
}

#[test]
fn a_night_whose_sitemap_is_refused_takes_no_page_out() {
    let (desk, site) = (Desk::new(), Site::open());
    let paths: Vec<String> = (0..12).map(|n| format!("/{n}")).collect();
    let put = |path: &String| _ = site.page(path, format!("<h1>{path}</h1>"));
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    paths.iter().for_each(put);
    crawl(&desk, &site, &[]);
    paths.iter().take(9).for_each(|path| _ = site.status(path, 404));
    drop(desk.crawl(&site.url("/"), &[]).exited(5));
    paths.iter().for_each(put);
    site.status("/5", 503);
    crawl(&desk, &site, &[]);
    assert!(desk.listed().contains(&site.url("/5")), "it was published all the time, and has failed once");
}

#[test]
fn what_no_sitemap_is_to_list_is_not_kept_either() {
    let (desk, site) = listed_site();
    site.status("/a", 503);
    crawl(&desk, &site, &[]);
    assert!(desk.listed().contains(&site.url("/a")));
    crawl(&desk, &site, &["--no-list", "/a$"]);
    assert!(!desk.listed().contains(&site.url("/a")));
}

#[test]
fn what_is_gone_leaves_at_once() {
    for status in [404, 410] {
        let (desk, site) = listed_site();
        site.status("/a", status);
        crawl(&desk, &site, &[]);
        assert!(!desk.listed().contains(&site.url("/a")), "listed with {status}");
        assert_eq!(desk.exclusion(&site.url("/a")).reason, "http-error");
    }
}

#[test]
fn what_fails_from_the_beginning_is_not_listed() {
    let (desk, site) = (Desk::new(), Site::open());
    site.page("/", links(&["/a", "/b"])).page("/b", "<h1>B</h1>").status("/a", 503);
    for _ in 0..2 {
        crawl(&desk, &site, &[]);
        assert!(!desk.listed().contains(&site.url("/a")));
        assert_eq!(desk.exclusion(&site.url("/a")).reason, "http-error");
    }
}

#[test]
fn a_hub_that_fails_for_a_night_keeps_its_pages() {
    let (desk, site) = (Desk::new(), Site::open());
    let names: Vec<String> = (0..30).map(|number| format!("/hub/page-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for name in &names {
        site.page(name, format!("<h1>{name}</h1>"));
    }
    site.page("/", links(&["/hub/"])).page("/hub/", links(&names));
    crawl(&desk, &site, &[]);
    let before = lastmods(&desk);
    assert_eq!(before.len(), 32);
    site.status("/hub/", 503);
    crawl(&desk, &site, &[]);
    assert_eq!(lastmods(&desk), before);
    site.page("/hub/", links(&names));
    crawl(&desk, &site, &[]);
    assert_eq!(lastmods(&desk), before);
}

/// A site of a start page, one that will fail, and one that will not; crawled once.
fn listed_site() -> (Desk, Site) {
    let (desk, site) = (Desk::new(), Site::open());
    site.page("/", links(&["/a", "/b"])).page("/b", "<h1>B</h1>");
    put_page(&site);
    crawl(&desk, &site, &[]);
    assert_eq!(desk.listed().len(), 3);
    (desk, site)
}

fn put_page(site: &Site) {
    site.answer("/a", Response::html("<h1>A</h1>").header("Last-Modified", "Tue, 04 Mar 2025 05:06:07 GMT"));
}

#[track_caller]
fn crawl(desk: &Desk, site: &Site, more: &[&str]) {
    let words: Vec<&str> = ["--retries", "0"].iter().chain(more).copied().collect();
    desk.crawl_well(&site.url("/"), &words);
}

fn lastmods(desk: &Desk) -> BTreeMap<String, Option<String>> {
    Publication::read(&desk.out()).lastmods()
}

// ---- the words of these tests

/// A catalogue, and the desk at which its sitemap is kept.
struct Shelf {
    catalogue: Catalogue,
    desk: Desk,
    words: Vec<&'static str>,
    publications: Publications,
}

impl Shelf {
    /// A site of so many pages with random names, and the words of each crawl.
    fn of(pages: usize, words: &[&'static str]) -> Shelf {
        let words = words.to_vec();
        let shelf =
            Shelf { catalogue: Catalogue::open(), desk: Desk::new(), words, publications: Publications::default() };
        shelf.grow(0, pages, |dice| format!("/p/{:016x}", dice.roll()));
        shelf
    }

    fn grow(&self, night: u64, pages: usize, key: impl Fn(&mut Dice) -> String) {
        let mut dice = Dice::of(&[50, night]);
        (0..pages).for_each(|_| self.catalogue.add(&key(&mut dice)));
    }

    fn shrink(&self, night: u64, pages: usize) {
        let paths = Dice::of(&[51, night]).shuffled(self.catalogue.paths());
        paths.iter().skip(pages).for_each(|path| self.catalogue.remove(path));
    }

    /// So many pages go and so many come.
    fn churn(&self, night: u64, pages: usize, key: impl Fn(&mut Dice) -> String) {
        self.shrink(night, self.catalogue.paths().len() - pages);
        self.grow(1_000 + night, pages, key);
    }

    /// Crawls and publishes; asserts all that holds of every publication.
    #[track_caller]
    fn night(&mut self) -> Publication {
        self.desk.crawl_well(&self.catalogue.start(), &self.words);
        let published = Publication::read(&self.desk.out());
        let listed: BTreeSet<String> = published.entries().into_iter().map(|entry| entry.loc).collect();
        assert!(listed == self.catalogue.urls(), "{} URLs listed, not {}", listed.len(), self.catalogue.urls().len());
        let full = |part: &&Part| part.entries.len() > self.limit() || part.length > self.byte_limit();
        assert_eq!(published.parts.iter().filter(full).map(|part| &part.name).collect::<Vec<_>>(), [""; 0]);
        let wrong = self.publications.follow(published.clone());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        published
    }

    /// Crawls where nothing has changed: of the files that a reader would fetch not a byte does.
    #[track_caller]
    fn quiet_night(&mut self) -> Publication {
        let before = self.publications.last().cloned().unwrap();
        let after = self.night();
        assert!(before == after, "files changed in a night in which nothing did");
        after
    }

    fn limit(&self) -> usize {
        if self.words.contains(&"--max-urls-per-file") { LIMIT } else { usize::MAX }
    }

    fn byte_limit(&self) -> usize {
        if self.words.contains(&"--max-bytes-per-file") { BYTES } else { usize::MAX }
    }
}

/// The part that left the index, and there must be just one.
#[track_caller]
fn only_part_left(before: &Publication, after: &Publication) -> BTreeSet<String> {
    let left = before.beyond(after);
    assert_eq!(left.len(), 1, "not one part left the index: {:?}", names(&left));
    locs(&left[0].entries)
}

/// What the parts that are new list; one, or two where the one before was full. They bear the date of their writing.
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

/// How full the parts were at each publication, in percent.
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
