//! What is other in one run than in another.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_engine::Outcome;
use mapwright_verdict::Reason;
use rusqlite::Row;

/// A URL in which two runs differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The URL.
    pub url: String,
    /// How the first run saw it; `None` where it did not meet it.
    pub before: Option<Seen>,
    /// How the second run saw it.
    pub now: Option<Seen>,
    /// Both runs saw its content, and it is another.
    changed: bool,
}

/// How one run saw a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// What became of it; `None` where it was met and not asked for.
    pub outcome: Option<Outcome>,
    /// The status; that which a 304 vouches for.
    pub status: Option<u16>,
    /// Why there was no answer.
    pub failure: Option<String>,
    /// Where it redirected.
    pub redirect: Option<String>,
    /// Why it was left out of the sitemap; `None` where it was in.
    pub reason: Option<Reason>,
}

impl Difference {
    /// A URL that the second run met and the first did not.
    #[must_use]
    pub fn is_added(&self) -> bool {
        self.before.is_none()
    }

    /// A URL that the first run met and the second did not: nothing that was read leads there
    /// any more, or its turn did not come.
    #[must_use]
    pub fn is_removed(&self) -> bool {
        self.now.is_none()
    }

    /// Both runs saw its content, and it is another. (A content that came back is not.)
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Both runs met it, and the answer is another; a redirect's is where it leads.
    #[must_use]
    pub fn has_other_status(&self) -> bool {
        let status = |seen: &Seen| (seen.outcome, seen.status, seen.failure.clone(), seen.redirect.clone());
        self.before.as_ref().zip(self.now.as_ref()).is_some_and(|(before, now)| status(before) != status(now))
    }

    /// It came into the sitemap.
    #[must_use]
    pub fn came_in(&self) -> bool {
        !was_listed(&self.before) && was_listed(&self.now)
    }

    /// It left the sitemap.
    #[must_use]
    pub fn went_out(&self) -> bool {
        was_listed(&self.before) && !was_listed(&self.now)
    }
}

fn was_listed(seen: &Option<Seen>) -> bool {
    seen.as_ref().is_some_and(|seen| seen.reason.is_none())
}

/// How a run saw each URL that it met; 3 is the code of [`Outcome::Redirect`].
macro_rules! seen_by {
    ($run:literal) => {
        concat!(
            "SELECT d.url, d.reason, d.content, v.outcome, v.status, v.failure,
                    CASE v.outcome WHEN 3 THEN v.target END AS redirect
             FROM verdict d LEFT JOIN visit v ON v.url = d.url AND v.run = d.run AND v.last = 1 AND v.purpose = 0
             WHERE d.run = ",
            $run
        )
    };
}

const SELECT: &str = concat!(
    "WITH before AS MATERIALIZED (",
    seen_by!("?1"),
    "), now AS MATERIALIZED (",
    seen_by!("?2"),
    ")
    SELECT u.text, b.url, b.reason, b.outcome, b.status, b.failure, br.text,
           n.url, n.reason, n.outcome, n.status, n.failure, nr.text,
           b.content <> n.content AND NOT EXISTS (
               SELECT 1 FROM version x JOIN version y ON y.id = n.content
               WHERE x.id = b.content AND y.blocks = x.blocks AND (length(x.blocks) > 0 OR y.hash = x.hash)) AS changed
    FROM before b FULL JOIN now n ON n.url = b.url JOIN url u ON u.id = coalesce(b.url, n.url)
    LEFT JOIN url br ON br.id = b.redirect LEFT JOIN url nr ON nr.id = n.redirect
    WHERE (b.outcome IS NOT NULL OR n.outcome IS NOT NULL)
        AND (b.url IS NULL OR n.url IS NULL OR b.outcome IS NOT n.outcome OR b.status IS NOT n.status
            OR b.failure IS NOT n.failure OR b.redirect IS NOT n.redirect
            OR (b.reason IS NULL) <> (n.reason IS NULL) OR changed)
    ORDER BY u.text"
);

impl Record {
    /// Hands over every URL in which run `now` differs from run `before`, by URL.
    ///
    /// # Errors
    /// When the record cannot be read; and the errors of `take`.
    pub fn diff<E: From<StoreError>>(
        &self,
        before: i64,
        now: i64,
        mut take: impl FnMut(Difference) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut select = self.connection.prepare(SELECT).map_err(StoreError::from)?;
        let mut rows = select.query([before, now]).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            take(difference(row).map_err(StoreError::from)?)?;
        }
        Ok(())
    }
}

fn difference(row: &Row<'_>) -> rusqlite::Result<Difference> {
    Ok(Difference {
        url: row.get(0)?,
        before: seen(row, 1)?,
        now: seen(row, 7)?,
        changed: row.get::<_, Option<bool>>(13)?.unwrap_or_default(),
    })
}

/// What stands from column `at` on.
fn seen(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Seen>> {
    if row.get::<_, Option<u32>>(at)?.is_none() {
        return Ok(None);
    }
    Ok(Some(Seen {
        reason: row.get::<_, Option<u8>>(at + 1)?.map(|code| Reason::from_code(code).unwrap_or(Reason::Failed)),
        outcome: row.get::<_, Option<usize>>(at + 2)?.and_then(|code| Outcome::ALL.get(code).copied()),
        status: row.get(at + 3)?,
        failure: row.get(at + 4)?,
        redirect: row.get(at + 5)?,
    }))
}
