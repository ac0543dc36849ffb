//! The differences between two fetches of one page.

use super::BlockHash;
use super::slot::{Bounds, DynamicRegion};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// The most pairs of blocks that are compared to find the smallest difference. Beyond that, everything between the
/// first and the last difference counts as one, since the search is quadratic at worst and pages may be hostile.
const MAX_PAIRS: usize = 4_000_000;

/// A difference: blocks of the old page, and the blocks that replace them on the new page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// The blocks that differ between two fetches, on either side; only for these does it matter whether the site shares
/// them.
#[must_use]
pub fn differing(old: &[BlockHash], new: &[BlockHash]) -> Vec<BlockHash> {
    let mut blocks: Vec<BlockHash> = hunks(old, new)
        .into_iter()
        .flat_map(|hunk| [old.get(hunk.old), new.get(hunk.new)].into_iter().flatten().flatten().copied())
        .collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}

/// All differences of two fetches, in the order of the page.
pub(super) fn hunks(old: &[BlockHash], new: &[BlockHash]) -> Vec<Hunk> {
    let same = |(a, b): &(&BlockHash, &BlockHash)| a == b;
    let head = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let middle = |rest: &[BlockHash]| head..head + rest.len() - tail;
    let all_lines = Hunk { old: middle(old_rest), new: middle(new_rest) };
    if all_lines.old.is_empty() && all_lines.new.is_empty() {
        return Vec::new();
    }
    if all_lines.old.len().saturating_mul(all_lines.new.len()) > MAX_PAIRS {
        return vec![all_lines];
    }
    let hunk = |op: &DiffOp| match op {
        DiffOp::Equal { .. } => None,
        other => Some(Hunk { old: other.old_range(), new: other.new_range() }),
    };
    capture_diff_slices(Algorithm::Patience, old, new).iter().filter_map(hunk).collect()
}

/// The part of a hunk that remains without the blocks that the site shares.
pub(super) struct UnsharedBlocks {
    /// Positions on the old page, ascending.
    pub(super) old: Vec<usize>,
    /// Positions on the new page, ascending.
    pub(super) new: Vec<usize>,
    /// The place on the new page if `new` is empty; blocks that the site shares may stand there.
    fallback_place: Range<usize>,
}

impl UnsharedBlocks {
    pub(super) fn of(hunk: &Hunk, old: &[BlockHash], new: &[BlockHash], is_common: &dyn Fn(BlockHash) -> bool) -> Self {
        let rest = |page: &[BlockHash], range: &Range<usize>| -> Vec<usize> {
            range.clone().filter(|at| page.get(*at).is_some_and(|block| !is_common(*block))).collect()
        };
        Self { old: rest(old, &hunk.old), new: rest(new, &hunk.new), fallback_place: hunk.new.clone() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    /// The place of the difference on the new page.
    pub(super) fn place(&self) -> Range<usize> {
        match (self.new.first(), self.new.last()) {
            (Some(first), Some(last)) => *first..last + 1,
            _ => self.fallback_place.clone(),
        }
    }

    /// Reports whether the entire difference lies in a slot on both pages. Where the slot holds more blocks than ever
    /// differed, blocks were added beside it; then only a difference that keeps the number of blocks belongs to it.
    pub(super) fn stands_in(&self, slot: &DynamicRegion, [was, is]: [Bounds; 2]) -> bool {
        let within = |places: Option<[Range<usize>; 2]>, at: &[usize]| {
            places.is_some_and(|places| places.iter().any(|place| at.iter().all(|at| place.contains(at))))
        };
        let grown =
            was.width().zip(is.width()).is_some_and(|(was, is)| was != is && was.max(is) > usize::from(slot.most));
        !grown && within(slot.places(is), &self.new) && (self.old.is_empty() || within(slot.places(was), &self.old))
    }

    /// Divides a difference that covers a slot and its neighbourhood: the part in the slot, and the rest. `None` unless
    /// both parts exist.
    pub(super) fn parted(&self, slot: &DynamicRegion, [was, is]: [Bounds; 2]) -> Option<(Self, Self)> {
        let width = was.width().filter(|width| (1..=usize::from(slot.most)).contains(width))?;
        let before = was.from?..was.to?;
        let now = match (is.from, is.to) {
            (None, Some(to)) => to.saturating_sub(width)..to,
            (Some(from), None) => from..from + width,
            _ => return None,
        };
        let part = |at: &[usize], place: &Range<usize>| at.iter().copied().partition(|at| place.contains(at));
        let ((own_old, other_old), (own_new, other_new)) = (part(&self.old, &before), part(&self.new, &now));
        let own = Self { old: own_old, new: own_new, fallback_place: now.start..now.start };
        let other = Self {
            old: other_old,
            new: other_new,
            fallback_place: self.fallback_place.start..self.fallback_place.start,
        };
        (!own.is_empty() && !other.is_empty()).then_some((own, other))
    }
}
