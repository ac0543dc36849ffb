//! Pages whose newest version differs from the one compared before.

use crate::error::StoreError;
use crate::write::passages;
use mapwright_verdict::content::{BlockHash, Passage};
use rusqlite::{Connection, OptionalExtension, Row};

/// A known page whose version differs from the version compared before.
pub(crate) struct Candidate {
    pub(crate) url: u32,
    /// The version compared before.
    pub(super) judged: i64,
    pub(super) version: i64,
    /// Both versions were read under the same settings, so that their blocks can be compared.
    pub(super) comparable: bool,
    pub(super) slots: Vec<u8>,
    /// The last run in which its content was judged.
    pub(crate) checked_in: i64,
    /// The last earlier run that fetched the judged version with its body, not by revalidation.
    pub(crate) fetched_in: i64,
    /// The time of the last detected change, or of the first visit, in milliseconds since 1970.
    pub(crate) said_since: i64,
}

impl Candidate {
    /// The passages of the version compared before and of the new one; `None` where they are not comparable.
    pub(crate) fn texts(&self, connection: &Connection) -> Result<Option<[Vec<Passage>; 2]>, StoreError> {
        if !self.comparable {
            return Ok(None);
        }
        Ok(Some([Text::of(connection, self.judged)?.passages, Text::of(connection, self.version)?.passages]))
    }
}

/// The compared parts of a version.
pub(super) struct Text {
    pub(super) hash: i64,
    pub(super) passages: Vec<Passage>,
}

impl Text {
    pub(super) fn of(connection: &Connection, version: i64) -> Result<Self, StoreError> {
        let mut select = connection.prepare_cached("SELECT hash, title, blocks FROM version WHERE id = ?")?;
        let read = |row: &Row<'_>| {
            let title = row.get_ref(1)?.as_str_or_null()?;
            Ok(Self { hash: row.get(0)?, passages: passages::read(title, row.get_ref(2)?.as_blob()?) })
        };
        let text = select.query_row([version], read).optional()?;
        Ok(text.unwrap_or(Self { hash: 0, passages: Vec::new() }))
    }

    /// Its text blocks of any role, without the title, which is in no part of the page that a user selects.
    pub(super) fn says(&self) -> Vec<BlockHash> {
        let is_text = |passage: &&Passage| passage.bytes > 0;
        self.passages.iter().filter(is_text).map(|passage| passage.text).collect()
    }
}

pub(super) fn candidates(connection: &Connection, run: i64) -> Result<Vec<Candidate>, StoreError> {
    let mut select = connection.prepare(
        "SELECT m.url, m.content, v.version, m.slots, m.content_basis = m.basis, coalesce(m.judged, 0),
             coalesce(m.changed, m.first, 0),
             (SELECT max(w.run) FROM visit w
              WHERE w.url = m.url AND w.run < ?1 AND w.version = m.content AND w.reused = 0)
         FROM visit v
         JOIN memory m ON m.url = v.url AND m.version = v.version
         WHERE v.run = ?1 AND v.last = 1 AND v.purpose = 0 AND v.outcome IN (0, 1)
             AND m.content <> v.version",
    )?;
    let rows = select.query_map([run], |row| {
        Ok(Candidate {
            url: row.get(0)?,
            judged: row.get(1)?,
            version: row.get(2)?,
            slots: row.get::<_, Option<Vec<u8>>>(3)?.unwrap_or_default(),
            comparable: row.get::<_, Option<bool>>(4)?.unwrap_or(false),
            checked_in: row.get(5)?,
            said_since: row.get(6)?,
            fetched_in: row.get::<_, Option<i64>>(7)?.unwrap_or(i64::MAX),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
