//! The places of differences on a page, numbered so that the same place has the same number on similar pages.

use super::BlockHash;
use super::hunk::hunks;

/// The greatest distance, in blocks, from a difference to a block that identifies its place.
const NEAR: usize = 4;
/// The most blocks of a difference that is placed; a larger one belongs to no single place.
const MAX_WIDTH: usize = 8;

/// A block that differs, and the numbers that identify its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The position of the block on its page.
    pub at: usize,
    /// The numbers of its place, equal on all pages for the same place: one per distance from an end of the page or
    /// from a nearby block. Differences that change the number of blocks have other numbers, so that an insertion
    /// beside a changing line is kept apart from that line.
    pub places: Vec<u64>,
}

/// The blocks that differ between two fetches, on the old and on the new page, with their places.
#[must_use]
pub fn placed(old: &[BlockHash], new: &[BlockHash]) -> [Vec<Placed>; 2] {
    let mut placed = [Vec::new(), Vec::new()];
    for hunk in hunks(old, new) {
        let (was, is) = (hunk.old.len(), hunk.new.len());
        if was.max(is) > MAX_WIDTH {
            continue;
        }
        let sides = [(old, hunk.old), (new, hunk.new)];
        let grown = (is as u64).wrapping_sub(was as u64);
        for ((side, of), (page, range)) in (0..).zip(&mut placed).zip(sides) {
            of.extend(range.map(|at| Placed { at, places: places(page, at, number([side, grown, 0, 0])) }));
        }
    }
    placed
}

/// The places of the block at a position of a page; `side` distinguishes the old page from the new one.
fn places(page: &[BlockHash], at: usize, side: u64) -> Vec<u64> {
    let beside = |other: Option<usize>, kind: u64, distance: usize| {
        other.and_then(|other| page.get(other)).map(|block| number([side, kind, distance as u64, u64::from(*block)]))
    };
    let ends = [number([side, 0, at as u64, 0]), number([side, 1, (page.len() - at.min(page.len())) as u64, 0])];
    let before = (1..=NEAR).filter_map(|distance| beside(at.checked_sub(distance), 2, distance));
    let after = (1..=NEAR).filter_map(|distance| beside(at.checked_add(distance), 3, distance));
    ends.into_iter().chain(before).chain(after).collect()
}

/// A hash of four numbers.
fn number(parts: [u64; 4]) -> u64 {
    /// The golden ratio's fraction, as an odd number.
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    parts.into_iter().fold(0, |sum, part| {
        let mixed = (sum ^ part).wrapping_add(MIX).wrapping_mul(MIX);
        mixed ^ mixed >> 29
    })
}
