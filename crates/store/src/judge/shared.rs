//! The text blocks that pages of a site share: navigation, footers, banners. Among the blocks that differ on any page,
//! finds those that came or went on many pages together.
//!
//! Most pages are compared with the previous run, and shared blocks came or went on many of them in this run. A page
//! that could not be read in the run of a new menu, or that came from a cache one run behind, changes alone. Such a
//! page is compared with an earlier baseline run, in which it had the content that it had until now.

use crate::error::StoreError;
use crate::judge::candidate::Candidate;
use crate::judge::template::Template;
use crate::judge::volatile_places::VolatilePlaces;
use crate::write::passages;
use mapwright_verdict::content::{BlockHash, Pair, Passage};
use rusqlite::Connection;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The most differing blocks that are counted; any further block counts as the page's own.
const MAX_COUNTED: usize = 2_000_000;
/// The number of pages from which on a block is shared, however large the site is.
const MANY_PAGES: u64 = 50;
/// The fewest pages that a shared block is on.
const FEW_PAGES: u64 = 4;
/// The number of pages on which a shared block must come or go at once to count as the site's. If it changes on a
/// single page, it is that page's own, even if many pages have it.
const MOVED_TOGETHER: u32 = 3;
/// The number of runs that a page may be behind its site although it was read in each.
const BEHIND: usize = 3;
/// The most baseline runs, since each is read completely.
const MAX_BASELINES: usize = 8;
/// The number of earlier runs that are searched for baselines.
const LOOKED_BACK: u32 = 60;

/// The shared blocks of the site, among the blocks that differ on any page.
#[derive(Default)]
pub(crate) struct Shared {
    counts: HashMap<BlockHash, Count>,
    pages: u64,
    /// By number of page, its baseline runs.
    baselines_of: HashMap<u32, Vec<i64>>,
    /// By baseline run, the blocks that came or went on many pages since.
    moved_since: HashMap<i64, HashSet<BlockHash>>,
    template: Template,
    volatile_places: VolatilePlaces,
}

/// The numbers of pages with a block.
#[derive(Default, Clone, Copy)]
struct Count {
    /// The number of pages on which it came or went.
    moved: u32,
    /// The number of pages that have it now.
    now: u32,
    /// The number of changed pages that had it when they were compared before.
    before: u32,
}

/// A complete run.
struct Earlier {
    run: i64,
    /// The end of the run, in milliseconds since 1970.
    ended: i64,
}

impl Shared {
    /// Counts the blocks that differ on `candidates`, the pages of `run` whose versions differ.
    pub(crate) fn count(connection: &Connection, run: i64, candidates: &[Candidate]) -> Result<Self, StoreError> {
        if candidates.is_empty() {
            return Ok(Self::default());
        }
        let (template, volatile_places) =
            (Template::learn(connection, run)?, VolatilePlaces::new(connection, run, candidates)?);
        let mut shared = Self { template, volatile_places, ..Self::default() };
        for candidate in candidates {
            let Some([old, new]) = candidate.texts(connection)? else { continue };
            let pair = shared.pair(&old, &new);
            shared.volatile_places.count(candidate.url, &pair);
            for block in pair.differing {
                if shared.counts.len() < MAX_COUNTED || shared.counts.contains_key(&block) {
                    shared.counts.entry(block).or_default().moved += 1;
                }
            }
            each_once(old.iter().map(|passage| passage.text), |block| {
                _ = shared.counts.get_mut(&block).map(|count| count.before += 1)
            });
        }
        if shared.counts.is_empty() {
            return Ok(shared);
        }
        shared.pages =
            each_page(connection, run, |block| _ = shared.counts.get_mut(&block).map(|count| count.now += 1))?;
        let earlier = earlier(connection, run)?;
        shared.baselines_of = candidates.iter().map(|page| (page.url, baseline_runs(&earlier, page))).collect();
        for run in most_common(shared.baselines_of.values().flatten().copied()) {
            let moved = shared.moved_since(connection, run)?;
            shared.moved_since.insert(run, moved);
        }
        Ok(shared)
    }

    /// The blocks that came or went on many pages since `run`: their share of the site's pages has at least doubled or
    /// halved.
    fn moved_since(&self, connection: &Connection, run: i64) -> Result<HashSet<BlockHash>, StoreError> {
        let mut counts: HashMap<BlockHash, u64> = HashMap::new();
        let pages = each_page(connection, run, |block| {
            if self.counts.contains_key(&block) {
                *counts.entry(block).or_default() += 1;
            }
        })?;
        let many = |count: u64, pages: u64| count >= many_of(pages);
        let moved = |(block, count): (&BlockHash, &Count)| {
            let (was, is) = (counts.get(block).copied().unwrap_or_default(), u64::from(count.now));
            let (before, now) = (was * self.pages, is * pages);
            let moved = many(was, pages) && now * 2 <= before || many(is, self.pages) && before * 2 <= now;
            moved.then_some(*block)
        };
        Ok(self.counts.iter().filter_map(moved).collect())
    }

