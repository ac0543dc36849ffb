//! The blocks of text that a site shares: navigation, footers, banners. Of those that differ anywhere, which moved
//! together on many pages.
//!
//! Most pages are compared with the run before, and what the site shares came or went on many of them in this very run. A
//! page that could not be read in the night of a new menu, or came from a cache that was a night behind, moves alone: it
//! is held against an earlier run, in which it said what it said until now.

use crate::changes::Candidate;
use crate::error::StoreError;
use crate::passages;
use crate::template::Template;
use crate::unsteady::Unsteady;
use mapwright_verdict::content::{Block, Pair, Passage};
use rusqlite::Connection;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Differing blocks that are counted, at most; beyond, a block counts as the page's own.
const MAX_COUNTED: usize = 2_000_000;
/// A block that stands on so many pages of the site is shared, however large the site is.
const MANY_PAGES: u64 = 50;
/// Fewer pages than this share nothing.
const FEW_PAGES: u64 = 4;
/// A shared block counts as the site's where it came or went on so many pages at once: on a single page, a word that
/// many pages have is that page's own.
const MOVED_TOGETHER: u32 = 3;
/// A page may be so many runs behind its site, though it was read in each of them.
const BEHIND: usize = 3;
/// Earlier runs that pages are held against, at most; each is read whole.
const MAX_BASELINES: usize = 8;
/// Runs among which these are looked for.
const LOOKED_BACK: u32 = 60;

/// The blocks that the site shares, of those that differ anywhere.
#[derive(Default)]
pub(crate) struct Shared {
    counts: HashMap<Block, Count>,
    pages: u64,
    /// The earlier runs that a page is held against, by the page's number.
    baselines_of: HashMap<u32, Vec<i64>>,
    /// What came or went on many pages since such a run.
    moved_since: HashMap<i64, HashSet<Block>>,
    template: Template,
    unsteady: Unsteady,
}

/// On how many pages a block stands.
#[derive(Default, Clone, Copy)]
struct Count {
    /// Pages where it came or went.
    moved: u32,
    /// Pages as they are now.
    now: u32,
    /// Pages as they were judged before.
    before: u32,
}

/// A run that saw the whole site.
struct Earlier {
    run: i64,
    /// In milliseconds since 1970.
    ended: i64,
}

