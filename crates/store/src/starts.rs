//! What became of the start URLs.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_engine::Outcome;
use mapwright_frontier::Unfetched;
use mapwright_web::origin_of;
use rusqlite::{OptionalExtension, Row};

/// The last word on a start URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartFate {
    /// The start URL.
    pub url: String,
    /// What became of it.
    pub outcome: Option<Outcome>,
    /// The status it answered with.
    pub status: Option<u16>,
    /// Why there was no answer.
    pub failure: Option<String>,
    /// The same in words.
    pub detail: Option<String>,
    /// Where it redirects to.
    pub target: Option<String>,
    /// What came of its redirects, where there are any.
    pub end: Option<RedirectEnd>,
    /// The line of robots.txt that disallows it.
    pub robots_rule: Option<String>,
    /// The status that robots.txt answered with, where that forbids all.
    pub robots_status: Option<u16>,
    /// Its page says noindex.
    pub noindex: bool,
    /// Its page says nofollow.
    pub nofollow: bool,
}

/// How the redirects that begin at a URL end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectEnd {
    /// They come back to a URL that redirected before.
    Loop,
    /// At a URL that was not asked for, and why, where it was refused.
    NotFollowed(String, Option<Unfetched>),
    /// At a URL of which the address guard refused the address, and what it said.
    Guarded(String, String),
    /// At a URL that became of this.
    At(Box<StartFate>),
}

