//! A place on a page where something stands that may be no content.

use super::Block;
use std::ops::Range;

/// Slots remembered of one page, at most; what is met beyond is not learned.
pub(super) const MAX_SLOTS: usize = 64;
/// Visits without a difference after which a slot is content again.
const FORGOTTEN: u8 = 60;
/// Stands for the start or the end of a page.
pub(super) const EDGE: Block = 0;

/// A place where the page differed, between two blocks that stayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The block before it; 0 for the start of the page.
    pub(super) before: Block,
    /// The block after it; 0 for the end of the page.
    pub(super) after: Block,
    /// Most blocks that were seen to differ here at once.
    pub(super) most: u16,
    /// It differed at two visits in a row: what stands here is no content.
    pub(super) learned: bool,
    /// It differed at two visits in a row, yet it is most of the page: what stands here may be content still.
    pub(super) twice: bool,
    /// It differed once, together with many pages: where it differs alone after that, it is content.
    pub(super) explained: bool,
    /// Visits in a row at which nothing differed here.
    pub(super) quiet: u8,
    /// Visits in a row at which the rest of it differed, but not its first block; and not its last. No more than
    /// [`MAX_STAYED`].
    pub(super) front: u8,
    pub(super) back: u8,
}

/// What is remembered of such visits, at most.
pub(super) const MAX_STAYED: u8 = 7;

impl Slot {
    /// Where the place begins and ends on a page, as far as its neighbours are there.
    pub(super) fn bounds(&self, page: &[Block]) -> Bounds {
        let find =
            |wanted: Block, from: usize| page.iter().skip(from).position(|block| *block == wanted).map(|at| at + from);
        let from = if self.before == EDGE { Some(0) } else { find(self.before, 0).map(|at| at + 1) };
        let to = if self.after == EDGE {
            Some(page.len())
        } else {
            from.and_then(|from| find(self.after, from)).or_else(|| find(self.after, 0))
        };
        Bounds { from, to: to.filter(|to| from.is_none_or(|from| from <= *to)), end: page.len() }
    }

    /// Which blocks stand in a place with these bounds, if it is there at all. Where one of the neighbours is gone, the
    /// other tells, as far as the place was ever wide; where blocks came in between, both sides count.
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

    /// Nothing differed here. Whether the place is worth remembering still: one that differed once and not again is
    /// forgotten at once.
    pub(super) fn rests(&mut self) -> bool {
        self.quiet = self.quiet.saturating_add(1);
        self.learned && self.quiet < FORGOTTEN
    }
}

/// Where a place begins and ends on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// After the block before it, if that is there.
    pub(super) from: Option<usize>,
    /// At the block after it, if that is there.
    pub(super) to: Option<usize>,
    /// The end of the page.
    end: usize,
}

impl Bounds {
    /// How many blocks stand in it, where both neighbours are there.
    pub(super) fn width(self) -> Option<usize> {
        self.from.zip(self.to).map(|(from, to)| to - from)
    }
}

/// Bytes of one slot: `before`, `after`, `most`, what else is learned of it (the lowest bit of `learned`, then three
/// bits each of `front` and `back`, and `twice`), `quiet`.
const WIDTH: usize = 12;

/// The bits of `quiet`; the one that is left is `explained`.
const QUIET: u8 = 0x7F;

/// Slots as bytes, for the record.
#[must_use]
pub fn slots_to_bytes(slots: &[Slot]) -> Vec<u8> {
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

/// Slots from the bytes of [`slots_to_bytes`]; what is no slot is left out.
#[must_use]
pub fn slots_from_bytes(bytes: &[u8]) -> Vec<Slot> {
    let read = |bytes: &[u8]| match *bytes {
        [a, b, c, d, e, f, g, h, i, j, learned, quiet] => Some(Slot {
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
