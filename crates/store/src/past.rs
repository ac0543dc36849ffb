//! What is remembered of pages when they are judged: read beside their verdicts in one pass, and written back where
//! judging changed it. (Asked for page by page, the record takes longer to find a row than to read it.)

use crate::error::StoreError;
use crate::json;
use crate::lastmod::Dated;
use mapwright_web::page::facts::PageDate;
use rusqlite::{Connection, Row};
use std::collections::VecDeque;

/// Pages read at once.
const AT_ONCE: usize = 2_000;

/// What is remembered of one page.
#[derive(Debug, Default)]
pub(crate) struct Past {
    url: u32,
    /// `Last-Modified` of the last answer that was fine.
    pub(crate) modified: Option<String>,
    /// The dates that its last version gives.
    pub(crate) dates: Vec<PageDate>,
    /// The last change of its content that we saw: between these two visits, in milliseconds since 1970.
    pub(crate) change: Option<(i64, i64)>,
    /// When it was first checked, or else seen; in milliseconds since 1970.
    pub(crate) first_seen: i64,
    /// It was checked by an earlier run, or by this one when it was judged before.
    pub(crate) was_checked: bool,
    /// The version in which its present content first stood.
    pub(crate) since: Option<i64>,
    /// The same, once the content is judged: what is new has the content it has.
    since_checked: Option<i64>,
    standing: Standing,
    /// The standing is not what the record says.
    altered: bool,
    /// Its content was judged for this run, now or earlier.
    judged: bool,
    /// … now.
    checked: bool,
}

/// What judging may change.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Standing {
    /// The date that was told of it, which holds until the content changes, and where that came from.
    pub(crate) told: Dated,
    /// The first run in which it was listed, since it was out; none for one that is out.
    pub(crate) listed: Option<i64>,
    /// For how many runs it has been failing.
    pub(crate) failing: u32,
    /// The last run in which it failed.
    pub(crate) failed: Option<i64>,
}

impl Past {
    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    pub(crate) fn set_standing(&mut self, standing: Standing) {
        self.altered |= standing != self.standing;
        self.standing = standing;
    }

    /// Notes the date that is told of it; where none is, what was told before stays.
    pub(crate) fn tell(&mut self, dated: &Dated) {
        if dated.is_some() && *dated != self.standing.told {
            self.standing.told.clone_from(dated);
            self.altered = true;
        }
    }

    /// Notes that its content was checked in this run; once, however often the run is judged.
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
            standing: Standing {
                told: row.get::<_, Option<String>>(6)?.zip(row.get(7)?),
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

/// The pages that are remembered, in the order of their numbers.
#[derive(Debug)]
pub(crate) struct Pasts<'c> {
    connection: &'c Connection,
    /// The run that is judged.
    run: i64,
    waiting: VecDeque<Past>,
    /// The last page that was read; none is left beyond `None`.
    after: Option<i64>,
}

impl<'c> Pasts<'c> {
    pub(crate) fn new(connection: &'c Connection, run: i64) -> Self {
        Self { connection, run, waiting: VecDeque::new(), after: Some(-1) }
    }

    /// What is remembered of a URL, if anything. To be asked by rising numbers.
    pub(crate) fn of(&mut self, url: u32) -> Result<Option<Past>, StoreError> {
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
            self.waiting.push_back(Past::read(row)?);
        }
        self.after = self.waiting.back().map(|past| i64::from(past.url));
        Ok(())
    }

    /// Writes back what judging changed.
    pub(crate) fn keep(&self, past: &Past) -> Result<(), StoreError> {
        let Standing { told, listed, failing, failed } = &past.standing;
        let (lastmod, from) = told.as_ref().map(|(date, from)| (date, from)).unzip();
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
