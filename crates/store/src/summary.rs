//! What a summary tells, counted from the record.

use crate::error::StoreError;
use crate::names::kind_code;
use crate::record::Record;
use mapwright_frontier::Purpose;
use mapwright_verdict::Reason;
use mapwright_web::page::facts::LinkKind;
use mapwright_web::{PageUrl, origin_of};
use rusqlite::Row;
use std::collections::{BTreeMap, HashSet};

/// Figures of one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    /// Page URLs that were fetched, each counted once.
    pub fetched: u64,
    /// Those that answered 200.
    pub ok: u64,
    /// Those that answered 403 or 401, or 429.
    pub denied: u64,
    /// Those that answered with a server error or 429: they were refused, whatever they are.
    pub refused: u64,
    /// Pages for which a 304 vouched.
    pub vouched: u64,
    /// Pages that were not asked for.
    pub unasked: u64,
    /// URLs listed.
    pub listed: u64,
    /// Of these, such as fail and stay listed all the same.
    pub kept: u64,
    /// URLs left out, by reason, in the order of precedence.
    pub excluded: Vec<(Reason, u64)>,
    /// Those of them out of scope that lie on other hosts than the crawl's.
    pub other_sites: u64,
    /// Those of them that are duplicates by judgement, and no twins of the page that stays.
    pub judged_duplicates: u64,
    /// Those of them that are robots files, sitemaps and feeds, which are no pages.
    pub excluded_files: BTreeMap<Reason, u64>,
    /// The slowest pages, slowest first.
    pub slowest: Vec<Slow>,
    /// Pages that are empty shells for scripts to fill, without links; none where they are not nearly all.
    pub empty_shells: u64,
    /// Bytes that came over the wire.
    pub wire_bytes: u64,
    /// URLs that were read in part: their bodies were longer than the limit, or they hold too many links.
    pub read_in_part: u64,
    /// Pages whose Content-Type is contradicted by their first bytes.
    pub contradicted: u64,
}

/// A slow page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slow {
    /// Its URL.
    pub url: String,
    /// Milliseconds of the whole attempt.
    pub millis: u64,
}

/// What of the crawl's own hosts is out of scope.
const OUTSIDE: &str = "lies on this host, outside the path of the start URL, or is not on the list; --scope widens it";

/// URLs that were left out for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcludedRow {
    /// The reason.
    pub reason: Reason,
    /// What it means.
    pub meaning: &'static str,
    /// How many there are.
    pub urls: u64,
    /// Of these, robots files, sitemaps and feeds, which are no pages.
    pub files: u64,
}

impl Counts {
    /// URLs left out, by reason and what it means: those out of scope as other sites' and as the hosts' own.
    pub fn excluded_rows(&self) -> impl Iterator<Item = ExcludedRow> {
        self.excluded.iter().flat_map(|(reason, count)| {
            let (reason, count) = (*reason, *count);
            let elsewhere = if reason == Reason::OutOfScope { self.other_sites.min(count) } else { 0 };
            let meaning = if reason == Reason::OutOfScope { OUTSIDE } else { reason.meaning() };
            let (rest, files) = (count - elsewhere, self.excluded_files.get(&reason).copied().unwrap_or_default());
            let rows = [
                ExcludedRow { reason, meaning: "lies on another site", urls: elsewhere, files: 0 },
                ExcludedRow { reason, meaning, urls: rest, files: files.min(rest) },
            ];
            rows.into_iter().filter(|row| row.urls > 0)
        })
    }

    /// URLs left out, by reason, without robots files, sitemaps and feeds that are no pages.
    pub fn excluded_pages(&self) -> impl Iterator<Item = (Reason, u64)> {
        let files = |reason| self.excluded_files.get(&reason).copied().unwrap_or_default();
        let pages = self.excluded.iter().map(move |(reason, count)| (*reason, count.saturating_sub(files(*reason))));
        pages.filter(|(_, count)| *count > 0)
    }

