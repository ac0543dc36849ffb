//! Keeps a judgement until something changes that it rests on.
//!
//! In borderline cases, the evidence depends on which variants a run requests, and in which order. A page that is
//! unchanged since the last complete run, and that no changed page links, is therefore judged as it was then.

use super::pages::Pages;
use crate::error::StoreError;
use crate::judge::targets::SetTargets;
use crate::read::resume::complete_run_before;
use crate::schema::json::Json;
use mapwright_verdict::{NodeIndex, Reason};
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashSet;

/// The key of the version of mapwright that judged last, in the table `meta`.
const JUDGED_BY: &str = "judged_by";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The judgement of the last complete run with the same settings on a page that is judged differently now.
struct Before {
    node: NodeIndex,
    /// The reason and the other page; `None` where it was listed.
    judged: Option<(Reason, Option<NodeIndex>)>,
}

/// Restores the earlier judgements on pages where nothing changed that they rest on.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let Some(before) = run_before(pages.connection, pages.run)? else { return Ok(()) };
    let otherwise = judged_otherwise(pages, before)?;
    if otherwise.is_empty() {
        return Ok(());
    }
    let changed = Changed::since(pages, before)?;
    let (listed, left_out): (Vec<_>, Vec<_>) =
        otherwise.into_iter().filter(|page| !changed.affects(page.node)).partition(|page| page.judged.is_none());
    for page in listed {
        // If two pages are equal, the other may now be the better one.
        let is_judged_again = |other: NodeIndex| changed.affects(other);
        if !pages.judgement(page.node).is_some_and(|(_, other)| other.is_some_and(is_judged_again)) {
            pages.list_again(page.node);
        }
    }
    for page in left_out {
        let Some((reason, other)) = page.judged else { continue };
        if other.is_none_or(|other| pages.listed_node_of(other).is_some_and(|stays| pages.is_page(stays))) {
            pages.leave_out(page.node, reason, other);
        }
    }
    Ok(())
}

/// Stores the version of mapwright that judged.
pub(super) fn note_version(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (JUDGED_BY, VERSION))?;
    Ok(())
}

/// The last complete run with the same settings, if this version of mapwright judged it.
fn run_before(connection: &Connection, run: i64) -> Result<Option<i64>, StoreError> {
    let judged_by: Option<String> =
        connection.query_row("SELECT value FROM meta WHERE key = ?", [JUDGED_BY], |row| row.get(0)).optional()?;
    if judged_by.is_none_or(|version| version != VERSION) {
        return Ok(None);
    }
    complete_run_before(connection, run)
}

/// The pages that were listed in a run and are left out now, or the other way round.
fn judged_otherwise(pages: &Pages<'_>, before: i64) -> Result<Vec<Before>, StoreError> {
    let mut select =
        pages.connection.prepare("SELECT url, reason, evidence FROM verdict WHERE run = ? ORDER BY url")?;
    let mut rows = select.query([before])?;
    let mut otherwise = Vec::new();
    while let Some(row) = rows.next()? {
        let (node, code): (NodeIndex, Option<u8>) = (row.get(0)?, row.get(1)?);
        if !pages.is_page(node) {
            continue;
        }
        let evidence: Option<NodeIndex> = row.get(2)?;
        match code.map(Reason::from_code) {
            None if !pages.is_open(node) => otherwise.push(Before { node, judged: None }),
            Some(Some(reason)) if pages.is_open(node) && is_held(pages, node, reason, evidence) => {
                otherwise.push(Before { node, judged: Some((reason, evidence)) });
            }
            _ => {}
        }
    }
    Ok(otherwise)
}

/// Reports whether a page was left out by judgement. Exact duplicates do not count, since each run compares their
/// bytes.
fn is_held(pages: &Pages<'_>, node: NodeIndex, reason: Reason, other: Option<NodeIndex>) -> bool {
    let duplicate_key = |node: NodeIndex| pages.known.get(node as usize).map_or(0, |known| known.duplicate_key);
    let are_duplicates =
        || other.is_some_and(|other| duplicate_key(other) != 0 && duplicate_key(other) == duplicate_key(node));
    reason.is_judgement() || reason == Reason::Duplicate && !are_duplicates()
}

/// The pages that are new or changed since a run.
struct Changed {
    pages: HashSet<NodeIndex>,
    /// Targets of their links, and new entries of the site's sitemaps and feeds.
    targets: HashSet<NodeIndex>,
}

impl Changed {
    fn since(pages: &Pages<'_>, before: i64) -> Result<Self, StoreError> {
        let (connection, run, sets) = (pages.connection, pages.run, pages.sets);
        let mut select =
            connection.prepare("SELECT url FROM entry WHERE run = ? EXCEPT SELECT url FROM entry WHERE run = ?")?;
        let targets = select.query_map((run, before), |row| row.get(0))?.collect::<Result<_, _>>()?;
        let mut own = Self { pages: HashSet::new(), targets };
        let mut select = connection.prepare(
            "SELECT v.url, x.sets, d.content IS NULL FROM visit v JOIN version x ON x.id = v.version
             LEFT JOIN memory m ON m.url = v.url LEFT JOIN verdict d ON d.run = ?2 AND d.url = v.url
             WHERE v.run = ?1 AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0
                 AND d.content IS NOT coalesce(m.since, m.content, m.version)",
        )?;
        let mut rows = select.query((run, before))?;
        let mut unread: Vec<(NodeIndex, Vec<u32>)> = Vec::new();
        while let Some(row) = rows.next()? {
            let (node, Json(page_sets)): (NodeIndex, Json<Vec<u32>>) = (row.get(0)?, row.get(1)?);
            match row.get(2)? {
                true => unread.push((node, page_sets)),
                false => own.take(node, &page_sets, sets)?,
            }
        }
        own.take_new(unread, sets)?;
        Ok(own)
    }

    /// Adds the new pages among those that the earlier run did not read: the pages that a changed page links or a new
    /// sitemap entry names. The others were only not part of the sample of that run.
    fn take_new(&mut self, mut unread: Vec<(NodeIndex, Vec<u32>)>, sets: &SetTargets<'_>) -> Result<(), StoreError> {
        loop {
            let (new, others): (Vec<_>, Vec<_>) = unread.into_iter().partition(|(node, _)| self.targets.contains(node));
            if new.is_empty() {
                return Ok(());
            }
            for (node, page_sets) in &new {
                self.take(*node, page_sets, sets)?;
            }
            unread = others;
        }
    }

    fn take(&mut self, node: NodeIndex, page_sets: &[u32], sets: &SetTargets<'_>) -> Result<(), StoreError> {
        self.pages.insert(node);
        for set in page_sets {
            let targets = sets.targets(*set)?;
            self.targets.extend(targets.open.iter().chain(&targets.nofollow));
        }
        Ok(())
    }

    fn affects(&self, node: NodeIndex) -> bool {
        self.pages.contains(&node) || self.targets.contains(&node)
    }
}
