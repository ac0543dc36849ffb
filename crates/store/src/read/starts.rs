//! The fetch status of the start URLs.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_model::{Outcome, Unfetched};
use mapwright_web::origin_of;
use rusqlite::{OptionalExtension, Row};

/// The final fetch status of a start URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartStatus {
    /// The start URL.
    pub url: String,
    /// The outcome of its visit.
    pub outcome: Option<Outcome>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The code of the failure, where there was no answer.
    pub failure: Option<String>,
    /// The failure in words.
    pub detail: Option<String>,
    /// The target of its redirect.
    pub target: Option<String>,
    /// The end of its redirects, if it redirects.
    pub end: Option<RedirectEnd>,
    /// The line of robots.txt that disallows it.
    pub robots_rule: Option<String>,
    /// The status of robots.txt, where that disallows everything.
    pub robots_status: Option<u16>,
    /// Its page says noindex.
    pub noindex: bool,
    /// Its page says nofollow.
    pub nofollow: bool,
}

/// The end of the redirects that begin at a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectEnd {
    /// They lead back to a URL that redirected before.
    Loop,
    /// They lead to a URL that was not requested, for this reason if it was refused.
    NotFollowed(String, Option<Unfetched>),
    /// They lead to a URL whose address the address guard refused, with its message.
    Guarded(String, String),
    /// They lead to a URL with this fetch status.
    At(Box<StartStatus>),
}

impl StartStatus {
    /// Adds the cause of a failure without one: the failure of the robots.txt file.
    fn with_cause(mut self, robots: Option<&str>) -> Self {
        if self.detail.is_none() && self.failure.is_some() {
            self.detail = robots.map(str::to_owned);
        }
        self
    }
}

/// The most redirects that are followed through the record; crawls follow fewer.
const MAX_HOPS: usize = 1_000;

/// Selects the fetch status of URLs of a run.
const START_COLUMNS: &str =
    "SELECT u.text, v.outcome, v.status, v.failure, v.detail, t.text, v.robots_rule, v.robots_status,
        u.id, v.target, f.refused, coalesce(v.noindex, 0), coalesce(v.nofollow, 0)
     FROM found f JOIN url u ON u.id = f.url
     LEFT JOIN visit v ON v.run = f.run AND v.url = f.url AND v.last = 1 AND v.purpose = 0
     LEFT JOIN url t ON t.id = v.target";

/// A row of [`START_COLUMNS`].
struct StartRow {
    status: StartStatus,
    id: u32,
    target: Option<u32>,
    refused: Option<Unfetched>,
}

impl StartRow {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let status = StartStatus {
            url: row.get(0)?,
            outcome: row.get::<_, Option<usize>>(1)?.and_then(|code| Outcome::ALL.get(code).copied()),
            status: row.get(2)?,
            failure: row.get(3)?,
            detail: row.get(4)?,
            target: row.get(5)?,
            end: None,
            robots_rule: row.get(6)?,
            robots_status: row.get(7)?,
            noindex: row.get(11)?,
            nofollow: row.get(12)?,
        };
        let refused = row.get::<_, Option<u8>>(10)?.and_then(Unfetched::from_code);
        Ok(Self { status, id: row.get(8)?, target: row.get(9)?, refused })
    }
}

impl Record {
    /// The fetch status of the first twenty start URLs of the newest run, or of the URL list where there were none.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn start_statuses(&self) -> Result<Vec<StartStatus>, StoreError> {
        let mut select = self.connection.prepare(&format!(
            "{START_COLUMNS} WHERE f.run = ?1 AND f.via < 2
             AND f.via = (SELECT min(via) FROM found WHERE run = ?1 AND via < 2) ORDER BY f.url LIMIT 20"
        ))?;
        let rows = select.query_map([self.run], StartRow::of)?.collect::<Result<Vec<_>, _>>()?;
        let robots = self.robots_failure()?;
        rows.into_iter().map(|status| self.to_its_end(status, robots.as_deref())).collect()
    }

    /// Follows the redirects of a start URL through the record.
    fn to_its_end(&self, start: StartRow, robots: Option<&str>) -> Result<StartStatus, StoreError> {
        let mut select = self.connection.prepare_cached(&format!("{START_COLUMNS} WHERE f.run = ?1 AND f.url = ?2"))?;
        let mut status = start.status.with_cause(robots);
        let (mut target, mut seen) = (start.target, vec![start.id]);
        if status.outcome != Some(Outcome::Redirect) {
            return Ok(status);
        }
        while let Some(id) = target {
            if seen.contains(&id) {
                status.end = Some(RedirectEnd::Loop);
                break;
            }
            seen.push(id);
            let Some(next) = select.query_row((self.run, id), StartRow::of).optional()? else { break };
            let is_hop = next.status.outcome == Some(Outcome::Redirect) && seen.len() <= MAX_HOPS;
            target = next.target.filter(|_| is_hop);
            status.end = Some(match next.status.outcome {
                None => match self.guarded(&next.status.url)? {
                    Some(why) => RedirectEnd::Guarded(next.status.url, why),
                    None => RedirectEnd::NotFollowed(next.status.url, next.refused),
                },
                Some(_) => RedirectEnd::At(Box::new(next.status.with_cause(robots))),
            });
        }
        Ok(status)
    }

    /// The message of the address guard, if it refused the origin of a URL that was not requested as a page.
    fn guarded(&self, url: &str) -> Result<Option<String>, StoreError> {
        let select = "SELECT v.detail FROM visit v JOIN url u ON u.id = v.url
             WHERE v.run = ?1 AND v.outcome = ?2 AND v.detail IS NOT NULL AND substr(u.text, 1, length(?3)) = ?3";
        let guarded = Outcome::ALL.iter().position(|outcome| *outcome == Outcome::Guarded);
        let origin = format!("{}/", origin_of(url));
        Ok(self.connection.query_row(select, (self.run, guarded, origin), |row| row.get(0)).optional()?)
    }

    /// The cause for which a robots.txt file got no answer, which is then the cause for its pages.
    fn robots_failure(&self) -> Result<Option<String>, StoreError> {
        let select = "SELECT detail FROM visit WHERE run = ? AND purpose = 1 AND detail IS NOT NULL ORDER BY seq DESC";
        Ok(self.connection.query_row(select, [self.run], |row| row.get(0)).optional()?)
    }
}
