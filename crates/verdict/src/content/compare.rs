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
    let mut met: Vec<Option<Range<usize>>> = vec![None; slots.len()];
    let mut fresh: Vec<Range<usize>> = Vec::new();
    for hunk in hunks(old, new) {
        let left = Left::of(&hunk, old, new, is_common);
        if left.is_empty() {
            continue;
        }
        match attribute(&left, old, new, &slots) {
            Some(at) => met.get_mut(at).into_iter().for_each(|met| widen(met, left.place(&hunk))),
            None => fresh.push(left.place(&hunk)),
        }
    }
    let changed = !fresh.is_empty();
    let mut met = met.into_iter();
    slots.retain_mut(|slot| match met.next().flatten() {
        Some(place) => {
            learn(slot, &place, new);
            true
        }
        None => slot.rests(),
    });
    let room = MAX_SLOTS.saturating_sub(slots.len());
    slots.extend(joined(fresh).into_iter().take(room).map(|place| suspect(&place, new)));
    Comparison { changed, slots }
}

/// Grows a place to hold another.
fn widen(place: &mut Option<Range<usize>>, other: Range<usize>) {
    *place = Some(match place.take() {
        Some(place) => place.start.min(other.start)..place.end.max(other.end),
        None => other,
    });
}

/// Differences that are so near to each other are of one place: a box of which one line stayed by chance.
const NEAR: usize = 2;

fn joined(places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(before) if place.start <= before.end + NEAR => before.end = before.end.max(place.end),
            _ => joined.push(place),
        }
    }
    joined
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

    /// The place of it on the page of now.
    fn place(&self, hunk: &Hunk) -> Range<usize> {
        match (self.new.first(), self.new.last()) {
            (Some(first), Some(last)) => *first..last + 1,
            _ => hunk.new.start..hunk.new.start,
        }
    }

    /// Whether all of it stands in a place of both pages. Where more blocks stand there than ever differed, something
    /// came in beside what differs: then only what leaves their number as it is can be of the place.
    fn stands_in(&self, slot: &Slot, old: &[Block], new: &[Block]) -> bool {
        let within = |places: Option<[Range<usize>; 2]>, at: &[usize]| {
            places.is_some_and(|places| places.iter().any(|place| at.iter().all(|at| place.contains(at))))
        };
        let (was, is) = (slot.bounds(old), slot.bounds(new));
        let grown =
            was.width().zip(is.width()).is_some_and(|(was, is)| was != is && was.max(is) > usize::from(slot.most));
        !grown && within(slot.places(is), &self.new) && (self.old.is_empty() || within(slot.places(was), &self.old))
    }
}

/// The slot that a difference stands in: one that is learned before one that differed only once, so that what moves
/// beside content is not taken for a reason to distrust the content.
fn attribute(left: &Left, old: &[Block], new: &[Block], slots: &[Slot]) -> Option<usize> {
    let find = |learned: bool| slots.iter().position(|slot| slot.learned == learned && left.stands_in(slot, old, new));
    find(true).or_else(|| find(false))
}

/// The place differed again: it is no content. A neighbour that is gone is replaced by the one of today.
fn learn(slot: &mut Slot, differed: &Range<usize>, new: &[Block]) {
    let bounds = slot.bounds(new);
    let most = usize::from(slot.most);
    match (bounds.from, bounds.to) {
        (Some(from), None) => slot.after = neighbour(new, Some(differed.end.max(from + most))),
        (None, Some(to)) => {
            slot.before = neighbour(new, differed.start.min(to.saturating_sub(most)).checked_sub(1));
        }
        // What came in beside it is content: the place is where it differed.
        (Some(from), Some(to)) if to - from > most => {
            if differed.start > from {
                slot.before = neighbour(new, differed.start.checked_sub(1));
            } else {
                slot.after = neighbour(new, Some(differed.end));
            }
        }
        _ => {}
    }
    slot.most = slot.most.max(width(differed));
    slot.learned = true;
    slot.quiet = 0;
}

/// A place that differed for the first time, between the blocks that are its neighbours now.
fn suspect(place: &Range<usize>, new: &[Block]) -> Slot {
    Slot {
        before: neighbour(new, place.start.checked_sub(1)),
        after: neighbour(new, Some(place.end)),
        most: width(place).max(1),
        learned: false,
        quiet: 0,
    }
}

fn width(place: &Range<usize>) -> u16 {
    u16::try_from(place.len()).unwrap_or(u16::MAX)
}

fn neighbour(page: &[Block], at: Option<usize>) -> Block {
    at.and_then(|at| page.get(at)).copied().unwrap_or(EDGE)
}