    /// URLs left out by judgement, which another choice of what to list brings back.
    #[must_use]
    pub fn judged(&self) -> u64 {
        let judged = self.excluded_pages().filter(|(reason, _)| reason.is_judgement());
        judged.map(|(_, count)| count).sum::<u64>() + self.judged_duplicates
    }

    /// Counts the last word on one page.
    fn page(&mut self, row: &Row<'_>, carried: u8) -> rusqlite::Result<()> {
        let asked: bool = row.get(3)?;
        if asked {
            let status: Option<u16> = row.get(4)?;
            self.fetched += 1;
            self.ok += u64::from(matches!(status, Some(200 | 203)));
            self.denied += u64::from(matches!(status, Some(401 | 403 | 429)));
            self.refused += u64::from(matches!(status, Some(429 | 500..=599)));
            self.read_in_part += u64::from(row.get::<_, u8>(5)? != 0);
            self.vouched += u64::from(carried == 1);
        }
        let sniffed = row.get_ref(7)?.as_str_or_null().unwrap_or_default();
        let odd = sniffed.is_some_and(|kind| !matches!(kind, "html" | "xhtml" | "text" | "xml"));
        self.contradicted += u64::from(odd && row.get::<_, u8>(6)? == 0);
        Ok(())
    }
}

/// Slow pages that are named.
const SLOWEST: u32 = 3;
/// Percent of the pages that are nearly all.
const NEARLY_ALL: u64 = 80;
/// A page with scripts and less visible text than this is a shell.
const SHELL_TEXT: u32 = 200;

