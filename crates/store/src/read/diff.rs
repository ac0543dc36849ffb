//! The differences between two runs.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_model::Outcome;
use mapwright_verdict::Reason;
use rusqlite::Row;

/// A URL in which two runs differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The URL.
    pub url: String,
    /// Its state in the first run; `None` where it was not found.
    pub before: Option<UrlState>,
    /// Its state in the second run; `None` where it was not found.
    pub now: Option<UrlState>,
    /// Its content changed between the runs.
    changed: bool,
    /// Its titles before and now, if both runs read the page and they differ.
    titles: Option<[String; 2]>,
    /// The versions that both runs saw, if they read it.
    pub(super) versions: Option<[i64; 2]>,
}

/// The state of a URL in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlState {
    /// The outcome of its visit; `None` where it was found and not requested.
    pub outcome: Option<Outcome>,
    /// The status; for a 304, the status of the revalidated response.
    pub status: Option<u16>,
    /// Why there was no answer.
    pub failure: Option<String>,
    /// The target of its redirect.
    pub redirect: Option<String>,
    /// The reason for its exclusion; `None` where it was listed.
    pub reason: Option<Reason>,
}

impl Difference {
    /// Returns true for a URL that only the second run found.
    #[must_use]
    pub fn is_added(&self) -> bool {
        self.before.is_none()
    }

    /// Returns true for a URL that only the first run found: it is no longer linked, or the second run did not get that
    /// far.
    #[must_use]
    pub fn is_removed(&self) -> bool {
        self.now.is_none()
    }

    /// Returns true if both runs fetched the page and its content changed. Content that changed and changed back is no
    /// change.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Returns the titles before and now, if both runs read the page and they differ; a page without a title has an
    /// empty one.
    #[must_use]
    pub fn titles(&self) -> Option<&[String; 2]> {
        self.titles.as_ref()
    }

    /// Returns true if both runs found the URL and its status, failure or redirect target changed.
    #[must_use]
    pub fn is_status_changed(&self) -> bool {
        let status = |seen: &UrlState| (seen.outcome, seen.status, seen.failure.clone(), seen.redirect.clone());
        self.before.as_ref().zip(self.now.as_ref()).is_some_and(|(before, now)| status(before) != status(now))
    }

    /// Returns true if the URL was added to the sitemap.
    #[must_use]
    pub fn is_added_to_sitemap(&self) -> bool {
        !was_listed(&self.before) && was_listed(&self.now)
    }

    /// Returns true if the URL was removed from the sitemap.
    #[must_use]
    pub fn is_removed_from_sitemap(&self) -> bool {
        was_listed(&self.before) && !was_listed(&self.now)
    }
}

fn was_listed(seen: &Option<UrlState>) -> bool {
    seen.as_ref().is_some_and(|seen| seen.reason.is_none())
}

/// Selects the state of each URL in a run; 0 is the code of [`Outcome::Page`], and 3 that of [`Outcome::Redirect`].
macro_rules! seen_by {
    ($run:literal) => {
        concat!(
            "SELECT d.url, d.reason, d.content, v.version, v.outcome, v.status, v.failure,
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
               WHERE x.id = b.content AND y.blocks = x.blocks AND (length(x.blocks) > 0 OR y.hash = x.hash)) AS changed,
           coalesce(bv.title, ''), coalesce(nv.title, ''),
           bv.id IS NOT NULL AND nv.id IS NOT NULL AND coalesce(bv.title, '') <> coalesce(nv.title, '') AS retitled,
           b.version, n.version
    FROM before b FULL JOIN now n ON n.url = b.url JOIN url u ON u.id = coalesce(b.url, n.url)
    LEFT JOIN url br ON br.id = b.redirect LEFT JOIN url nr ON nr.id = n.redirect
    LEFT JOIN version bv ON bv.id = CASE WHEN b.content <> n.content AND b.outcome = 0 THEN b.content END
    LEFT JOIN version nv ON nv.id = CASE WHEN b.content <> n.content AND n.outcome = 0 THEN n.content END
    WHERE (b.outcome IS NOT NULL OR n.outcome IS NOT NULL)
        AND (b.url IS NULL OR n.url IS NULL OR b.outcome IS NOT n.outcome OR b.status IS NOT n.status
            OR b.failure IS NOT n.failure OR b.redirect IS NOT n.redirect
            OR (b.reason IS NULL) <> (n.reason IS NULL) OR changed OR retitled)
    ORDER BY u.text"
);

impl Record {
    /// Passes to `take` every URL in which run `now` differs from run `before`, by URL.
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
        titles: if row.get::<_, Option<bool>>(16)?.unwrap_or_default() {
            Some([row.get(14)?, row.get(15)?])
        } else {
            None
        },
        versions: row.get::<_, Option<i64>>(17)?.zip(row.get(18)?).map(<[i64; 2]>::from),
    })
}

/// The state of a URL, read from column `at` on.
fn seen(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<UrlState>> {
    if row.get::<_, Option<u32>>(at)?.is_none() {
        return Ok(None);
    }
    Ok(Some(UrlState {
        reason: row.get::<_, Option<u8>>(at + 1)?.map(|code| Reason::from_code(code).unwrap_or(Reason::Failed)),
        outcome: row.get::<_, Option<usize>>(at + 2)?.and_then(|code| Outcome::ALL.get(code).copied()),
        status: row.get(at + 3)?,
        failure: row.get(at + 4)?,
        redirect: row.get(at + 5)?,
    }))
}
