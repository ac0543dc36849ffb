//! When a page last changed, as far as anything tells.
//!
//! In this order: the first date of a change of its content between our own visits, the page's own date (JSON-LD, then
//! `article:modified_time`, then the older metas), `Last-Modified` where plausible, the site's own sitemap; and of a page
//! that was not there before ([`crate::arrivals`]), when it was first seen. Never in the future, never before there was a
//! web, and never "now". What was told once holds until the content changes.

use crate::error::StoreError;
use crate::past::Past;
use jiff::{SignedDuration, Timestamp};
use mapwright_web::date::WebDate;
use mapwright_web::page::facts::{DateFrom, PageDate};
use rusqlite::Connection;
use std::collections::HashMap;

/// From so many fetched pages on, one value on most of them is no page's date.
const FEW_PAGES: u64 = 20;

/// When the first page of the web was served. What is dated before is dated by nobody: 0 is a day of 1970.
const FIRST_PAGE: Timestamp = Timestamp::constant(681_436_800, 0);

/// A date in a sitemap that is so near to the request for it was made for the request.
const NEAR: SignedDuration = SignedDuration::from_secs(60);

/// By so much two nights may be nearer to each other than a day.
const NIGHTS_DIFFER: SignedDuration = SignedDuration::from_hours(3);

/// The dates of one run.
pub(crate) struct Dates<'c> {
    connection: &'c Connection,
    run: i64,
    now: Timestamp,
    /// The `Last-Modified` that stands on most pages.
    common: Option<String>,
    /// When each sitemap and feed was asked for, in this run and in those before: what a file says may stand since one of
    /// them. None where they give no dates.
    files: HashMap<u32, Vec<Timestamp>>,
}

/// A date as it is written, and where it comes from.
pub(crate) type Dated = Option<(String, String)>;

impl<'c> Dates<'c> {
    pub(crate) fn load(connection: &'c Connection, run: i64) -> Result<Self, StoreError> {
        let (common, files) = (common(connection, run)?, files(connection, run)?);
        Ok(Self { connection, run, now: Timestamp::now(), common, files })
    }

    /// The date of a listed page: what was told of it before, while that holds.
    pub(crate) fn of(&self, url: u32, past: Option<&Past>) -> Result<Dated, StoreError> {
        let Some(past) = past else { return self.listed(url) };
        if let Some(told) = past.standing().told.clone().filter(|told| !self.lies_ahead(told)) {
            return Ok(Some(told));
        }
        let time = |millis| Timestamp::from_millisecond(millis).ok();
        if let Some((before, seen)) = past.change.and_then(|(before, seen)| time(before).zip(time(seen))) {
            let dated = self.change(past, before, seen);
            if !self.lies_ahead(&dated) {
                return Ok(Some(dated));
            }
        }
        match self.own(&past.dates).or_else(|| self.header(past)) {
            Some(dated) => Ok(Some(dated)),
            None => self.listed(url),
        }
    }

    /// The date of a change that we saw: the page's own where it falls between the two visits and is as fine as they
    /// are, then the header's, else the time of the visit that saw it. A day is fine enough for nights that are not a
    /// day apart to the second, nor all of the same length.
    fn change(&self, past: &Past, before: Timestamp, seen: Timestamp) -> (String, String) {
        let fits = |date: &WebDate| {
            let finer = date.latest().duration_since(date.earliest()) <= seen.duration_since(before) + NIGHTS_DIFFER;
            finer && date.latest() >= before && date.earliest() <= seen
        };
        let own = past.dates.iter().filter(|d| d.from != DateFrom::Published && fits(&d.date)).min_by_key(|d| d.from);
        if let Some(own) = own {
            return (own.date.to_string(), source(own.from).to_owned());
        }
        let header = past.modified.as_deref().filter(|text| self.common.as_deref() != Some(text));
        match header.and_then(WebDate::parse_http).filter(fits) {
            Some(date) => (date.earliest().to_string(), "last-modified".to_owned()),
            None => (to_seconds(seen).to_string(), "change".to_owned()),
        }
    }

    /// What the page says of itself.
    fn own(&self, dates: &[PageDate]) -> Dated {
        let known = |date: &&PageDate| date.from != DateFrom::Published && self.is_plausible(&date.date);
        let best = dates.iter().filter(known).min_by_key(|date| date.from)?;
        Some((best.date.to_string(), source(best.from).to_owned()))
    }

    /// When a page was seen first, for one that was not there before.
    pub(crate) fn first_seen(&self, past: &Past) -> Dated {
        let seen = Timestamp::from_millisecond(past.first_seen).ok().filter(|seen| *seen >= FIRST_PAGE)?;
        let dated = (to_seconds(seen).to_string(), "first seen".to_owned());
        (!self.lies_ahead(&dated)).then_some(dated)
    }

