//! The state of pages from earlier runs, read during judging in one pass and written back where it changed. One pass,
//! because looking up a row takes longer than reading it.

use crate::error::StoreError;
use crate::schema::json;
use mapwright_web::page::facts::PageDate;
use rusqlite::{Connection, Row};
use std::collections::VecDeque;

/// The number of pages read at once.
const AT_ONCE: usize = 2_000;

/// The state of one page from earlier runs.
#[derive(Debug, Default)]
pub(crate) struct PageState {
    url: u32,
    /// `Last-Modified` of the last successful response.
    pub(crate) modified: Option<String>,
    /// The dates in its last version.
    pub(crate) dates: Vec<PageDate>,
    /// The two visits between which its content last changed, in milliseconds since 1970.
    pub(crate) change: Option<(i64, i64)>,
    /// The time of the first check, else of the last visit, in milliseconds since 1970.
    pub(crate) first_seen: i64,
    /// It was checked by an earlier run, or by an earlier judging of this run.
    pub(crate) was_checked: bool,
    /// The first version with its current content.
    pub(crate) since: Option<i64>,
    /// The value of `since` after the content is checked; for a new page, its current version.
    since_checked: Option<i64>,
    listing_state: ListingState,
    /// The state differs from the record and must be written back.
    altered: bool,
    /// Its content was checked for this run, in this judging or an earlier one.
    judged: bool,
    /// Its content was checked in this judging.
    checked: bool,
}

/// The state that judging may change.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct ListingState {
    /// The date published for it, which is valid until the content changes, and the source of the date.
    pub(crate) published_date: Dated,
    /// The first run in which it was listed since it was last excluded; `None` while it is excluded.
    pub(crate) listed: Option<i64>,
    /// The number of runs for which it has been failing.
    pub(crate) failing: u32,
    /// The last run in which it failed.
    pub(crate) failed: Option<i64>,
}

impl PageState {
    pub(crate) fn listing_state(&self) -> &ListingState {
        &self.listing_state
    }

    pub(crate) fn set_listing_state(&mut self, listing_state: ListingState) {
        self.altered |= listing_state != self.listing_state;
        self.listing_state = listing_state;
    }

    /// Stores the published date; without one, the earlier date stays.
    pub(crate) fn set_published_date(&mut self, dated: &Dated) {
        if dated.is_some() && *dated != self.listing_state.published_date {
            self.listing_state.published_date.clone_from(dated);
            self.altered = true;
        }
    }

    /// Marks its content as checked in this run; once, however often the run is judged.
    pub(crate) fn check(&mut self) {
        if !self.judged {
            (self.judged, self.checked, self.since) = (true, true, self.since_checked);
        }
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            url: row.get(0)?,
            modified: row.get(1)?,
            dates: row.get(2).map(json::or_default)?,
            change: row.get::<_, Option<i64>>(3)?.zip(row.get(4)?),
            first_seen: row.get(13)?,
            was_checked: row.get(14)?,
            since: row.get(5)?,
            since_checked: row.get(11)?,
            listing_state: ListingState {
                published_date: row.get::<_, Option<String>>(6)?.zip(row.get(7)?),
                listed: row.get(8)?,
                failing: row.get(9)?,
                failed: row.get(10)?,
            },
            altered: false,
            judged: row.get(12)?,
            checked: false,
        })
    }
}

/// The states of all pages, in the order of their numbers.
#[derive(Debug)]
pub(crate) struct PageStates<'c> {
    connection: &'c Connection,
    /// The run that is judged.
    run: i64,
    waiting: VecDeque<PageState>,
    /// The number of the last page that was read; `None` when all are read.
    after: Option<i64>,
}

impl<'c> PageStates<'c> {
    pub(crate) fn new(connection: &'c Connection, run: i64) -> Self {
        Self { connection, run, waiting: VecDeque::new(), after: Some(-1) }
    }

    /// The state of a URL, if the record has one. Must be called with ascending numbers.
    pub(crate) fn of(&mut self, url: u32) -> Result<Option<PageState>, StoreError> {
        loop {
            match self.waiting.front() {
                Some(past) if past.url < url => drop(self.waiting.pop_front()),
                Some(past) if past.url == url => return Ok(self.waiting.pop_front()),
                Some(_) => return Ok(None),
                None if self.after.is_none() => return Ok(None),
                None => self.read_on()?,
            }
        }
    }

    fn read_on(&mut self) -> Result<(), StoreError> {
        let mut select = self.connection.prepare_cached(
            "SELECT m.url, m.last_modified, x.dates, m.changed_after, m.changed, m.since, m.lastmod, m.lastmod_from,
                    m.listed, m.failing, m.failed, coalesce(m.since, m.content, m.version), m.judged IS ?1,
                    coalesce(m.first, m.at), m.first IS NOT NULL
             FROM memory m LEFT JOIN version x ON x.id = m.version
             WHERE m.url > ?2 ORDER BY m.url LIMIT ?3",
        )?;
        let mut rows = select.query((self.run, self.after, AT_ONCE))?;
        while let Some(row) = rows.next()? {
            self.waiting.push_back(PageState::read(row)?);
        }
        self.after = self.waiting.back().map(|past| i64::from(past.url));
        Ok(())
    }

    /// Writes the state of a page back if judging changed it.
    pub(crate) fn keep(&self, past: &PageState) -> Result<(), StoreError> {
        let ListingState { published_date, listed, failing, failed } = &past.listing_state;
        let (lastmod, from) = published_date.as_ref().map(|(date, from)| (date, from)).unzip();
        if past.checked {
            let sql =
                "UPDATE memory SET lastmod = ?, lastmod_from = ?, listed = ?, failing = ?, failed = ?, judged = ?,
                           content_basis = basis, checked = at, checks = checks + 1, first = coalesce(first, at),
                           since = coalesce(since, content, version), content = coalesce(content, version)
                       WHERE url = ?";
            let mut update = self.connection.prepare_cached(sql)?;
            update.execute((lastmod, from, listed, failing, failed, self.run, past.url))?;
        } else if past.altered {
            let sql =
                "UPDATE memory SET lastmod = ?, lastmod_from = ?, listed = ?, failing = ?, failed = ? WHERE url = ?";
            let mut update = self.connection.prepare_cached(sql)?;
            update.execute((lastmod, from, listed, failing, failed, past.url))?;
        }
        Ok(())
    }
}

/// A date as text, and its source.
pub(crate) type Dated = Option<(String, String)>;
