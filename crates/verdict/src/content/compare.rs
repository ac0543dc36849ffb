//! Two fetches of one page, block by block.

use super::Block;
use super::slot::{EDGE, MAX_SLOTS, Slot};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// Pairs of blocks that are compared for the smallest difference, at most: beyond, all that lies between the first
/// difference and the last counts as one. (The search is quadratic at worst, and pages may be hostile.)
const MAX_PAIRS: usize = 4_000_000;

/// What a comparison came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The content changed.
    pub changed: bool,
    /// What is known of the page's places from now on.
    pub slots: Vec<Slot>,
}

/// A difference: blocks of the page before, and those that stand in their place now.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
}

/// Compares the blocks of two fetches in a row. `slots` is what is known of the page; `is_common` tells the blocks that
/// the site shares.
#[must_use]
pub fn compare(old: &[Block], new: &[Block], mut slots: Vec<Slot>, is_common: &dyn Fn(Block) -> bool) -> Comparison {
    let mut changed = false;
    let mut met = vec![false; slots.len()];
    let mut fresh = Vec::new();
    for hunk in hunks(old, new) {
        let left = Left::of(&hunk, old, new, is_common);
        if left.is_empty() {
            continue;
        }
        match attribute(&left, old, new, &slots) {
            Some(at) => {
                met.get_mut(at).into_iter().for_each(|met| *met = true);
                slots.get_mut(at).into_iter().for_each(|slot| learn(slot, &left, &hunk, new));
            }
            None => {
                changed = true;
                fresh.push(slot_of(&hunk, &left, new));
            }
        }
    }
    let mut met = met.into_iter();
    slots.retain_mut(|slot| met.next().unwrap_or(false) || slot.rests());
    let room = MAX_SLOTS.saturating_sub(slots.len());
    slots.extend(fresh.into_iter().take(room));
    Comparison { changed, slots }
}

/// The blocks that differ between two fetches, on either side: those of which it matters whether the site shares them.
#[must_use]
pub fn differing(old: &[Block], new: &[Block]) -> Vec<Block> {
    let mut blocks: Vec<Block> = hunks(old, new)
        .into_iter()
        .flat_map(|hunk| [old.get(hunk.old), new.get(hunk.new)].into_iter().flatten().flatten().copied())
        .collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}

fn hunks(old: &[Block], new: &[Block]) -> Vec<Hunk> {
    let same = |(a, b): &(&Block, &Block)| a == b;
    let head = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let middle = |rest: &[Block]| head..head + rest.len() - tail;
    let whole = Hunk { old: middle(old_rest), new: middle(new_rest) };
    if whole.old.is_empty() && whole.new.is_empty() {
        return Vec::new();
    }
    if whole.old.len().saturating_mul(whole.new.len()) > MAX_PAIRS {
        return vec![whole];
    }
    let hunk = |op: &DiffOp| match op {
        DiffOp::Equal { .. } => None,
        other => Some(Hunk { old: other.old_range(), new: other.new_range() }),
    };
    capture_diff_slices(Algorithm::Patience, old, new).iter().filter_map(hunk).collect()
}

/// What is left of a hunk without the blocks that the site shares: positions in the page before and in that of now.
struct Left {
    old: Vec<usize>,
    new: Vec<usize>,
}

impl Left {
    fn of(hunk: &Hunk, old: &[Block], new: &[Block], is_common: &dyn Fn(Block) -> bool) -> Self {
        let rest = |page: &[Block], range: &Range<usize>| -> Vec<usize> {
            range.clone().filter(|at| page.get(*at).is_some_and(|block| !is_common(*block))).collect()
        };
        Self { old: rest(old, &hunk.old), new: rest(new, &hunk.new) }
    }

    fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    fn width(&self) -> u16 {
        u16::try_from(self.old.len().max(self.new.len())).unwrap_or(u16::MAX)
    }

    /// Whether all of it stands in a place of both pages.
    fn stands_in(&self, slot: &Slot, old: &[Block], new: &[Block]) -> bool {
        let within = |places: &[Range<usize>], at: &[usize]| places.iter().any(|p| at.iter().all(|at| p.contains(at)));
        within(&slot.places(new), &self.new) && (self.old.is_empty() || within(&slot.places(old), &self.old))
    }
}

/// The slot that a difference stands in: one that is learned before one that differed only once, so that what moves
/// beside content is not taken for a reason to distrust the content.
fn attribute(left: &Left, old: &[Block], new: &[Block], slots: &[Slot]) -> Option<usize> {
    let find = |learned: bool| slots.iter().position(|slot| slot.learned == learned && left.stands_in(slot, old, new));
    find(true).or_else(|| find(false))
}

/// The place differed again: it is no content, and its neighbours are those of today.
fn learn(slot: &mut Slot, left: &Left, hunk: &Hunk, new: &[Block]) {
    let today = slot_of(hunk, left, new);
    let both_there = slot.places(new).first().is_some_and(|place| {
        neighbour(new, place.start.checked_sub(1)) == slot.before && neighbour(new, Some(place.end)) == slot.after
    });
    if !both_there {
        (slot.before, slot.after) = (today.before, today.after);
    }
    slot.most = slot.most.max(today.most);
    slot.learned = true;
    slot.quiet = 0;
}

/// The place of a difference, between the blocks that are its neighbours now.
fn slot_of(hunk: &Hunk, left: &Left, new: &[Block]) -> Slot {
    let first = left.new.first().copied().unwrap_or(hunk.new.start);
    let end = left.new.last().map_or(hunk.new.end, |last| last + 1);
    Slot {
        before: neighbour(new, first.checked_sub(1)),
        after: neighbour(new, Some(end)),
        most: left.width(),
        learned: false,
        quiet: 0,
    }
}

fn neighbour(page: &[Block], at: Option<usize>) -> Block {
    at.and_then(|at| page.get(at)).copied().unwrap_or(EDGE)
}
