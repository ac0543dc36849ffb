//! The figures of a run's summary, counted from the record.

use crate::error::StoreError;
use crate::read::run_summary::RenderingCounts;
use crate::record::Record;
use crate::schema::names::kind_code;
use mapwright_model::Purpose;
use mapwright_verdict::Reason;
use mapwright_web::page::facts::LinkKind;
use mapwright_web::{PageUrl, origin_of};
use rusqlite::Row;
use std::collections::{BTreeMap, HashSet};

/// The figures of one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    /// The number of page URLs that were fetched.
    pub fetched: u64,
    /// The number of these that answered 200 or 203.
    pub ok: u64,
    /// The number of these that answered 401, 403 or 429.
    pub denied: u64,
    /// The number of these that answered a server error or 429, which says nothing about the page itself.
    pub refused: u64,
    /// The number of pages that a 304 revalidated.
    pub revalidated: u64,
    /// The number of known pages that were not requested because they were not due.
    pub not_requested: u64,
    /// The number of listed URLs.
    pub listed: u64,
    /// The number of listed URLs that fail and stay listed.
    pub kept: u64,
    /// The number of excluded URLs by reason, in the order of precedence.
    pub excluded: Vec<(Reason, u64)>,
    /// The number of URLs out of scope that are on other hosts than the crawl's.
    pub other_sites: u64,
    /// The number of duplicates by judgement, which are not exact duplicates of the page that stays.
    pub judged_duplicates: u64,
    /// The number of excluded robots.txt files, sitemaps and feeds by reason.
    pub excluded_files: BTreeMap<Reason, u64>,
    /// The slowest pages, slowest first.
    pub slowest: Vec<Slow>,
    /// The number of pages that are empty shells without links, to be filled by scripts; 0 unless nearly all pages are.
    pub empty_shells: u64,
    /// The number of bytes transferred.
    pub wire_bytes: u64,
    /// The number of URLs that were read in part because their bodies exceed the limit or have too many links.
    pub read_in_part: u64,
    /// The number of pages whose first bytes contradict their Content-Type.
    pub contradicted: u64,
    /// The renderings.
    pub rendering: RenderingCounts,
}

/// A slow page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slow {
    /// Its URL.
    pub url: String,
    /// The duration of the complete request in milliseconds.
    pub millis: u64,
}

/// The number of URLs excluded for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcludedRow {
    /// The reason.
    pub reason: Reason,
    /// They lie on other sites.
    pub is_elsewhere: bool,
    /// The number of URLs.
    pub urls: u64,
    /// The number of robots.txt files, sitemaps and feeds among them.
    pub files: u64,
}

impl Counts {
    /// The excluded URLs by reason. URLs out of scope have two rows: for other sites, and for the crawl's
    /// own hosts.
    pub fn excluded_rows(&self) -> impl Iterator<Item = ExcludedRow> {
        self.excluded.iter().flat_map(|(reason, count)| {
            let (reason, count) = (*reason, *count);
            let elsewhere = if reason == Reason::OutOfScope { self.other_sites.min(count) } else { 0 };
            let (rest, files) = (count - elsewhere, self.excluded_files.get(&reason).copied().unwrap_or_default());
            let rows = [
                ExcludedRow { reason, is_elsewhere: true, urls: elsewhere, files: 0 },
                ExcludedRow { reason, is_elsewhere: false, urls: rest, files: files.min(rest) },
            ];
            rows.into_iter().filter(|row| row.urls > 0)
        })
    }

    /// The number of excluded URLs by reason, without robots.txt files, sitemaps and feeds.
    pub fn excluded_pages(&self) -> impl Iterator<Item = (Reason, u64)> {
        let files = |reason| self.excluded_files.get(&reason).copied().unwrap_or_default();
        let pages = self.excluded.iter().map(move |(reason, count)| (*reason, count.saturating_sub(files(*reason))));
        pages.filter(|(_, count)| *count > 0)
    }

    /// The number of URLs excluded by judgement, which `--list indexable` lists.
    #[must_use]
    pub fn judged(&self) -> u64 {
        let judged = self.excluded_pages().filter(|(reason, _)| reason.is_judgement());
        judged.map(|(_, count)| count).sum::<u64>() + self.judged_duplicates
    }