impl Shared {
    /// Counts the blocks that differ on `candidates`, the pages of `run` that say something else than before.
    pub(crate) fn count(connection: &Connection, run: i64, candidates: &[Candidate]) -> Result<Self, StoreError> {
        if candidates.is_empty() {
            return Ok(Self::default());
        }
        let (template, unsteady) = (Template::learn(connection, run)?, Unsteady::new(connection, run, candidates)?);
        let mut shared = Self { template, unsteady, ..Self::default() };
        for candidate in candidates {
            let Some([old, new]) = candidate.texts(connection)? else { continue };
            let pair = shared.pair(&old, &new);
            shared.unsteady.count(candidate.url, &pair);
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
        shared.baselines_of = candidates.iter().map(|page| (page.url, baselines(&earlier, page))).collect();
        for run in most_common(shared.baselines_of.values().flatten().copied()) {
            let moved = shared.moved_since(connection, run)?;
            shared.moved_since.insert(run, moved);
        }
        Ok(shared)
    }

    /// The blocks that came or went on many pages since `run`: there are twice as many of them now, or half as many, for
    /// the size that the site has and had.
    fn moved_since(&self, connection: &Connection, run: i64) -> Result<HashSet<Block>, StoreError> {
        let mut counts: HashMap<Block, u64> = HashMap::new();
        let pages = each_page(connection, run, |block| {
            if self.counts.contains_key(&block) {
                *counts.entry(block).or_default() += 1;
            }
        })?;
        let many = |count: u64, pages: u64| count >= many_of(pages);
        let moved = |(block, count): (&Block, &Count)| {
            let (was, is) = (counts.get(block).copied().unwrap_or_default(), u64::from(count.now));
            let (before, now) = (was * self.pages, is * pages);
            let moved = many(was, pages) && now * 2 <= before || many(is, self.pages) && before * 2 <= now;
            moved.then_some(*block)
        };
        Ok(self.counts.iter().filter_map(moved).collect())
    }

    /// What of two fetches of a page is compared.
    pub(crate) fn pair(&self, old: &[Passage], new: &[Passage]) -> Pair {
        Pair::of(old, new, &|block| self.template.holds(block))
    }

    /// The positions at which many pages of its kind differ, on the page before and on that of now.
    pub(crate) fn unsteady(&self, page: &Candidate, pair: &Pair) -> [Vec<usize>; 2] {
        self.unsteady.positions(page.url, pair)
    }

    /// On how many pages a block came or went.
    pub(crate) fn moved(&self, block: Block) -> u32 {
        self.counts.get(&block).map_or(0, |count| count.moved)
    }

    /// Tells the blocks of this page that are the site's.
    pub(crate) fn for_page(&self, page: &Candidate) -> impl Fn(Block) -> bool {
        let baselines = self.baselines_of.get(&page.url).map(Vec::as_slice).unwrap_or_default();
        let moved: Vec<&HashSet<Block>> = baselines.iter().filter_map(|run| self.moved_since.get(run)).collect();
        move |block| self.moved_now(block) || moved.iter().any(|moved| moved.contains(&block))
    }

    fn moved_now(&self, block: Block) -> bool {
        self.counts.get(&block).is_some_and(|count| {
            count.moved >= MOVED_TOGETHER && u64::from(count.now.max(count.before)) >= many_of(self.pages)
        })
    }
}

/// On how many pages a block stands that a site of so many pages shares.
fn many_of(pages: u64) -> u64 {
    (pages / 4).clamp(FEW_PAGES, MANY_PAGES)
}

/// The runs before `run` that saw the whole site, newest first.
fn earlier(connection: &Connection, run: i64) -> Result<Vec<Earlier>, StoreError> {
    let mut select = connection.prepare(
        "SELECT id, ended FROM run WHERE id < ? AND state = 'whole' AND ended IS NOT NULL ORDER BY id DESC LIMIT ?",
    )?;
    let rows = select.query_map((run, LOOKED_BACK), |row| Ok(Earlier { run: row.get(0)?, ended: row.get(1)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The runs that a page is held against: one in which it said what it said until now, as far back as a page may be
/// behind; or before it failed; or in which it was fetched last, where servers vouch for the page whatever its site
/// shows. A page that was away since is also held against the last run that saw it: what its site showed then may have
/// been new.
fn baselines(earlier: &[Earlier], page: &Candidate) -> Vec<i64> {
    let same = |run: &&Earlier| run.run <= page.checked_in && run.ended >= page.said_since;
    let newest = earlier.iter().find(same);
    let Some(lately) = earlier.iter().take(BEHIND).rev().find(same).or(newest) else { return Vec::new() };
    let fetched = earlier.iter().filter(same).find(|run| run.run <= page.fetched_in);
    let oldest = fetched.map_or(lately.run, |fetched| fetched.run.min(lately.run));
    let was_away = earlier.first().is_some_and(|last| page.checked_in < last.run);
    let seen_last = newest.filter(|newest| was_away && newest.run != oldest).map(|newest| newest.run);
    [oldest].into_iter().chain(seen_last).collect()
}

/// The runs that most pages are held against.
fn most_common(runs: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut pages: HashMap<i64, usize> = HashMap::new();
    runs.for_each(|run| *pages.entry(run).or_default() += 1);
    let mut runs: Vec<(i64, usize)> = pages.into_iter().collect();
    runs.sort_unstable_by_key(|(run, pages)| (Reverse(*pages), Reverse(*run)));
    runs.into_iter().take(MAX_BASELINES).map(|(run, _)| run).collect()
}

/// Calls `each` for every block of every page that `run` saw, once a page. How many pages there were.
fn each_page(connection: &Connection, run: i64, mut each: impl FnMut(Block)) -> Result<u64, StoreError> {
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

/// Calls `each` for every block of a page, once.
fn each_once(page: impl Iterator<Item = Block>, mut each: impl FnMut(Block)) {
    let mut page: Vec<Block> = page.collect();
    page.sort_unstable();
    page.dedup();
    page.into_iter().for_each(&mut each);
}
