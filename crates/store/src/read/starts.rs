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
    /// The status in one sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        let detail = || self.detail.clone().or_else(|| self.failure.clone()).unwrap_or_else(|| "no cause known".into());
        match (self.outcome, &self.target, self.status) {
            (None, ..) => "was not requested".to_owned(),
            (Some(Outcome::Redirect), Some(target), _) => self.redirects(target),
            (Some(Outcome::Refused), ..) => match (self.robots_status, &self.robots_rule) {
                (Some(status), _) => format!("not requested: robots.txt answered {status}, which forbids everything"),
                (None, Some(rule)) => format!("disallowed by robots.txt ({rule})"),
                (None, None) => "disallowed by robots.txt".to_owned(),
            },
            (Some(Outcome::NoAnswer), ..) if self.failure.as_deref() == Some("internal") => {
                format!("not requested: {}", detail())
            }
            (Some(Outcome::NoAnswer | Outcome::Guarded | Outcome::Broken | Outcome::Failed), ..) => {
                format!("no answer: {}", detail())
            }
            (Some(_), _, Some(status)) => format!("answered {status}"),
            (Some(outcome), ..) => outcome.as_str().to_owned(),
        }
    }

    /// A short description of an unsuccessful response, the same from run to run; `None` without a response.
    #[must_use]
    pub fn instead(&self) -> Option<&'static str> {
        match (self.outcome, &self.end, self.status) {
            (Some(Outcome::Redirect), Some(RedirectEnd::At(end)), _) => end.instead(),
            (Some(Outcome::Redirect), ..) => Some("leads elsewhere"),
            // An unavailable robots.txt disallows everything, which counts as no answer.
            (Some(Outcome::Refused), ..) if self.robots_status.is_none() => Some("is forbidden"),
            (Some(Outcome::Status), _, Some(404 | 410)) => Some("has no such page"),
            (Some(Outcome::Status), _, Some(401 | 403)) => Some("refuses access"),
            (Some(Outcome::Status), _, Some(400..=499)) => Some("answers a client error"),
            _ => None,
        }
    }

    /// The hint on what to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match (self.outcome, self.failure.as_deref()) {
            (Some(Outcome::Redirect), _) => match &self.end {
                Some(RedirectEnd::At(end)) => end.hint(),
                Some(RedirectEnd::Loop) => "fix the redirects on the server",
                Some(RedirectEnd::Guarded(..)) => "start from where it leads, or permit the address by --allow-address",
                Some(RedirectEnd::NotFollowed(_, Some(Unfetched::Excluded))) => "check --include and --exclude",
                Some(RedirectEnd::NotFollowed(_, Some(Unfetched::OutOfScope | Unfetched::Redirects))) | None => {
                    "start from where it leads"
                }
                Some(RedirectEnd::NotFollowed(..)) => {
                    "raise the limit that ended the crawl, or resume the crawl with mapwright resume"
                }
            },
            (_, Some("dns")) => "check the host's name",
            (_, Some("refused" | "unreachable")) => "check the host and port, and that the server is running",
            (_, Some("tls")) => mapwright_model::tls_hint(self.detail.as_deref().unwrap_or_default()),
            (_, Some("timed-out")) => {
                "check that the server answers; --connect-timeout waits longer for a connection, --timeout for an answer"
            }
            (Some(Outcome::NoAnswer), Some("internal")) => "run again once that is done",
            (Some(Outcome::Guarded), _) => "--allow-address permits the address",
            (Some(Outcome::Refused), _) => "ask the site's owner; on a site of your own, --ignore-robots",
            (Some(Outcome::Status), _) if matches!(self.status, Some(401 | 403)) => {
                "log in by --auth, --header or --cookie-file, or, where the site refuses this agent, name another by \
                 --user-agent"
            }
            (Some(Outcome::Throttled), _) => "crawl more slowly, or later: it may be under maintenance",
            _ if self.status == Some(407) => {
                "the proxy asks who you are: write user and password into its URL (--proxy http://user:password@host)"
            }
            _ => "check the URL",
        }
    }

    /// The directive that keeps search engines from the start page or its links, in one sentence, with the option that
    /// ignores it. `follows_nofollow`: this crawl ignored nofollow.
    #[must_use]
    pub fn exclusion_notice(&self, follows_nofollow: bool) -> Option<String> {
        let page = if let Some(RedirectEnd::At(end)) = &self.end { end.as_ref() } else { self };
        if page.outcome == Some(Outcome::Refused) && page.robots_status.is_none() {
            let rule = page.robots_rule.as_deref().map(|rule| format!(" ({rule})")).unwrap_or_default();
            return Some(format!(
                "the start page {} is disallowed by robots.txt{rule}, and was not requested; on a site of your own, \
                 --ignore-robots requests it",
                page.url
            ));
        }
        let links = match follows_nofollow {
            true => "search engines follow none of its links; this crawl did (--follow-nofollow)",
            false => "none of its links was followed; --follow-nofollow follows them",
        };
        let says = match (page.noindex, page.nofollow) {
            _ if page.outcome != Some(Outcome::Page) => return None,
            (true, true) => format!("says noindex and nofollow: search engines leave it out, and {links}"),
            (true, false) => {
                "says noindex: search engines leave it out, and so does the sitemap, until the directive is removed; \
                 its links were followed"
                    .to_owned()
            }
            (false, true) => format!("says nofollow: {links}"),
            (false, false) => return None,
        };
        Some(format!("the start page {} {says}", page.url))
    }

    /// The end of its redirects in words.
    fn redirects(&self, target: &str) -> String {
        match &self.end {
            Some(RedirectEnd::Loop) if *target == self.url => "redirects to itself".to_owned(),
            Some(RedirectEnd::Loop) => format!("redirects in a loop, by way of {target}"),
            Some(RedirectEnd::At(end)) => format!("redirects to {}: {}", end.url, end.in_words()),
            Some(RedirectEnd::Guarded(last, why)) => format!("redirects to {last}, which was not requested: {why}"),
            Some(RedirectEnd::NotFollowed(last, why)) => self.not_followed(last, *why),
            None => format!("redirects to {target}"),
        }
    }

    /// The reason in words for which its redirects were not followed to `last`.
    fn not_followed(&self, last: &str, why: Option<Unfetched>) -> String {
        match why {
            Some(Unfetched::Redirects) => format!("redirects more often than is followed, the last time to {last}"),
            Some(Unfetched::OutOfScope) if origin_of(last) != origin_of(&self.url) => {
                format!("redirects to another site, {last}")
            }
            Some(Unfetched::OutOfScope) => format!("redirects to {last}, which is out of scope"),
            Some(Unfetched::Excluded) => format!("redirects to {last}, which --include or --exclude leaves out"),
            _ => format!("redirects to {last}, which was not requested"),
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn status(outcome: Outcome) -> StartStatus {
        StartStatus {
            url: "http://a.example/".to_owned(),
            outcome: Some(outcome),
            status: None,
            failure: None,
            detail: None,
            target: None,
            robots_rule: None,
            robots_status: None,
            end: None,
            noindex: false,
            nofollow: false,
        }
    }

    #[test]
    fn directives_that_keep_search_engines_from_a_start_page_are_reported() {
        let page = |noindex, nofollow| StartStatus { noindex, nofollow, ..status(Outcome::Page) };
        let reported = |status: &StartStatus| status.exclusion_notice(false).unwrap_or_default();
        assert!(
            reported(&page(true, true)).contains("noindex and nofollow")
                && reported(&page(true, true)).contains("--follow")
        );
        assert!(reported(&page(true, false)).contains("says noindex:"));
        assert!(reported(&page(false, true)).contains("--follow-nofollow follows them"));
        assert!(page(false, true).exclusion_notice(true).is_some_and(|reported| reported.contains("this crawl did")));
        assert_eq!(page(false, false).exclusion_notice(false), None);
        let blocked = StartStatus { robots_rule: Some("Disallow: /".to_owned()), ..status(Outcome::Refused) };
        assert!(reported(&blocked).contains("(Disallow: /)") && reported(&blocked).contains("--ignore-robots"));
        let end = Some(RedirectEnd::At(Box::new(page(true, false))));
        assert!(reported(&StartStatus { end, ..status(Outcome::Redirect) }).contains("says noindex:"));
        let gone = StartStatus { noindex: true, status: Some(404), ..status(Outcome::Status) };
        assert_eq!(gone.exclusion_notice(false), None);
    }

    #[test]
    fn the_reason_for_a_redirect_that_is_not_followed_is_reported() {
        let cases = [
            ("http://a.example/b", Some(Unfetched::OutOfScope), "is out of scope", "start from"),
            ("http://b.example/", Some(Unfetched::OutOfScope), "to another site, http://b.example/", "start from"),
            ("http://a.example/b", Some(Unfetched::Excluded), "--include or --exclude leaves out", "check --include"),
            ("http://b.example/", Some(Unfetched::Excluded), "--include or --exclude leaves out", "check --include"),
            ("http://a.example/b", None, "was not requested", "raise the limit"),
            ("http://b.example/", None, "was not requested", "raise the limit"),
        ];
        for (last, why, words, hint) in cases {
            let end = Some(RedirectEnd::NotFollowed(last.to_owned(), why));
            let status = StartStatus { target: Some(last.to_owned()), end, ..status(Outcome::Redirect) };
            assert!(status.in_words().ends_with(words), "{last} {why:?}: {}", status.in_words());
            assert!(status.hint().starts_with(hint), "{last} {why:?}: {}", status.hint());
        }
    }
}
