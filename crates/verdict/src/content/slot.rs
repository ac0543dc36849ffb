//! A place on a page whose blocks may be boilerplate because they differ from fetch to fetch.

use super::BlockHash;
use std::ops::Range;

/// The most slots remembered per page; places that differ beyond that are not learned.
pub(super) const MAX_SLOTS: usize = 64;
/// The number of visits without a difference after which a slot counts as content again.
const FORGOTTEN: u8 = 60;
/// The neighbour of a slot at the start or the end of a page.
pub(super) const EDGE: BlockHash = 0;

/// A place where the page differed, between two blocks that did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DynamicRegion {
    /// The block before it; 0 for the start of the page.
    pub(super) before: BlockHash,
    /// The block after it; 0 for the end of the page.
    pub(super) after: BlockHash,
    /// The most blocks that differed here at one visit.
    pub(super) most: u16,
    /// It differed at two visits in a row: its blocks are boilerplate.
    pub(super) learned: bool,
    /// It differed at two visits in a row but is most of the page, so its blocks may still be content.
    pub(super) twice: bool,
    /// It differed once, together with many other pages: if it differs on this page alone afterwards, it is content.
    pub(super) explained: bool,
    /// The number of visits in a row without a difference here.
    pub(super) quiet: u8,
    /// The number of visits in a row at which the slot differed but its first block (`front`) or its last (`back`)
    /// stayed; at most [`MAX_STAYED`].
    pub(super) front: u8,
    pub(super) back: u8,
}

/// The highest value of [`DynamicRegion::front`] and [`DynamicRegion::back`], which have three bits each in the record.
pub(super) const MAX_STAYED: u8 = 7;

impl DynamicRegion {
    /// The start and end of the place on a page, as far as its neighbours are found there.
    pub(super) fn bounds(&self, page: &[BlockHash]) -> Bounds {
        let find = |wanted: BlockHash, from: usize| {
            page.iter().skip(from).position(|block| *block == wanted).map(|at| at + from)
        };
        let from = if self.before == EDGE { Some(0) } else { find(self.before, 0).map(|at| at + 1) };
        let to = if self.after == EDGE {
            Some(page.len())
        } else {
            from.and_then(|from| find(self.after, from)).or_else(|| find(self.after, 0))
        };
        Bounds { from, to: to.filter(|to| from.is_none_or(|from| from <= *to)), end: page.len() }
    }

    /// The blocks in a place with these bounds; `None` where both neighbours are gone. Where one neighbour is gone, the
    /// place extends from the other by the most blocks that ever differed. Where blocks were added between the
    /// neighbours, there are two candidates: one at each side.
    pub(super) fn places(&self, bounds: Bounds) -> Option<[Range<usize>; 2]> {
        let most = usize::from(self.most);
        match (bounds.from, bounds.to) {
            (Some(from), Some(to)) if to - from <= most => Some([from..to, from..to]),
            (Some(from), Some(to)) => Some([from..from + most, to - most..to]),
            (Some(from), None) => {
                let place = from..(from + most).min(bounds.end);
                Some([place.clone(), place])
            }
            (None, Some(to)) => {
                let place = to.saturating_sub(most)..to;
                Some([place.clone(), place])
            }
            (None, None) => None,
        }
    }

    /// Counts a visit without a difference and reports whether to keep the slot. A place that differed only once is
    /// forgotten at once.
    pub(super) fn rests(&mut self) -> bool {
        self.quiet = self.quiet.saturating_add(1);
        self.learned && self.quiet < FORGOTTEN
    }
}

/// The start and end of a place on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The position after the block before it, if that block is on the page.
    pub(super) from: Option<usize>,
    /// The position of the block after it, if that block is on the page.
    pub(super) to: Option<usize>,
    /// The end of the page.
    end: usize,
}

impl Bounds {
    /// The number of blocks in the place; `None` unless both neighbours are on the page.
    pub(super) fn width(self) -> Option<usize> {
        self.from.zip(self.to).map(|(from, to)| to - from)
    }
}

/// The size of one slot in bytes: `before`, `after`, `most`, a byte of flags (from the lowest bit: `learned`, three
/// bits each of `front` and `back`, `twice`), and a byte of `quiet`.
const WIDTH: usize = 12;

/// The bits of `quiet` in its byte; the remaining bit is `explained`.
const QUIET: u8 = 0x7F;

/// Slots as bytes, for the record.
#[must_use]
pub fn slots_to_bytes(slots: &[DynamicRegion]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(slots.len() * WIDTH);
    for slot in slots {
        bytes.extend_from_slice(&slot.before.to_le_bytes());
        bytes.extend_from_slice(&slot.after.to_le_bytes());
        bytes.extend_from_slice(&slot.most.to_le_bytes());
        let (front, back) = (slot.front.min(MAX_STAYED), slot.back.min(MAX_STAYED));
        bytes.extend_from_slice(&[
            u8::from(slot.learned) | front << 1 | back << 4 | u8::from(slot.twice) << 7,
            slot.quiet & QUIET | u8::from(slot.explained) << 7,
        ]);
    }
    bytes
}

/// Slots from the bytes of [`slots_to_bytes`]; an incomplete slot at the end is ignored.
#[must_use]
pub fn slots_from_bytes(bytes: &[u8]) -> Vec<DynamicRegion> {
    let read = |bytes: &[u8]| match *bytes {
        [a, b, c, d, e, f, g, h, i, j, learned, quiet] => Some(DynamicRegion {
            before: u32::from_le_bytes([a, b, c, d]),
            after: u32::from_le_bytes([e, f, g, h]),
            most: u16::from_le_bytes([i, j]),
            learned: learned & 1 != 0,
            twice: learned >> 7 != 0,
            explained: quiet & !QUIET != 0,
            quiet: quiet & QUIET,
            front: learned >> 1 & MAX_STAYED,
            back: learned >> 4 & MAX_STAYED,
        }),
        _ => None,
    };
    bytes.chunks_exact(WIDTH).filter_map(read).collect()
}