impl StartFate {
    /// One sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        let detail = || self.detail.clone().or_else(|| self.failure.clone()).unwrap_or_else(|| "no cause known".into());
        match (self.outcome, &self.target, self.status) {
            (None, ..) => "was not fetched".to_owned(),
            (Some(Outcome::Redirect), Some(target), _) => self.redirects(target),
            (Some(Outcome::Refused), ..) => match (self.robots_status, &self.robots_rule) {
                (Some(status), _) => format!("not fetched: robots.txt answered {status}, which forbids everything"),
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

    /// What it does instead of answering well, in words that stay the same from night to night; nothing where it does not
    /// answer.
    #[must_use]
    pub fn instead(&self) -> Option<&'static str> {
        match (self.outcome, &self.end, self.status) {
            (Some(Outcome::Redirect), Some(RedirectEnd::At(end)), _) => end.instead(),
            (Some(Outcome::Redirect), ..) => Some("leads elsewhere"),
            // Where robots.txt cannot be had, all is forbidden: it does not answer.
            (Some(Outcome::Refused), ..) if self.robots_status.is_none() => Some("is forbidden"),
            (Some(Outcome::Status), _, Some(400..=499)) => Some("has no such page"),
            _ => None,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match (self.outcome, self.failure.as_deref()) {
            (Some(Outcome::Redirect), _) => match &self.end {
                Some(RedirectEnd::At(end)) => end.remedy(),
                Some(RedirectEnd::Loop) => "mend the redirects on the server",
                Some(RedirectEnd::Guarded(..)) => "start from where it leads, or permit the address by --allow-address",
                Some(RedirectEnd::NotFollowed(_, Some(Unfetched::Excluded))) => "check --include and --exclude",
                Some(RedirectEnd::NotFollowed(_, Some(Unfetched::OutOfScope | Unfetched::Redirects))) | None => {
                    "start from where it leads"
                }
                Some(RedirectEnd::NotFollowed(..)) => {
                    "raise the limit that ended the crawl, or go on with mapwright resume"
                }
            },
            (_, Some("dns")) => "check the host's name",
            (_, Some("refused" | "unreachable")) => "check the host and port, and that the server is running",
            (_, Some("tls")) => mapwright_fetch::tls_hint(self.detail.as_deref().unwrap_or_default()),
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

    /// What keeps search engines from the page, or from where it leads, though it answers or might: in one sentence, with
    /// the switch by which a crawl goes around it. `follows_nofollow`: this one did.
    #[must_use]
    pub fn kept_out(&self, follows_nofollow: bool) -> Option<String> {
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

    /// Where its redirects lead, and what that answered.
    fn redirects(&self, target: &str) -> String {
        match &self.end {
            Some(RedirectEnd::Loop) if *target == self.url => "redirects to itself".to_owned(),
            Some(RedirectEnd::Loop) => format!("redirects in a loop, by way of {target}"),
            Some(RedirectEnd::At(end)) => format!("redirects to {}: {}", end.url, end.in_words()),
            Some(RedirectEnd::Guarded(last, why)) => format!("redirects to {last}, which was not fetched: {why}"),
            Some(RedirectEnd::NotFollowed(last, why)) => self.not_followed(last, *why),
            None => format!("redirects to {target}"),
        }
    }

    /// Why its redirects were not followed to `last`.
    fn not_followed(&self, last: &str, why: Option<Unfetched>) -> String {
        match why {
            Some(Unfetched::Redirects) => format!("redirects more often than is followed, the last time to {last}"),
            Some(Unfetched::OutOfScope) if origin_of(last) != origin_of(&self.url) => {
                format!("redirects to another site, {last}")
            }
            Some(Unfetched::OutOfScope) => format!("redirects to {last}, which is out of scope"),
            Some(Unfetched::Excluded) => format!("redirects to {last}, which --include or --exclude leaves out"),
            _ => format!("redirects to {last}, which was not fetched"),
        }
    }

    /// Where nothing says why it got no answer, its robots file got none.
    fn with_cause(mut self, robots: Option<&str>) -> Self {
        if self.detail.is_none() && self.failure.is_some() {
            self.detail = robots.map(str::to_owned);
        }
        self
    }
}

/// Redirects that are followed through the record, at most: crawls follow fewer.
const MOST_HOPS: usize = 1_000;

/// What became of URLs of a run.
const FATE: &str = "SELECT u.text, v.outcome, v.status, v.failure, v.detail, t.text, v.robots_rule, v.robots_status,
        u.id, v.target, f.refused, coalesce(v.noindex, 0), coalesce(v.nofollow, 0)
     FROM found f JOIN url u ON u.id = f.url
     LEFT JOIN visit v ON v.run = f.run AND v.url = f.url AND v.last = 1 AND v.purpose = 0
     LEFT JOIN url t ON t.id = v.target";

/// A row of [`FATE`].
struct Fate {
    fate: StartFate,
    id: u32,
    target: Option<u32>,
    refused: Option<Unfetched>,
}

impl Fate {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let fate = StartFate {
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
        Ok(Self { fate, id: row.get(8)?, target: row.get(9)?, refused })
    }
}

impl Record {
    /// The last word on the start URLs of the newest run (where there were none, on the URLs of the list): the first
    /// twenty.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn start_fates(&self) -> Result<Vec<StartFate>, StoreError> {
        let mut select = self.connection.prepare(&format!(
            "{FATE} WHERE f.run = ?1 AND f.via = (SELECT min(via) FROM found WHERE run = ?1 AND via IN (0, 1))
             ORDER BY f.url LIMIT 20"
        ))?;
        let rows = select.query_map([self.run], Fate::of)?.collect::<Result<Vec<_>, _>>()?;
        let robots = self.robots_failure()?;
        rows.into_iter().map(|fate| self.to_its_end(fate, robots.as_deref())).collect()
    }

    /// Follows the redirects of a start URL through the record.
    fn to_its_end(&self, start: Fate, robots: Option<&str>) -> Result<StartFate, StoreError> {
        let mut select = self.connection.prepare_cached(&format!("{FATE} WHERE f.run = ?1 AND f.url = ?2"))?;
        let mut fate = start.fate.with_cause(robots);
        let (mut target, mut seen) = (start.target, vec![start.id]);
        if fate.outcome != Some(Outcome::Redirect) {
            return Ok(fate);
        }
        while let Some(id) = target {
            if seen.contains(&id) {
                fate.end = Some(RedirectEnd::Loop);
                break;
            }
            seen.push(id);
            let Some(next) = select.query_row((self.run, id), Fate::of).optional()? else { break };
            let is_hop = next.fate.outcome == Some(Outcome::Redirect) && seen.len() <= MOST_HOPS;
            target = next.target.filter(|_| is_hop);
            fate.end = Some(match next.fate.outcome {
                None => match self.guarded(&next.fate.url)? {
                    Some(why) => RedirectEnd::Guarded(next.fate.url, why),
                    None => RedirectEnd::NotFollowed(next.fate.url, next.refused),
                },
                Some(_) => RedirectEnd::At(Box::new(next.fate.with_cause(robots))),
            });
        }
        Ok(fate)
    }

    /// What the address guard said of the origin of a URL that was not requested as a page, if it refused that.
    fn guarded(&self, url: &str) -> Result<Option<String>, StoreError> {
        let select = "SELECT v.detail FROM visit v JOIN url u ON u.id = v.url
             WHERE v.run = ?1 AND v.outcome = ?2 AND v.detail IS NOT NULL AND substr(u.text, 1, length(?3)) = ?3";
        let guarded = Outcome::ALL.iter().position(|outcome| *outcome == Outcome::Guarded);
        let origin = format!("{}/", origin_of(url));
        Ok(self.connection.query_row(select, (self.run, guarded, origin), |row| row.get(0)).optional()?)
    }

    /// Why a robots file got no answer, which is then why its pages got none.
    fn robots_failure(&self) -> Result<Option<String>, StoreError> {
        let select = "SELECT detail FROM visit WHERE run = ? AND purpose = 1 AND detail IS NOT NULL ORDER BY seq DESC";
        Ok(self.connection.query_row(select, [self.run], |row| row.get(0)).optional()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fate(outcome: Outcome) -> StartFate {
        StartFate {
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
    fn what_keeps_search_engines_from_a_start_page_is_told() {
        let page = |noindex, nofollow| StartFate { noindex, nofollow, ..fate(Outcome::Page) };
        let told = |fate: &StartFate| fate.kept_out(false).unwrap_or_default();
        assert!(
            told(&page(true, true)).contains("noindex and nofollow") && told(&page(true, true)).contains("--follow")
        );
        assert!(told(&page(true, false)).contains("says noindex:"));
        assert!(told(&page(false, true)).contains("--follow-nofollow follows them"));
        assert!(page(false, true).kept_out(true).is_some_and(|told| told.contains("this crawl did")));
        assert_eq!(page(false, false).kept_out(false), None);
        let blocked = StartFate { robots_rule: Some("Disallow: /".to_owned()), ..fate(Outcome::Refused) };
        assert!(told(&blocked).contains("(Disallow: /)") && told(&blocked).contains("--ignore-robots"));
        let end = Some(RedirectEnd::At(Box::new(page(true, false))));
        assert!(told(&StartFate { end, ..fate(Outcome::Redirect) }).contains("says noindex:"));
        let gone = StartFate { noindex: true, status: Some(404), ..fate(Outcome::Status) };
        assert_eq!(gone.kept_out(false), None);
    }

    #[test]
    fn a_redirect_that_is_not_followed_says_why() {
        let cases = [
            ("http://a.example/b", Some(Unfetched::OutOfScope), "is out of scope", "start from"),
            ("http://b.example/", Some(Unfetched::OutOfScope), "to another site, http://b.example/", "start from"),
            ("http://a.example/b", Some(Unfetched::Excluded), "--include or --exclude leaves out", "check --include"),
            ("http://b.example/", Some(Unfetched::Excluded), "--include or --exclude leaves out", "check --include"),
            ("http://a.example/b", None, "was not fetched", "raise the limit"),
            ("http://b.example/", None, "was not fetched", "raise the limit"),
        ];
        for (last, why, words, remedy) in cases {
            let end = Some(RedirectEnd::NotFollowed(last.to_owned(), why));
            let fate = StartFate { target: Some(last.to_owned()), end, ..fate(Outcome::Redirect) };
            assert!(fate.in_words().ends_with(words), "{last} {why:?}: {}", fate.in_words());
            assert!(fate.remedy().starts_with(remedy), "{last} {why:?}: {}", fate.remedy());
        }
    }
}
