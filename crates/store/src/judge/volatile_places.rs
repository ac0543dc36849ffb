//! Places at which many pages of one URL pattern differ in one run: a clock, a by-line, a load time. The text there may
//! be different on each page, but a difference on many pages at once comes from the template or the server.

use crate::error::StoreError;
use crate::judge::candidate::Candidate;
use mapwright_traps::{pattern, wide_pattern};
use mapwright_verdict::content::{Pair, Placed, placed};
use mapwright_web::PageUrl;
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};

/// The fewest pages that must differ at a place.
const FEW_PAGES: u64 = 4;
/// One in `SHARE` pages of a pattern counts as many.
const SHARE: u64 = 3;
/// The most places that are counted; further places count as steady.
const MAX_COUNTED: usize = 4_000_000;

/// The patterns of a page's URL: its own, and the widest that contains it.
type Patterns = [u32; 2];

/// The places at which pages differ, by the patterns of their URLs.
#[derive(Debug, Default)]
pub(crate) struct VolatilePlaces {
    /// The patterns of the pages that differ, by number of page.
    patterns_of: HashMap<u32, Patterns>,
    /// The number of pages in the run, by pattern.
    pages: Vec<u64>,
    /// The number of pages that differ, by pattern and place.
    counts: HashMap<(u32, u64), u32>,
}

impl VolatilePlaces {
    /// Determines the patterns of `candidates`, and counts their pages in `run`.
    pub(crate) fn new(connection: &Connection, run: i64, candidates: &[Candidate]) -> Result<Self, StoreError> {
        let mut volatile_places = Self::default();
        if (candidates.len() as u64) < FEW_PAGES {
            return Ok(volatile_places);
        }
        let wanted: HashSet<u32> = candidates.iter().map(|page| page.url).collect();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut select = connection.prepare(
            "SELECT u.id, u.text FROM visit v JOIN url u ON u.id = v.url
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0",
        )?;
        let mut rows = select.query([run])?;
        while let Some(row) = rows.next()? {
            let url: u32 = row.get(0)?;
            let patterns = patterns_of(row.get_ref(1)?.as_str().unwrap_or_default());
            let patterns = patterns.map(|pattern| volatile_places.count_page(pattern, &mut numbers));
            if wanted.contains(&url) {
                volatile_places.patterns_of.insert(url, patterns);
            }
        }
        Ok(volatile_places)
    }

    /// Counts a page of a pattern; returns the pattern's number.
    fn count_page(&mut self, pattern: String, numbers: &mut HashMap<String, u32>) -> u32 {
        let next = u32::try_from(self.pages.len()).unwrap_or(u32::MAX);
        let number = *numbers.entry(pattern).or_insert(next);
        if number == next {
            self.pages.push(0);
        }
        self.pages.get_mut(number as usize).into_iter().for_each(|pages| *pages += 1);
        number
    }

    /// Counts the places at which a page differs.
    pub(crate) fn count(&mut self, url: u32, pair: &Pair) {
        let Some(patterns) = self.patterns_of(url) else { return };
        let mut places: Vec<u64> =
            placed(&pair.old, &pair.new).into_iter().flatten().flat_map(|block| block.places).collect();
        places.sort_unstable();
        places.dedup();
        for key in patterns.iter().flat_map(|pattern| places.iter().map(|place| (*pattern, *place))) {
            if self.counts.len() < MAX_COUNTED || self.counts.contains_key(&key) {
                *self.counts.entry(key).or_default() += 1;
            }
        }
    }

    /// The positions on the old and on the new page at which many pages of its patterns differ.
    pub(crate) fn positions(&self, url: u32, pair: &Pair) -> [Vec<usize>; 2] {
        let Some(patterns) = self.patterns_of(url) else { return Default::default() };
        let is_volatile = |block: &Placed| {
            patterns.iter().any(|pattern| block.places.iter().any(|place| self.is_many(*pattern, *place)))
        };
        placed(&pair.old, &pair.new)
            .map(|side| side.iter().filter(|block| is_volatile(block)).map(|block| block.at).collect())
    }

    /// The patterns of a page, each once.
    fn patterns_of(&self, url: u32) -> Option<Vec<u32>> {
        let mut patterns = self.patterns_of.get(&url)?.to_vec();
        patterns.dedup();
        Some(patterns)
    }

    fn is_many(&self, pattern: u32, place: u64) -> bool {
        let pages = self.pages.get(pattern as usize).copied().unwrap_or_default();
        let count = self.counts.get(&(pattern, place)).copied().unwrap_or_default();
        u64::from(count) >= pages.div_ceil(SHARE).max(FEW_PAGES)
    }
}

/// The patterns of a URL; a URL without a pattern is its own.
fn patterns_of(text: &str) -> [String; 2] {
    let url = PageUrl::recorded(text);
    let named = |pattern: Option<String>| pattern.unwrap_or_else(|| text.to_owned());
    [named(url.as_ref().and_then(pattern)), named(url.as_ref().and_then(wide_pattern))]
}
