//! Streams the data of a complete run, for the audit.

use crate::error::StoreError;
use crate::read::surveyed::{
    CodeRow, DiscoveryRow, EntryRow, FaultRow, LinkRow, PageRow, RecalledRow, RunFacts, VerdictRow, VisitRow,
};
use crate::record::Record;
use crate::schema::json::{self, Json};
use crate::write::facts::{Unpacker, listed};
use crate::write::link_json::{self, StoredLink};
use crate::write::links;
use crate::write::sitemap_alternates;
use crate::write::version::MALFORMED;
use crate::write::visits::BODY_CUT;
use mapwright_model::{FailureKind, Outcome, Purpose, Unfetched, Via};
use mapwright_verdict::Reason;
use mapwright_web::PageFacts;
use mapwright_web::media::{Media, MediaKind};
use mapwright_web::page::facts::Sketch;
use rusqlite::Row;

impl Record {
    /// Returns the facts of the newest run.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn run_facts(&self) -> Result<RunFacts, StoreError> {
        let mut select =
            self.connection.prepare("SELECT started, starts, coalesce(roots, '[]') FROM run WHERE id = ?")?;
        let (started, Json(starts), Json(roots)) =
            select.query_row([self.run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(RunFacts { run: self.run, started, starts, roots })
    }

    /// Passes every known URL to `take`, by number.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_url(&self, mut take: impl FnMut(u32, &str)) -> Result<(), StoreError> {
        self.survey("SELECT id, text FROM url ORDER BY id", false, |row| {
            take(row.get(0)?, row.get_ref(1)?.as_str()?);
            Ok(())
        })
    }