impl Record {
    /// Counts what the newest run came to. To be called once it was judged.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let mut counts = Counts::default();
        let mut files = self.files()?;
        self.count_visits(&mut counts, &mut files)?;
        self.count_verdicts(&mut counts, &files)?;
        counts.slowest = self.slowest()?;
        counts.empty_shells = self.empty_shells(counts.ok)?;
        counts.other_sites = self.other_sites()?;
        counts.judged_duplicates = self.judged_duplicates()?;
        Ok(counts)
    }

    /// URLs that were asked for as robots files, sitemaps or feeds.
    fn files(&self) -> Result<HashSet<u32>, StoreError> {
        let files = [Purpose::Robots, Purpose::Sitemap, Purpose::Feed].map(Purpose::code);
        let mut select = self.connection.prepare("SELECT url FROM visit WHERE run = ? AND purpose IN (?, ?, ?)")?;
        let rows = select.query_map((self.run, files[0], files[1], files[2]), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One pass, and no aggregates of SQL: these test every row against every condition. Of the files those are left
    /// that were not asked for as pages too.
    fn count_visits(&self, counts: &mut Counts, files: &mut HashSet<u32>) -> Result<(), StoreError> {
        let mut select = self.connection.prepare(
            "SELECT wire_bytes, carried, last = 1 AND purpose = 0, total_ms IS NOT NULL, status, cut, outcome, sniffed,
                    url
             FROM visit WHERE run = ?",
        )?;
        let mut rows = select.query([self.run])?;
        while let Some(row) = rows.next()? {
            let (carried, page): (u8, bool) = (row.get(1)?, row.get(2)?);
            counts.wire_bytes += row.get::<_, u64>(0)?;
            counts.unasked += u64::from(carried == 2);
            if page {
                files.remove(&row.get(8)?);
                counts.page(row, carried)?;
            }
        }
        Ok(())
    }

    fn count_verdicts(&self, counts: &mut Counts, files: &HashSet<u32>) -> Result<(), StoreError> {
        let mut select = self.connection.prepare("SELECT reason, kept, url FROM verdict WHERE run = ?")?;
        let mut rows = select.query([self.run])?;
        let mut excluded: BTreeMap<Reason, u64> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            counts.kept += u64::from(row.get::<_, u32>(1)? > 0);
            let Some(code) = row.get(0)? else {
                counts.listed += 1;
                continue;
            };
            let Some(reason) = Reason::from_code(code) else { continue };
            *excluded.entry(reason).or_default() += 1;
            if files.contains(&row.get(2)?) {
                *counts.excluded_files.entry(reason).or_default() += 1;
            }
        }
        counts.excluded = excluded.into_iter().collect();
        Ok(())
    }

    /// Duplicates that are no twins with the same bytes: see [`mapwright_verdict::judge`].
    fn judged_duplicates(&self) -> Result<u64, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT u.text, e.text, x.hash = y.hash FROM verdict d
             JOIN url u ON u.id = d.url
             JOIN url e ON e.id = d.evidence
             JOIN visit v ON v.run = d.run AND v.url = d.url AND v.last = 1 AND v.purpose = 0
             JOIN version x ON x.id = v.version
             JOIN visit w ON w.run = d.run AND w.url = d.evidence AND w.last = 1 AND w.purpose = 0
             JOIN version y ON y.id = w.version
             WHERE d.run = ? AND d.reason = ?",
        )?;
        let mut rows = select.query((self.run, Reason::Duplicate.code()))?;
        let mut judged = 0;
        while let Some(row) = rows.next()? {
            let (own, stays): (String, String) = (row.get(0)?, row.get(1)?);
            let twin = |text: &str| PageUrl::recorded(text).map(|url| url.twin_text());
            judged += u64::from(!row.get::<_, bool>(2)? || twin(&own) != twin(&stays));
        }
        Ok(judged)
    }

    fn slowest(&self) -> Result<Vec<Slow>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT u.text, v.total_ms FROM visit v JOIN url u ON u.id = v.url
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.status = 200 AND v.total_ms IS NOT NULL
             ORDER BY v.total_ms DESC, u.text LIMIT ?",
        )?;
        let rows = select.query_map((self.run, SLOWEST), |row| Ok(Slow { url: row.get(0)?, millis: row.get(1)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Pages that are empty shells, of so many that answered: none where they are not nearly all.
    fn empty_shells(&self, ok: u64) -> Result<u64, StoreError> {
        let [anchor, area, frame] =
            [LinkKind::Anchor, LinkKind::Area, LinkKind::Frame].map(|kind| kind_code(kind) as u64);
        let shells: u64 = self.connection.query_row(
            "SELECT count(*) FROM visit v JOIN version x ON x.id = v.version
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0
             AND x.scripts > 0 AND x.text_bytes < ? AND NOT EXISTS (
                 SELECT 1 FROM json_each(x.sets) s JOIN link_set n ON n.id = s.value JOIN json_each(n.links) e
                 WHERE e.type = 'integer' OR json_extract(e.value, '$[1]') IN (?, ?, ?))",
            (self.run, SHELL_TEXT, anchor, area, frame),
            |row| row.get(0),
        )?;
        Ok(if shells * 100 >= ok * NEARLY_ALL { shells } else { 0 })
    }

    /// URLs out of scope whose host, port included, none of the start URLs and roots has.
    fn other_sites(&self) -> Result<u64, StoreError> {
        let facts = self.run_facts()?;
        let own: HashSet<&str> = facts.starts.iter().chain(&facts.roots).map(|url| authority(url)).collect();
        let mut select = self
            .connection
            .prepare("SELECT u.text FROM verdict d JOIN url u ON u.id = d.url WHERE d.run = ? AND d.reason = ?")?;
        let mut rows = select.query((self.run, Reason::OutOfScope.code()))?;
        let mut others = 0;
        while let Some(row) = rows.next()? {
            let text = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            others += u64::from(!own.contains(authority(text)));
        }
        Ok(others)
    }
}

/// The host of a URL and its port, whatever the scheme.
fn authority(url: &str) -> &str {
    origin_of(url).split_once("://").map_or(url, |(_, authority)| authority)
}
