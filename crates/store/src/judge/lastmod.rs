//! Determines when a page was last modified.
//!
//! The sources, in this order: a change of the content seen between two visits, the page's own date (JSON-LD, then
//! `article:modified_time`, then the older metas), a plausible `Last-Modified`, the site's own sitemap, and for a new
//! page ([`crate::judge::new_pages`]) the first visit. A date is never in the future, never before the first web page, and
//! never "now": `Last-Modified` and the page's own date are not stored where they are the time of the response
//! (`engine/src/reading/head.rs`). A published date stays valid until the content changes.

use crate::error::StoreError;
use crate::judge::page_states::{Dated, PageState};
use jiff::{SignedDuration, Timestamp};
use mapwright_web::date::WebDate;
use mapwright_web::page::facts::{DateFrom, PageDate};
use rusqlite::Connection;
use std::collections::HashMap;

/// The number of fetched pages from which on a value that most of them have is no page's own date.
const FEW_PAGES: u64 = 20;

/// The time of the first web page. An earlier date is a mistake, such as 0 for a day of 1970.
const FIRST_PAGE: Timestamp = Timestamp::constant(681_436_800, 0);

/// The distance from the time of the request within which a date in a sitemap was generated for the request.
const NEAR: SignedDuration = SignedDuration::from_secs(60);

/// The tolerance by which two daily runs may be less than a day apart.
const RUNS_DIFFER: SignedDuration = SignedDuration::from_hours(3);

/// The dates of one run.
pub(crate) struct Dates<'c> {
    connection: &'c Connection,
    run: i64,
    now: Timestamp,
    /// The `Last-Modified` value that most pages have.
    common: Option<String>,
    /// The times at which each sitemap and feed was requested, in this and earlier runs, since a date may have been
    /// generated for any of these requests. Only for files that give dates.
    files: HashMap<u32, Vec<Timestamp>>,
}

impl<'c> Dates<'c> {
    pub(crate) fn load(connection: &'c Connection, run: i64) -> Result<Self, StoreError> {
        let (common, files) = (common(connection, run)?, files(connection, run)?);
        Ok(Self { connection, run, now: Timestamp::now(), common, files })
    }

    /// The date of a listed page: the date published before while it is valid, else the best source.
    pub(crate) fn of(&self, url: u32, past: Option<&PageState>) -> Result<Dated, StoreError> {
        let Some(past) = past else { return self.listed(url) };
        if let Some(published) =
            past.listing_state().published_date.clone().filter(|published| !self.lies_ahead(published))
        {
            return Ok(Some(published));
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

    /// The date of a change between two visits: the page's own date if it falls between them and is at least as
    /// precise, then that of the header, else the time of the visit that saw the change. Daily runs are not exactly a
    /// day apart, so a date without a time is precise enough for them.
    fn change(&self, past: &PageState, before: Timestamp, seen: Timestamp) -> (String, String) {
        let fits = |date: &WebDate| {
            let finer = date.latest().duration_since(date.earliest()) <= seen.duration_since(before) + RUNS_DIFFER;
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

    /// The page's own date.
    fn own(&self, dates: &[PageDate]) -> Dated {
        let known = |date: &&PageDate| date.from != DateFrom::Published && self.is_plausible(&date.date);
        let best = dates.iter().filter(known).min_by_key(|date| date.from)?;
        Some((best.date.to_string(), source(best.from).to_owned()))
    }

    /// The time of the first visit, for a new page.
    pub(crate) fn first_seen(&self, past: &PageState) -> Dated {
        let seen = Timestamp::from_millisecond(past.first_seen).ok().filter(|seen| *seen >= FIRST_PAGE)?;
        let dated = (to_seconds(seen).to_string(), "first seen".to_owned());
        (!self.lies_ahead(&dated)).then_some(dated)
    }

    /// Reports whether a date that mapwright published lies in the future because the clock was fast and was corrected.
    fn lies_ahead(&self, (date, _): &(String, String)) -> bool {
        WebDate::parse_w3c(date).is_some_and(|date| date.earliest() > self.now)
    }

    /// Reports whether a date is neither in the future nor before the first web page.
    fn is_plausible(&self, date: &WebDate) -> bool {
        date.earliest() <= self.now && date.latest() >= FIRST_PAGE
    }

    /// The date of `Last-Modified`, if it is plausible, not the value that most pages have, and not later than the
    /// visit that first saw the current content, as for a file that was rebuilt without a change. (A value equal to the
    /// time of the response is not stored.)
    fn header(&self, past: &PageState) -> Dated {
        let text = past.modified.as_ref().filter(|text| self.common.as_ref() != Some(text))?;
        let date = WebDate::parse_http(text).filter(|date| self.is_plausible(date))?;
        let said_since = Timestamp::from_millisecond(past.change.map_or(past.first_seen, |(_, seen)| seen)).ok()?;
        if past.was_checked && date.earliest() > said_since {
            return None;
        }
        Some((date.earliest().to_string(), "last-modified".to_owned()))
    }

    /// The latest date that the site's own sitemaps give, except for dates generated at the time of the request.
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
            let requested = self.files.get(&row.get(1)?).map(Vec::as_slice).unwrap_or_default();
            let is_now = |date: &WebDate| {
                let near = |requested: &Timestamp| date.earliest().duration_since(*requested).abs() <= NEAR;
                date.earliest() == date.latest() && requested.iter().any(near)
            };
            if WebDate::parse_w3c(&text).is_some_and(|date| self.is_plausible(&date) && !is_now(&date)) {
                return Ok(Some((text, "sitemap".to_owned())));
            }
        }
        Ok(None)
    }
}

/// The times at which each sitemap and feed with dates was requested, in this run and all earlier runs of the record.
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

/// Truncates a time to full seconds, as sitemaps give it.
fn to_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}

/// The value of `Last-Modified` that more than half of the fetched pages have.
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

/// The number of fetched pages, and the only `Last-Modified` that more than half of them can have (the majority vote of
/// Boyer and Moore).
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