    /// Counts the last visit of one page.
    fn page(&mut self, row: &Row<'_>, reused: u8) -> rusqlite::Result<()> {
        let requested: bool = row.get(3)?;
        if requested {
            let status: Option<u16> = row.get(4)?;
            self.fetched += 1;
            self.ok += u64::from(matches!(status, Some(200 | 203)));
            self.denied += u64::from(matches!(status, Some(401 | 403 | 429)));
            self.refused += u64::from(matches!(status, Some(429 | 500..=599)));
            self.read_in_part += u64::from(row.get::<_, u8>(5)? != 0);
            self.revalidated += u64::from(reused == 1);
        }
        let sniffed = row.get_ref(7)?.as_str_or_null().unwrap_or_default();
        let odd = sniffed.is_some_and(|kind| !matches!(kind, "html" | "xhtml" | "text" | "xml"));
        self.contradicted += u64::from(odd && row.get::<_, u8>(6)? == 0);
        Ok(())
    }
}

/// The number of slow pages that are reported.
const SLOWEST: u32 = 3;
/// The percentage of pages that counts as nearly all.
const NEARLY_ALL: u64 = 80;
/// The bytes of visible text below which a page with scripts is a shell.
const SHELL_TEXT: u32 = 200;

impl Record {
    /// Counts the figures of the newest run. Must be called after it was judged.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let mut counts = Counts::default();
        let files = self.count_visits(&mut counts)?;
        self.count_verdicts(&mut counts, &files)?;
        counts.slowest = self.slowest()?;
        counts.empty_shells = self.empty_shells(counts.ok)?;
        counts.other_sites = self.other_sites()?;
        counts.judged_duplicates = self.judged_duplicates()?;
        counts.rendering = self.rendering_counts()?;
        Ok(counts)
    }

    /// Counts the visits in one pass, because aggregates in SQL test every row against every condition. Returns the
    /// URLs that were requested as robots.txt files, sitemaps or feeds, and not as pages.
    fn count_visits(&self, counts: &mut Counts) -> Result<HashSet<u32>, StoreError> {
        let of_files = [Purpose::Robots, Purpose::Sitemap, Purpose::Feed].map(Purpose::code);
        let (mut files, mut pages) = (HashSet::new(), Vec::new());
        let mut select = self.connection.prepare(
            "SELECT wire_bytes, reused, last = 1 AND purpose = 0, total_ms IS NOT NULL, status, cut, outcome, sniffed,
                    url, purpose
             FROM visit WHERE run = ?",
        )?;
        let mut rows = select.query([self.run])?;
        while let Some(row) = rows.next()? {
            let (reused, page): (u8, bool) = (row.get(1)?, row.get(2)?);
            counts.wire_bytes += row.get::<_, u64>(0)?;
            counts.not_requested += u64::from(reused == 2);
            if page {
                pages.push(row.get(8)?);
                counts.page(row, reused)?;
            } else if of_files.contains(&row.get(9)?) {
                files.insert(row.get(8)?);
            }
        }
        if !files.is_empty() {
            pages.iter().for_each(|page| _ = files.remove(page));
        }
        Ok(files)
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

    /// The number of duplicates that are not exact duplicates: see [`mapwright_verdict::judge`].
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
            let duplicate_key = |text: &str| PageUrl::recorded(text).map(|url| url.duplicate_key_text());
            judged += u64::from(!row.get::<_, bool>(2)? || duplicate_key(&own) != duplicate_key(&stays));
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

    /// The number of pages that are empty shells; 0 unless they are nearly all of the `ok` pages that answered.
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

    /// The number of URLs out of scope whose host and port no start URL, no root and no URL of the list has.
    fn other_sites(&self) -> Result<u64, StoreError> {
        let (facts, list) = (self.run_facts()?, self.list()?);
        let all = facts.starts.iter().chain(&facts.roots).chain(&list);
        let own: HashSet<&str> = all.map(|url| authority(url)).collect();
        let mut select = self
            .connection
            .prepare("SELECT u.text FROM verdict d JOIN url u ON u.id = d.url WHERE d.run = ? AND d.reason = ?")?;
        let mut rows = select.query((self.run, Reason::OutOfScope.code()))?;
        let (mut others, mut last) = (0, (String::new(), false));
        while let Some(row) = rows.next()? {
            let text = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            // URLs of one site usually follow each other.
            if !text.strip_prefix(&last.0).is_some_and(|rest| rest.starts_with('/')) {
                last = (origin_of(text).to_owned(), !own.contains(authority(text)));
            }
            others += u64::from(last.1);
        }
        Ok(others)
    }
}

/// The host and port of a URL.
fn authority(url: &str) -> &str {
    origin_of(url).split_once("://").map_or(url, |(_, authority)| authority)
}
