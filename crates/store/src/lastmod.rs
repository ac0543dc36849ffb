//! When a page last changed, as far as anything tells.
//!
//! In this order: the first date of a change of its content between our own visits, the page's own date (JSON-LD, then
//! `article:modified_time`, then the older metas), `Last-Modified` where plausible, the site's own sitemap. Never in the
//! future, and never "now". What was told once holds until the content changes.

use crate::error::StoreError;
use jiff::Timestamp;
use mapwright_web::date::WebDate;
use mapwright_web::page::facts::{DateFrom, PageDate};
use rusqlite::{Connection, OptionalExtension};

/// From so many fetched pages on, one value on most of them is no page's date.
const FEW_PAGES: u64 = 20;

/// The dates of one run.
pub(crate) struct Dates<'c> {
    connection: &'c Connection,
    run: i64,
    now: Timestamp,
    /// The `Last-Modified` that stands on most pages.
    common: Option<String>,
    /// What is told is remembered.
    remembers: bool,
}

/// A date as it is written, and where it comes from.
pub(crate) type Dated = Option<(String, String)>;

/// What is known of a page's dates.
struct Page {
    modified: Option<String>,
    dates: Vec<PageDate>,
    /// What was told of it before, and still holds.
    told: Dated,
    /// A change of its content that we saw, and for which no date was told yet: between these two visits.
    change: Option<(Timestamp, Timestamp)>,
}

impl<'c> Dates<'c> {
    pub(crate) fn load(connection: &'c Connection, run: i64, remembers: bool) -> Result<Self, StoreError> {
        Ok(Self { connection, run, now: Timestamp::now(), common: common(connection, run)?, remembers })
    }

    /// The date of a listed page, which is remembered: it holds until the content changes.
    pub(crate) fn of(&self, url: u32) -> Result<Dated, StoreError> {
        let Some(page) = self.page(url)? else { return self.listed(url) };
        if page.told.is_some() {
            return Ok(page.told);
        }
        let dated = match page.change {
            Some((before, seen)) => Some(self.change(&page, before, seen)),
            None => match self.own(&page).or_else(|| self.header(&page)) {
                Some(dated) => Some(dated),
                None => self.listed(url)?,
            },
        };
        if let Some((date, from)) = dated.as_ref().filter(|_| self.remembers) {
            self.connection
                .prepare_cached("UPDATE memory SET lastmod = ?, lastmod_from = ? WHERE url = ?")?
                .execute((date, from, url))?;
        }
        Ok(dated)
    }

    /// (`+run` keeps SQLite from scanning the whole run: the index by URL is the one to use.)
    fn page(&self, url: u32) -> Result<Option<Page>, StoreError> {
        let mut select = self.connection.prepare_cached(
            "SELECT v.last_modified, x.dates, m.lastmod, m.lastmod_from, m.changed_after,
                    m.changed
             FROM visit v LEFT JOIN memory m ON m.url = v.url LEFT JOIN version x ON x.id = v.version
             WHERE +v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0",
        )?;
        let time = |millis: Option<i64>| millis.and_then(|millis| Timestamp::from_millisecond(millis).ok());
        let row = select.query_row((self.run, url), |row| {
            let dates: Option<String> = row.get(1)?;
            Ok(Page {
                modified: row.get(0)?,
                dates: dates.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default(),
                told: row.get::<_, Option<String>>(2)?.zip(row.get(3)?),
                change: time(row.get(4)?).zip(time(row.get(5)?)),
            })
        });
        Ok(row.optional()?)
    }

    /// The date of a change that we saw: the page's own where it falls between the two visits and is finer than they
    /// are, then the header's, else the time of the visit that saw it.
    fn change(&self, page: &Page, before: Timestamp, seen: Timestamp) -> (String, String) {
        let fits = |date: &WebDate| {
            let finer = date.latest().duration_since(date.earliest()) <= seen.duration_since(before);
            finer && date.latest() >= before && date.earliest() <= seen
        };
        let own = page.dates.iter().filter(|d| d.from != DateFrom::Published && fits(&d.date)).min_by_key(|d| d.from);
        if let Some(own) = own {
            return (own.date.to_string(), source(own.from).to_owned());
        }
        let header = page.modified.as_deref().filter(|text| self.common.as_deref() != Some(text));
        match header.and_then(WebDate::parse_http).filter(fits) {
            Some(date) => (date.earliest().to_string(), "last-modified".to_owned()),
            None => (to_seconds(seen).to_string(), "change".to_owned()),
        }
    }

    /// What the page says of itself.
    fn own(&self, page: &Page) -> Dated {
        let known = |date: &&PageDate| date.from != DateFrom::Published && date.date.earliest() <= self.now;
        let best = page.dates.iter().filter(known).min_by_key(|date| date.from)?;
        Some((best.date.to_string(), source(best.from).to_owned()))
    }

    /// `Last-Modified`: not the future, not one value on most pages. (One that is the time of the answer is not recorded.)
    fn header(&self, page: &Page) -> Dated {
        let text = page.modified.as_ref().filter(|text| self.common.as_ref() != Some(text))?;
        let date = WebDate::parse_http(text)?.earliest();
        (date <= self.now).then(|| (date.to_string(), "last-modified".to_owned()))
    }

    /// The site's own sitemaps: the latest date that they give.
    fn listed(&self, url: u32) -> Result<Dated, StoreError> {
        let mut select = self.connection.prepare_cached(
            "SELECT lastmod FROM entry WHERE +run = ? AND url = ? AND lastmod IS NOT NULL ORDER BY 1 DESC",
        )?;
        let mut rows = select.query((self.run, url))?;
        while let Some(row) = rows.next()? {
            let text: String = row.get(0)?;
            if WebDate::parse_w3c(&text).is_some_and(|date| date.earliest() <= self.now) {
                return Ok(Some((text, "sitemap".to_owned())));
            }
        }
        Ok(None)
    }
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
    let (pages, most): (u64, Option<(String, u64)>) = (
        connection.query_row(
            "SELECT count(*) FROM visit WHERE run = ? AND last = 1 AND purpose = 0 AND status = 200",
            [run],
            |row| row.get(0),
        )?,
        connection
            .query_row(
                "SELECT last_modified, count(*) AS n FROM visit
                 WHERE run = ? AND last = 1 AND purpose = 0 AND status = 200 AND last_modified IS NOT NULL
                 GROUP BY last_modified ORDER BY n DESC LIMIT 1",
                [run],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?,
    );
    Ok(most.filter(|(_, count)| pages >= FEW_PAGES && count * 2 > pages).map(|(text, _)| text))
}
