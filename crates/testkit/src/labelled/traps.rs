//! Crawl traps, and parts of a site that only look like traps.

use super::label::LabelSubject;
use super::page::{Page, key};
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::living::{Dice, prose};
use crate::request::ReceivedRequest;

pub(super) fn sites() -> Vec<LabelledSite> {
    let session = format!("/room?sid={}", "0".repeat(32));
    let traps = [
        Trap { code: "trap-calendar", entrance: "/months?month=2026-01", pattern: "/months", about: ALL, body: months },
        // A repeating path also grows, so this site is not about growth.
        Trap {
            code: "trap-repeating",
            entrance: "/docs/",
            pattern: "/docs/",
            about: NOT_GROWING,
            body: |_| links(&["docs/".to_owned()]),
        },
        Trap { code: "trap-growing", entrance: "/grown/", pattern: "/grown/", about: ALL, body: growing },
        // A session belongs to the entire site, not to one script.
        Trap { code: "trap-session", entrance: &session, pattern: "/*?sid=", about: ALL, body: rooms },
        Trap { code: "trap-facets", entrance: "/shelf?brand=a", pattern: "/shelf", about: ALL, body: facets },
    ];
    traps.iter().map(Trap::open).chain([finite()]).collect()
}

const ALL: &[&str] = &["trap-calendar", "trap-repeating", "trap-growing", "trap-session", "trap-facets"];
const NOT_GROWING: &[&str] = &["trap-calendar", "trap-repeating", "trap-session", "trap-facets"];

/// A crawl trap: URLs that begin like the entrance, with links that continue for ever.
struct Trap<'a> {
    code: &'static str,
    entrance: &'a str,
    /// The beginning of the pattern's name.
    pattern: &'a str,
    about: &'static [&'static str],
    body: fn(&ReceivedRequest) -> String,
}

impl Trap<'_> {
    /// The budget is small, so that the audit does not spend its time on a proven trap.
    fn open(&self) -> LabelledSite {
        let mut site = SiteBuilder::new(self.code, self.about);
        let beginning = self.entrance.split('?').next().unwrap_or_default();
        let (base, body) = (site.url(""), self.body);
        let pattern = LabelSubject::Pattern(site.url(self.pattern));
        site.arguments(&["--pattern-budget", "60"])
            .plain(10)
            .link(self.entrance)
            .handler(&format!("{beginning}*"), move |request| {
                Page::at(request.origin_form()).body(&body(request)).response(&base, "/")
            })
            .has_any(self.code, vec![pattern]);
        site.open()
    }
}

fn links(references: &[String]) -> String {
    references.iter().map(|reference| super::page::link(reference, "", "On to")).collect()
}

/// Links to the previous and the next month.
fn months(request: &ReceivedRequest) -> String {
    let month = request.query().and_then(|query| query.strip_prefix("month="));
    let Some((year, month)) = month.and_then(|month| month.split_once('-')) else { return String::new() };
    let (Ok(year), Ok(month)) = (year.parse::<u32>(), month.parse::<u32>()) else { return String::new() };
    let number = year * 12 + month;
    let of = |number: u32| format!("/months?month={:04}-{:02}", (number - 1) / 12, (number - 1) % 12 + 1);
    links(&[of(number - 1), of(number + 1)])
}

/// A link with a further, new segment.
fn growing(request: &ReceivedRequest) -> String {
    let mut dice = Dice::of(&[key(request.path())]);
    links(&[format!("{}{}/", request.path(), prose::word(&mut dice))])
}

/// Three links to the same room, each with a new session.
fn rooms(request: &ReceivedRequest) -> String {
    let mut dice = Dice::of(&[key(request.origin_form())]);
    let rooms: Vec<String> = (0..3).map(|_| format!("/room?sid={:016x}{:016x}", dice.roll(), dice.roll())).collect();
    links(&rooms)
}

/// Links that set each filter to each of its values and leave the others: 6 to the power of 6 pages.
fn facets(request: &ReceivedRequest) -> String {
    let query = request.query().unwrap_or_default();
    let chosen: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let mut all = Vec::new();
    for name in ["brand", "colour", "material", "price", "size", "sort"] {
        for value in ["a", "b", "c", "d", "e"] {
            let mut pairs: Vec<_> = chosen.iter().copied().filter(|(other, _)| *other != name).collect();
            pairs.push((name, value));
            pairs.sort_unstable();
            let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
            all.push(format!("/shelf?{}", pairs.join("&")));
        }
    }
    links(&all)
}

/// A finite site: two years of months, pages of a list, numbered products, a path that repeats itself once, a long
/// path, one session for all, and filters with nine combinations.
fn finite() -> LabelledSite {
    let mut site = SiteBuilder::new("trap-none", ALL);
    let session = format!("/room?sid={}", "7".repeat(32));
    for year in [2025, 2026] {
        for month in 1..=12 {
            site.page(&format!("/months?month={year}-{month:02}"));
        }
    }
    for number in 1..=40 {
        site.page(&format!("/list?page={number}")).page(&format!("/products/{number}"));
    }
    for brand in ["a", "b", "c"] {
        for colour in ["a", "b", "c"] {
            site.page(&format!("/shelf?brand={brand}&colour={colour}"));
        }
    }
    site.pages(&["/en/docs/en/docs", "/a/b/c/d/e/f/g/h", &session]);
    let months = LabelSubject::Pattern(site.url("/months"));
    let (lists, shelf) = (LabelSubject::Pattern(site.url("/list")), LabelSubject::Pattern(site.url("/shelf")));
    let room = LabelSubject::Pattern(site.url("/room"));
    let (docs, path) = (LabelSubject::Pattern(site.url("/en/")), LabelSubject::Pattern(site.url("/a/")));
    site.false_positive("trap-calendar", months, "two years, none of which leads further")
        .false_positive("trap-calendar", lists, "numbers that count on, and come to an end")
        .false_positive("trap-repeating", docs, "it repeats itself once")
        .false_positive("trap-growing", path, "long, and nothing lies below it")
        .false_positive("trap-session", room, "every link has the same session")
        .false_positive("trap-facets", shelf, "nine combinations in all");
    site.open()
}