    /// Passes the discoveries of the run to `take`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_discovery(&self, mut take: impl FnMut(DiscoveryRow)) -> Result<(), StoreError> {
        self.survey("SELECT url, via, parent, refused FROM found WHERE run = ?", true, |row| {
            let via = Via::ALL.get(row.get::<_, usize>(1)?).copied().unwrap_or(Via::Link);
            let refused = row.get::<_, Option<u8>>(3)?.and_then(Unfetched::from_code);
            take(DiscoveryRow { url: row.get(0)?, via, parent: row.get(2)?, refused });
            Ok(())
        })
    }

    /// Passes the last visit of each URL of the run to `take`, once for each purpose, in the order of the requests. A
    /// robots.txt file comes more than once if the run was resumed, since it is then requested again.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_last_visit(&self, mut take: impl FnMut(VisitRow)) -> Result<(), StoreError> {
        const SELECT: &str = "SELECT url, purpose, at, outcome, status, failure, detail, robots_status, robots_line,
                robots_rule, total_ms, body_bytes, cut, media, media_kind, sniffed, target, canonical, noindex, nofollow,
                reused, wire_bytes
             FROM visit WHERE run = ? AND last = 1 ORDER BY seq";
        self.survey(SELECT, true, |row| {
            take(fetched(row)?);
            Ok(())
        })
    }

    /// Passes the verdicts of the run to `take`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_verdict(&self, mut take: impl FnMut(VerdictRow)) -> Result<(), StoreError> {
        self.survey("SELECT url, reason, depth FROM verdict WHERE run = ?", true, |row| {
            let reason = row.get::<_, Option<u8>>(1)?.map(|code| Reason::from_code(code).unwrap_or(Reason::Failed));
            take(VerdictRow { url: row.get(0)?, reason, depth: row.get(2)? });
            Ok(())
        })
    }

    /// Passes the content of each page of the run to `take`, including responses to names that cannot exist.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_page_row(&self, take: impl FnMut(PageRow)) -> Result<(), StoreError> {
        self.pages(
            "SELECT v.url, x.hash, x.title, x.directives, x.scripts, x.text_bytes, x.sketch, x.facts, x.sets,
                    x.description, x.prose_bytes
             FROM visit v JOIN version x ON x.id = v.version WHERE v.run = ? AND v.last = 1 AND v.purpose IN (0, 4)",
            take,
        )
    }

    fn pages(&self, select: &'static str, mut take: impl FnMut(PageRow)) -> Result<(), StoreError> {
        let mut failed = None;
        let mut unpacker = Unpacker::new()?;
        self.survey(select, true, |row| {
            match page_row(row, &mut unpacker) {
                Ok(said) => take(said),
                Err(error) => failed = Some(error),
            }
            Ok(())
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Passes each page of the run whose scripts ran to `take`, by number: the page after they ran, and before
    /// ([`PageFacts::before_scripts`]).
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_rendered_page(&self, take: impl FnMut(PageRow)) -> Result<(), StoreError> {
        self.pages(
            "SELECT v.url, x.hash, x.title, x.directives, x.scripts, x.text_bytes, x.sketch, x.facts, x.sets,
                    x.description, x.prose_bytes
             FROM rendering r JOIN visit v ON v.url = r.url AND v.last = 1 AND v.purpose = 0
             JOIN version x ON x.id = v.version WHERE r.run = ?1 AND +v.run = r.run ORDER BY r.url",
            take,
        )
    }

    /// Passes the bytes of each style sheet and script of the run that was read to `take`, and those that a minifier
    /// would leave.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_code(&self, mut take: impl FnMut(CodeRow)) -> Result<(), StoreError> {
        const SELECT: &str =
            "SELECT v.url, v.body_bytes, x.text_bytes, x.facts FROM visit v JOIN version x ON x.id = v.version
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 6";
        self.survey(SELECT, true, |row| {
            let facts: Option<String> = row.get(3)?;
            let is_malformed = facts.is_some_and(|facts| facts == MALFORMED);
            take(CodeRow { url: row.get(0)?, bytes: row.get(1)?, minified: row.get(2)?, is_malformed });
            Ok(())
        })
    }

    /// Passes the sets of links for which `wanted` holds to `take`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_link_set(
        &self,
        wanted: impl Fn(u32) -> bool,
        mut take: impl FnMut(u32, Vec<LinkRow>),
    ) -> Result<(), StoreError> {
        self.survey("SELECT id, region, links FROM link_set", false, |row| {
            let set = row.get(0)?;
            if wanted(set) {
                let links = link_json::read(row, 1)?;
                take(set, links.into_iter().map(link).collect());
            }
            Ok(())
        })
    }

    /// The links of one set.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn link_set(&self, set: u32) -> Result<Vec<LinkRow>, StoreError> {
        Ok(links::read(&self.connection, set)?.into_iter().map(link).collect())
    }

    /// Passes the usual text of the links to each URL to `take`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_usual_anchor(&self, mut take: impl FnMut(u32, &str)) -> Result<(), StoreError> {
        self.survey("SELECT url, text FROM anchor", false, |row| {
            take(row.get(0)?, row.get_ref(1)?.as_str()?);
            Ok(())
        })
    }

    /// The usual text of links to a URL; empty where there is none.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn usual_anchor(&self, url: u32) -> Result<String, StoreError> {
        links::usual_text(&self.connection, url)
    }

    /// Passes the entries of the site's sitemaps and feeds to `take`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_entry(&self, mut take: impl FnMut(EntryRow)) -> Result<(), StoreError> {
        self.survey("SELECT file, url, lastmod, alternates FROM entry WHERE run = ?", true, |row| {
            let (file, url, lastmod) = (row.get(0)?, row.get(1)?, row.get(2)?);
            take(EntryRow { file, url, lastmod, alternates: sitemap_alternates::of_row(row, 3)? });
            Ok(())
        })
    }

    /// Passes the faults of the site's sitemaps to `take`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_fault(&self, mut take: impl FnMut(FaultRow)) -> Result<(), StoreError> {
        self.survey("SELECT file, rule, line, what, count FROM fault WHERE run = ?", true, |row| {
            let (file, rule, line) = (row.get(0)?, row.get(1)?, row.get(2)?);
            take(FaultRow { file, rule, line, what: row.get(3)?, count: row.get(4)? });
            Ok(())
        })
    }

    /// Passes each robots.txt file of the run to `take` once, as URL and text. A file may have been fetched several
    /// times, since many hosts may redirect to it and a resumed run requests it again.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_robots(&self, mut take: impl FnMut(u32, &str)) -> Result<(), StoreError> {
        // With max() in a grouped query, SQLite returns the other columns from the row with the maximum.
        const SELECT: &str = "SELECT v.url, x.robots, max(v.seq) FROM visit v JOIN version x ON x.id = v.version
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 1 AND x.robots IS NOT NULL GROUP BY v.url";
        self.survey(SELECT, true, |row| {
            take(row.get(0)?, row.get_ref(1)?.as_str()?);
            Ok(())
        })
    }

    /// Passes the robots.txt files that the run requested to `take`: their complete URLs, and their texts, if any.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_robots_text(&self, mut take: impl FnMut(&str, Option<&str>)) -> Result<(), StoreError> {
        const SELECT: &str = "SELECT u.text, x.robots FROM visit v LEFT JOIN version x ON x.id = v.version
             JOIN url u ON u.id = v.url
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 1";
        self.survey(SELECT, true, |row| {
            take(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str_or_null()?);
            Ok(())
        })
    }

    /// Passes the pages with a detected change to `take`, each with the time of the last visit before the change, in
    /// milliseconds since 1970.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_change(&self, mut take: impl FnMut(u32, i64)) -> Result<(), StoreError> {
        const SELECT: &str = "SELECT url, changed_after FROM memory WHERE changes > 0 AND changed_after IS NOT NULL";
        self.survey(SELECT, false, |row| {
            take(row.get(0)?, row.get(1)?);
            Ok(())
        })
    }

    /// Passes the URLs that a run found through another URL to `take`: the URL, the way, and the other URL.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_parent_in(&self, run: i64, mut take: impl FnMut(u32, Via, u32)) -> Result<(), StoreError> {
        const SELECT: &str = "SELECT url, via, parent FROM found WHERE run = ? AND parent IS NOT NULL";
        let mut select = self.connection.prepare(SELECT)?;
        let mut rows = select.query([run])?;
        while let Some(row) = rows.next()? {
            let via = Via::ALL.get(row.get::<_, usize>(1)?).copied().unwrap_or(Via::Link);
            take(row.get(0)?, via, row.get(2)?);
        }
        Ok(())
    }

    /// Passes the URLs that were pages in any run to `take`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_remembered(&self, mut take: impl FnMut(u32)) -> Result<(), StoreError> {
        self.survey("SELECT url FROM memory WHERE version IS NOT NULL", false, |row| {
            take(row.get(0)?);
            Ok(())
        })
    }

    /// Passes the pages that are `wanted` to `take`, as they were last read in any run.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_recalled(
        &self,
        wanted: impl Fn(u32) -> bool,
        mut take: impl FnMut(RecalledRow),
    ) -> Result<(), StoreError> {
        const SELECT: &str =
            "SELECT m.url, m.noindex, m.nofollow, x.sets, x.hash, x.title, x.sketch, m.target, m.canonical
             FROM memory m JOIN version x ON x.id = m.version";
        self.survey(SELECT, false, |row| {
            if wanted(row.get(0)?) {
                take(recalled(row)?);
            }
            Ok(())
        })
    }

    pub(super) fn survey(
        &self,
        sql: &str,
        of_run: bool,
        mut take: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let mut select = self.connection.prepare(sql)?;
        let mut rows = if of_run { select.query([self.run])? } else { select.query([])? };
        while let Some(row) = rows.next()? {
            take(row)?;
        }
        Ok(())
    }
}

