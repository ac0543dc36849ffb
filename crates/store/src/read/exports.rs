//! Exports: tables of the newest run for other programs, streamed row by row.

use crate::error::StoreError;
use crate::record::Record;
use rusqlite::types::ValueRef;

/// A table that can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    /// The URLs that were requested as pages, or were to be.
    Pages,
    /// The links of its pages.
    Links,
    /// The URLs left out of the sitemap.
    Excluded,
    /// Redirects with their final targets.
    Redirects,
}

/// One field of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'r> {
    /// Nothing.
    None,
    /// An integer.
    Number(i64),
    /// A text.
    Text(&'r str),
}

impl Export {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Pages, Self::Links, Self::Excluded, Self::Redirects];

    /// The name of the export on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Links => "links",
            Self::Excluded => "excluded",
            Self::Redirects => "redirects",
        }
    }

    /// The names of its columns.
    #[must_use]
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Pages => &[
                "url",
                "status",
                "outcome",
                "failure",
                "media",
                "body_bytes",
                "first_byte_ms",
                "total_ms",
                "redirect",
                "canonical",
                "noindex",
                "nofollow",
                "depth",
                "inlinks",
                "title",
                "description",
                "lastmod",
                "lastmod_from",
                "listed",
                "reason",
                "reused",
                "kept",
            ],
            Self::Links => {
                &["source", "target", "kind", "region", "anchor", "fragment", "nofollow", "ugc", "sponsored"]
            }
            Self::Excluded => &["url", "reason", "evidence", "status", "failure"],
            Self::Redirects => &["url", "status", "target", "final", "final_status", "hops"],
        }
    }

    fn select(self) -> String {
        let columns = self.columns().join(", ");
        match self {
            Self::Pages => format!("SELECT {columns} FROM v_pages WHERE run = ? ORDER BY url"),
            Self::Links => format!("SELECT {columns} FROM v_links WHERE run = ?"),
            Self::Excluded => EXCLUDED.to_owned(),
            Self::Redirects => REDIRECTS.to_owned(),
        }
    }
}

const EXCLUDED: &str = "
    SELECT u.text, r.name, e.text, v.status, v.failure
    FROM verdict d JOIN url u ON u.id = d.url
    JOIN reason_name r ON r.code = d.reason
    LEFT JOIN url e ON e.id = d.evidence
    LEFT JOIN visit v ON v.run = d.run AND v.seq = (
        SELECT seq FROM visit WHERE +run = d.run AND url = d.url AND last = 1 ORDER BY purpose, seq DESC LIMIT 1)
    WHERE d.run = ? ORDER BY d.reason, u.text";

/// The query follows up to twenty hops, which also ends loops.
const REDIRECTS: &str = "
    WITH RECURSIVE answer AS MATERIALIZED (
        SELECT url, status, target FROM visit
        WHERE run = ? AND last = 1 AND purpose = 0),
    hop (start, at, hops) AS (
        SELECT url, target, 1 FROM answer WHERE target IS NOT NULL
        UNION ALL
        SELECT h.start, a.target, h.hops + 1 FROM hop h JOIN answer a ON a.url = h.at
        WHERE a.target IS NOT NULL AND h.hops < 20),
    last AS (SELECT start, at, hops, row_number() OVER (PARTITION BY start ORDER BY hops DESC) AS back FROM hop)
    SELECT u.text, a.status, t.text, f.text, e.status, l.hops
    FROM last l JOIN answer a ON a.url = l.start
    JOIN url u ON u.id = l.start JOIN url t ON t.id = a.target JOIN url f ON f.id = l.at
    LEFT JOIN answer e ON e.url = l.at
    WHERE l.back = 1 ORDER BY u.text";

impl Record {
    /// Passes the rows of `what` in the newest run to `take`, one after another.
    ///
    /// # Errors
    /// When the record cannot be read; and the errors of `take`.
    pub fn export<E: From<StoreError>>(
        &self,
        what: Export,
        mut take: impl FnMut(&[Cell<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut select = self.connection.prepare(&what.select()).map_err(StoreError::from)?;
        let mut rows = select.query([self.run]).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            let cell = |at: usize| row.get_ref(at).map(cell);
            let cells: Vec<Cell<'_>> =
                (0..what.columns().len()).map(cell).collect::<Result<_, _>>().map_err(StoreError::from)?;
            take(&cells)?;
        }
        Ok(())
    }
}

fn cell(value: ValueRef<'_>) -> Cell<'_> {
    match value {
        ValueRef::Integer(number) => Cell::Number(number),
        ValueRef::Text(bytes) => Cell::Text(std::str::from_utf8(bytes).unwrap_or_default()),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Cell::None,
    }
}