    /// The parts of two fetches of a page that are compared.
    pub(crate) fn pair(&self, old: &[Passage], new: &[Passage]) -> Pair {
        Pair::of(old, new, &|block| self.template.holds(block))
    }

    /// The positions on the old and on the new page at which many pages of its URL pattern differ.
    pub(crate) fn volatile_places(&self, page: &Candidate, pair: &Pair) -> [Vec<usize>; 2] {
        self.volatile_places.positions(page.url, pair)
    }

    /// The number of pages on which a block came or went.
    pub(crate) fn moved(&self, block: BlockHash) -> u32 {
        self.counts.get(&block).map_or(0, |count| count.moved)
    }

    /// Returns the test for blocks of this page that belong to the site.
    pub(crate) fn for_page(&self, page: &Candidate) -> impl Fn(BlockHash) -> bool {
        let baseline_runs = self.baselines_of.get(&page.url).map(Vec::as_slice).unwrap_or_default();
        let moved: Vec<&HashSet<BlockHash>> =
            baseline_runs.iter().filter_map(|run| self.moved_since.get(run)).collect();
        move |block| self.moved_now(block) || moved.iter().any(|moved| moved.contains(&block))
    }

    fn moved_now(&self, block: BlockHash) -> bool {
        self.counts.get(&block).is_some_and(|count| {
            count.moved >= MOVED_TOGETHER && u64::from(count.now.max(count.before)) >= many_of(self.pages)
        })
    }
}

/// The number of pages from which on a block is shared, on a site with this many pages.
fn many_of(pages: u64) -> u64 {
    (pages / 4).clamp(FEW_PAGES, MANY_PAGES)
}

/// The complete runs before `run`, newest first.
fn earlier(connection: &Connection, run: i64) -> Result<Vec<Earlier>, StoreError> {
    let mut select = connection.prepare(
        "SELECT id, ended FROM run WHERE id < ? AND state = 'complete' AND ended IS NOT NULL ORDER BY id DESC LIMIT ?",
    )?;
    let rows = select.query_map((run, LOOKED_BACK), |row| Ok(Earlier { run: row.get(0)?, ended: row.get(1)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The baseline runs of a page.
///
/// The first baseline is a run in which the page had the content that it had until now: the oldest within the
/// [`BEHIND`] newest runs, else the newest. It is the run of the last full fetch if that is older, because servers
/// revalidate a page even if the blocks that its site shares changed. A page missing from the last run has a second
/// baseline, the last run that fetched it, because the shared blocks may have been new then.
fn baseline_runs(earlier: &[Earlier], page: &Candidate) -> Vec<i64> {
    let same = |run: &&Earlier| run.run <= page.checked_in && run.ended >= page.said_since;
    let newest = earlier.iter().find(same);
    let Some(lately) = earlier.iter().take(BEHIND).rev().find(same).or(newest) else { return Vec::new() };
    let fetched = earlier.iter().filter(same).find(|run| run.run <= page.fetched_in);
    let oldest = fetched.map_or(lately.run, |fetched| fetched.run.min(lately.run));
    let was_away = earlier.first().is_some_and(|last| page.checked_in < last.run);
    let seen_last = newest.filter(|newest| was_away && newest.run != oldest).map(|newest| newest.run);
    [oldest].into_iter().chain(seen_last).collect()
}

/// The baseline runs that most pages have.
fn most_common(runs: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut pages: HashMap<i64, usize> = HashMap::new();
    runs.for_each(|run| *pages.entry(run).or_default() += 1);
    let mut runs: Vec<(i64, usize)> = pages.into_iter().collect();
    runs.sort_unstable_by_key(|(run, pages)| (Reverse(*pages), Reverse(*run)));
    runs.into_iter().take(MAX_BASELINES).map(|(run, _)| run).collect()
}

/// Calls `each` once per page for every block of every page of `run`. Returns the number of pages.
fn each_page(connection: &Connection, run: i64, mut each: impl FnMut(BlockHash)) -> Result<u64, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT x.title, x.blocks FROM visit v JOIN version x ON x.id = v.version
         WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0",
    )?;
    let mut rows = select.query([run])?;
    let mut pages = 0;
    while let Some(row) = rows.next()? {
        pages += 1;
        let said = passages::read(
            row.get_ref(0)?.as_str_or_null().unwrap_or_default(),
            row.get_ref(1)?.as_blob().unwrap_or_default(),
        );
        each_once(said.iter().map(|passage| passage.text), &mut each);
    }
    Ok(pages)
}

/// Calls `each` once for every block of a page.
fn each_once(page: impl Iterator<Item = BlockHash>, mut each: impl FnMut(BlockHash)) {
    let mut page: Vec<BlockHash> = page.collect();
    page.sort_unstable();
    page.dedup();
    page.into_iter().for_each(&mut each);
}