fn link(link: StoredLink) -> LinkRow {
    let StoredLink { target, kind, rel, region, anchor, fragment } = link;
    LinkRow { target, kind, nofollow: rel.nofollow, region, anchor, fragment }
}

fn fetched(row: &Row<'_>) -> rusqlite::Result<VisitRow> {
    let kind = |at| Ok::<_, rusqlite::Error>(row.get_ref(at)?.as_str_or_null()?.and_then(media_kind));
    let media = kind(14)?.map(|kind| Ok::<_, rusqlite::Error>((row.get(13)?, kind)));
    let line: Option<u32> = row.get(8)?;
    Ok(VisitRow {
        url: row.get(0)?,
        purpose: Purpose::from_code(row.get(1)?).unwrap_or(Purpose::Page),
        at: row.get(2)?,
        outcome: Outcome::ALL.get(row.get::<_, usize>(3)?).copied().unwrap_or(Outcome::Failed),
        status: row.get(4)?,
        failure: row.get_ref(5)?.as_str_or_null()?.and_then(FailureKind::from_name),
        detail: row.get(6)?,
        robots_status: row.get(7)?,
        robots_rule: line.map(|line| row.get(9).map(|text| (line, text))).transpose()?,
        total_ms: row.get(10)?,
        body_bytes: row.get(11)?,
        wire_bytes: row.get(21)?,
        cut: row.get::<_, u8>(12)? != 0,
        body_cut: row.get::<_, u8>(12)? & BODY_CUT != 0,
        media: match media.transpose()? {
            Some((declared, of_kind)) => Some(Media { declared, kind: of_kind, sniffed: kind(15)? }),
            None => None,
        },
        target: row.get(16)?,
        canonical: row.get(17)?,
        noindex: row.get(18)?,
        nofollow: row.get(19)?,
        reused: row.get::<_, u8>(20)? != 0,
    })
}

fn media_kind(name: &str) -> Option<MediaKind> {
    use MediaKind::{Feed, Html, Image, Other, Pdf, Text, Xhtml, Xml};
    [Html, Xhtml, Pdf, Xml, Feed, Text, Image, Other]
        .into_iter()
        .find(|kind| crate::write::visits::kind_name(*kind) == name)
}

fn recalled(row: &Row<'_>) -> rusqlite::Result<RecalledRow> {
    let Json(sets): Json<Vec<u32>> = row.get(3)?;
    Ok(RecalledRow {
        url: row.get(0)?,
        noindex: row.get(1)?,
        nofollow: row.get(2)?,
        sets,
        hash: row.get::<_, i64>(4)?.cast_unsigned(),
        title: row.get(5)?,
        sketch: sketch(row)?,
        target: row.get(7)?,
        canonical: row.get(8)?,
    })
}

/// The sketch of a text, from the column with index 6.
fn sketch(row: &Row<'_>) -> rusqlite::Result<Option<Sketch>> {
    let bytes = row.get_ref(6)?.as_blob_or_null().ok().flatten();
    Ok(bytes.and_then(|bytes| bytes.try_into().ok()).map(Sketch))
}

fn page_row(row: &Row<'_>, unpacker: &mut Unpacker) -> Result<PageRow, StoreError> {
    Ok(PageRow {
        url: row.get(0)?,
        hash: row.get::<_, i64>(1)?.cast_unsigned(),
        sets: row.get(8).map(json::or_default)?,
        facts: PageFacts {
            title: row.get(2)?,
            description: row.get(9)?,
            directives: listed(row.get_ref(3)?)?,
            scripts: row.get(4)?,
            text_bytes: row.get(5)?,
            prose_bytes: row.get(10)?,
            sketch: sketch(row)?,
            ..unpacker.facts(row.get_ref(7)?)?
        },
    })
}