    /// Whether a date that we gave lies in the future: our clock was fast then, and was set right.
    fn lies_ahead(&self, (date, _): &(String, String)) -> bool {
        WebDate::parse_w3c(date).is_some_and(|date| date.earliest() > self.now)
    }

    /// Neither in the future, nor before there was a web.
    fn is_plausible(&self, date: &WebDate) -> bool {
        date.earliest() <= self.now && date.latest() >= FIRST_PAGE
    }

    /// `Last-Modified`: plausible, not one value on most pages, and not later than the page was first seen to say what it
    /// says, as that of a file that was built again is. (One that is the time of the answer is not recorded.)
    fn header(&self, past: &Past) -> Dated {
        let text = past.modified.as_ref().filter(|text| self.common.as_ref() != Some(text))?;
        let date = WebDate::parse_http(text).filter(|date| self.is_plausible(date))?;
        let said_since = Timestamp::from_millisecond(past.change.map_or(past.first_seen, |(_, seen)| seen)).ok()?;
        if past.was_checked && date.earliest() > said_since {
            return None;
        }
        Some((date.earliest().to_string(), "last-modified".to_owned()))
    }

    /// The site's own sitemaps: the latest date that they give, but for the time at which they were asked for.
    fn listed(&self, url: u32) -> Result<Dated, StoreError> {
        if self.files.is_empty() {
            return Ok(None);
        }
        let mut select = self.connection.prepare_cached(
            "SELECT lastmod, file FROM entry WHERE +run = ? AND url = ? AND lastmod IS NOT NULL ORDER BY 1 DESC",
        )?;
        let mut rows = select.query((self.run, url))?;
        while let Some(row) = rows.next()? {
            let text: String = row.get(0)?;
            let asked = self.files.get(&row.get(1)?).map(Vec::as_slice).unwrap_or_default();
            let is_now = |date: &WebDate| {
                let near = |asked: &Timestamp| date.earliest().duration_since(*asked).abs() <= NEAR;
                date.earliest() == date.latest() && asked.iter().any(near)
            };
            if WebDate::parse_w3c(&text).is_some_and(|date| self.is_plausible(&date) && !is_now(&date)) {
                return Ok(Some((text, "sitemap".to_owned())));
            }
        }
        Ok(None)
    }
}

/// When each sitemap and feed of a run that gives dates was asked for, in all runs up to it that are remembered.
fn files(connection: &Connection, run: i64) -> Result<HashMap<u32, Vec<Timestamp>>, StoreError> {
    let mut select = connection.prepare(
        "SELECT v.url, v.at FROM visit v WHERE v.run <= ?1 AND v.last = 1
         AND v.url IN (SELECT DISTINCT file FROM entry WHERE run = ?1 AND lastmod IS NOT NULL)",
    )?;
    let rows = select.query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut files: HashMap<u32, Vec<Timestamp>> = HashMap::new();
    for row in rows {
        let (file, at): (u32, i64) = row?;
        files.entry(file).or_default().push(Timestamp::from_millisecond(at).unwrap_or(Timestamp::MIN));
    }
    Ok(files)
}

fn source(from: DateFrom) -> &'static str {
    match from {
        DateFrom::JsonLd => "json-ld",
        DateFrom::ArticleModified => "article:modified_time",
        DateFrom::OgUpdated => "og:updated_time",
        DateFrom::MetaLastModified | DateFrom::Published => "meta last-modified",
    }
}

/// Sitemaps tell whole seconds.
fn to_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}

/// The value of `Last-Modified` that stands on most of the fetched pages.
fn common(connection: &Connection, run: i64) -> Result<Option<String>, StoreError> {
    let (pages, favourite) = favourite(connection, run)?;
    let Some(text) = favourite.filter(|_| pages >= FEW_PAGES) else { return Ok(None) };
    let count: u64 = connection.query_row(
        "SELECT count(*) FROM visit WHERE run = ? AND last = 1 AND purpose = 0 AND status = 200 AND last_modified = ?",
        (run, &text),
        |row| row.get(0),
    )?;
    Ok((count * 2 > pages).then_some(text))
}

/// How many pages were fetched, and the one `Last-Modified` that may stand on most of them (Boyer and Moore's vote:
/// what has a majority outlives all that is set against it).
fn favourite(connection: &Connection, run: i64) -> Result<(u64, Option<String>), StoreError> {
    let mut select = connection
        .prepare("SELECT last_modified FROM visit WHERE run = ? AND last = 1 AND purpose = 0 AND status = 200")?;
    let mut rows = select.query([run])?;
    let (mut pages, mut lead, mut favourite) = (0, 0_u64, None);
    while let Some(row) = rows.next()? {
        pages += 1;
        let text = row.get_ref(0)?.as_str_or_null().unwrap_or_default();
        if text == favourite.as_deref() {
            lead += 1;
        } else if lead == 0 {
            (lead, favourite) = (1, text.map(str::to_owned));
        } else {
            lead -= 1;
        }
    }
    Ok((pages, favourite))
}
