//! When a page last changed, as far as anything tells.
//!
//! In this order: the page's own date (JSON-LD, then `article:modified_time`, then the older metas), `Last-Modified`
//! where plausible, the site's own sitemap. Never in the future, and never "now".

use crate::error::StoreError;
use jiff::{SignedDuration, Timestamp};
use mapwright_web::date::WebDate;
use mapwright_web::page::facts::{DateFrom, PageDate};
use rusqlite::{Connection, OptionalExtension};

/// A `Last-Modified` so near to the time of the request is the time of the request.
const NEAR: SignedDuration = SignedDuration::from_secs(5);
/// From so many fetched pages on, one value on most of them is no page's date.
const FEW_PAGES: u64 = 20;

/// The dates of one run.
pub(crate) struct Dates<'c> {
    connection: &'c Connection,
    run: i64,
    now: Timestamp,
    /// The `Last-Modified` that stands on most pages.
    common: Option<String>,
}

/// A date as it is written, and where it comes from.
pub(crate) type Dated = Option<(String, &'static str)>;

impl<'c> Dates<'c> {
    pub(crate) fn load(connection: &'c Connection, run: i64) -> Result<Self, StoreError> {
        Ok(Self { connection, run, now: Timestamp::now(), common: common(connection, run)? })
    }

    /// The date of a listed page. (`+run` keeps SQLite from scanning the whole run: the index by URL is the one to use.)
    pub(crate) fn of(&self, url: u32) -> Result<Dated, StoreError> {
        let mut select = self.connection.prepare_cached(
            "SELECT v.at, v.last_modified, json_extract(x.facts, '$.dates')
             FROM visit v LEFT JOIN version x ON x.id = v.version
             WHERE +v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0",
        )?;
        let row: Option<(i64, Option<String>, Option<String>)> =
            select.query_row((self.run, url), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
        let Some((at, modified, dates)) = row else { return Ok(None) };
        if let Some(found) = dates.and_then(|json| self.own(&json)).or_else(|| self.header(at, modified)) {
            return Ok(Some(found));
        }
        self.listed(url)
    }

    /// What the page says of itself.
    fn own(&self, json: &str) -> Dated {
        let dates: Vec<PageDate> = serde_json::from_str(json).unwrap_or_default();
        let best = dates
            .into_iter()
            .filter(|date| date.from != DateFrom::Published && date.date.earliest() <= self.now)
            .min_by_key(|date| date.from)?;
        let from = match best.from {
            DateFrom::JsonLd => "json-ld",
            DateFrom::ArticleModified => "article:modified_time",
            DateFrom::OgUpdated => "og:updated_time",
            DateFrom::MetaLastModified | DateFrom::Published => "meta last-modified",
        };
        Some((best.date.to_string(), from))
    }

    /// `Last-Modified`: not the future, not the time of the request, not one value on most pages.
    fn header(&self, at: i64, modified: Option<String>) -> Dated {
        let text = modified.filter(|text| self.common.as_ref() != Some(text))?;
        let date = WebDate::parse_http(&text)?.earliest();
        let asked = Timestamp::from_millisecond(at).ok()?;
        let plausible = date <= self.now && asked.duration_since(date) > NEAR;
        plausible.then(|| (date.to_string(), "last-modified"))
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
                return Ok(Some((text, "sitemap")));
            }
        }
        Ok(None)
    }
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
