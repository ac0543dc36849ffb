//! Which part each URL goes to: parts are key ranges with lasting boundaries, as leaves of a tree, so that a page that
//! comes or goes changes one part alone. A range that is over the limits shares with a neighbour where that has room, as a
//! B*-tree does, and is split where none has; one that holds little is merged with a neighbour.

/// What files may hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Capacity {
    pub(crate) urls: u64,
    pub(crate) bytes: u64,
}

/// A range as it was published last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Range {
    /// The first key that belongs to it; empty for the first range.
    pub(crate) bound: String,
    /// The last URL that it held.
    pub(crate) last: String,
    /// How many it held.
    pub(crate) urls: u64,
}

/// A part to be written: the next so many entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The first key that belongs to it; `None` where its first entry is to tell.
    pub(crate) bound: Option<String>,
    pub(crate) urls: u64,
    pub(crate) bytes: u64,
    /// It is not the part that was there: it is written anew in any case.
    is_new: bool,
}

/// New parts are filled so far, in hundredths, that the pages of many nights find room.
const FILL: u64 = 85;
/// Few parts may be filled so far, in hundredths, where one more would leave them half empty.
const FULL: u64 = 92;
/// A part that holds less than this, in hundredths, is small.
const SMALL: u64 = 40;
/// A small part is merged where together with a neighbour it holds at most this, in hundredths; and so are two that are
/// written anew in any case, so that parts stay well filled over many nights of coming and going.
const MERGED: u64 = 95;
/// One that is written anew is merged with one that is not where together they hold at most this, and no other part is
/// split: no more files are written than pages came to or went from.
const JOINED: u64 = 90;

/// Counts what comes into each range, key by key in their order.
#[derive(Debug)]
pub(crate) struct Measure {
    capacity: Capacity,
    ranges: Vec<Range>,
    tallies: Vec<Tally>,
    at: usize,
    total: Tally,
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    urls: u64,
    bytes: u64,
    /// Of these, up to the last URL that the range held before.
    old_urls: u64,
    old_bytes: u64,
}

impl Measure {
    /// Measures against `ranges`, in the order of their bounds; without any, everything is one range.
    pub(crate) fn new(capacity: Capacity, mut ranges: Vec<Range>) -> Self {
        ranges.sort_by(|a, b| a.bound.cmp(&b.bound));
        match ranges.first_mut() {
            Some(first) => first.bound.clear(),
            None => ranges.push(Range::default()),
        }
        Self { capacity, tallies: vec![Tally::default(); ranges.len()], ranges, at: 0, total: Tally::default() }
    }

    /// Counts an entry of so many bytes.
    pub(crate) fn count(&mut self, url: &str, bytes: u64) {
        while self.ranges.get(self.at + 1).is_some_and(|next| next.bound.as_str() <= url) {
            self.at += 1;
        }
        let (Some(range), Some(tally)) = (self.ranges.get(self.at), self.tallies.get_mut(self.at)) else { return };
        let was_within = url <= range.last.as_str();
        for tally in [tally, &mut self.total] {
            tally.urls += 1;
            tally.bytes += bytes;
            tally.old_urls += u64::from(was_within);
            tally.old_bytes += if was_within { bytes } else { 0 };
        }
    }

    /// The parts to be written. `alone`: one file of its own holds everything where it can.
    pub(crate) fn pieces(self, alone: bool) -> Vec<Piece> {
        let capacity = self.capacity;
        let Tally { urls, bytes, .. } = self.total;
        if alone && capacity.holds(urls, bytes) {
            return vec![Piece { bound: Some(String::new()), urls, bytes, is_new: true }];
        }
        let ranges = self.ranges.into_iter().zip(self.tallies).filter(|(_, tally)| tally.urls > 0);
        let before = ranges.clone().count();
        let mut pieces: Vec<Piece> = ranges.flat_map(|(range, tally)| capacity.split(range, tally)).collect();
        capacity.share(&mut pieces);
        let has_split = pieces.len() > before;
        capacity.merge(&mut pieces, has_split);
        pieces.first_mut().into_iter().for_each(|first| first.bound = Some(String::new()));
        pieces
    }
}

impl Capacity {
    fn holds(self, urls: u64, bytes: u64) -> bool {
        urls <= self.urls && bytes <= self.bytes
    }

    fn is_small(self, piece: &Piece) -> bool {
        piece.urls * 100 < self.urls * SMALL && piece.bytes * 100 < self.bytes * SMALL
    }

    /// One range as parts. Where everything new comes after what was there, that stays as it is.
    fn split(self, range: Range, tally: Tally) -> Vec<Piece> {
        let Tally { urls, bytes, old_urls, old_bytes } = tally;
        let bound = range.bound;
        if self.holds(urls, bytes) {
            return vec![Piece { bound: Some(bound), urls, bytes, is_new: urls != range.urls }];
        }
        let only_after =
            old_urls > 0 && self.holds(old_urls, old_bytes) && old_urls * 100 >= self.urls.min(urls) * FILL / 2;
        if !only_after {
            return self.spread(Some(bound), urls, bytes);
        }
        let is_new = old_urls != range.urls;
        let mut pieces = vec![Piece { bound: Some(bound), urls: old_urls, bytes: old_bytes, is_new }];
        pieces.extend(self.spread(None, urls - old_urls, bytes - old_bytes));
        pieces
    }

    /// Lets the two halves of a part that was split share with a neighbour where the three make two that leave room to grow:
    /// that writes two files as the split does, and adds none.
    fn share(self, pieces: &mut Vec<Piece>) {
        let mut at = 0;
        while let Some([left, right]) = pieces.get(at..at + 2) {
            let is_split = left.is_new && right.is_new && right.bound.is_none();
            let starts = [at.checked_sub(1), Some(at)].into_iter().flatten().filter(|_| is_split);
            let shared = starts.filter_map(|start| Some((start, self.two_of(pieces.get(start..start + 3)?)?)));
            if let Some((start, two)) = shared.min_by_key(|(_, two)| two.iter().map(|piece| piece.bytes).sum::<u64>()) {
                pieces.splice(start..start + 3, two);
            }
            at += 1;
        }
    }

    /// Three parts as two that leave room to grow.
    fn two_of(self, three: &[Piece]) -> Option<Vec<Piece>> {
        let urls = three.iter().map(|piece| piece.urls).sum();
        let bytes = three.iter().map(|piece| piece.bytes).sum();
        let has_room = self.parts_for(urls, bytes) == 2;
        has_room.then(|| self.spread(three.first().and_then(|first| first.bound.clone()), urls, bytes))
    }

    /// So many entries over the fewest parts that leave room to grow, evenly.
    fn spread(self, bound: Option<String>, urls: u64, bytes: u64) -> Vec<Piece> {
        let parts = if self.holds(urls, bytes) { 1 } else { self.parts_for(urls, bytes).clamp(2, urls.max(2)) };
        let share = |of: u64, at: u64| of * (at + 1) / parts - of * at / parts;
        let piece = |at| Piece {
            bound: if at == 0 { bound.clone() } else { None },
            urls: share(urls, at),
            bytes: share(bytes, at),
            is_new: true,
        };
        (0..parts).map(piece).collect()
    }

    /// The number of parts that fills them to the share of new ones, or one fewer where that makes them no fuller than
    /// they may well be.
    fn parts_for(self, urls: u64, bytes: u64) -> u64 {
        let at = |fill: u64| {
            let filled = |most: u64| (most * fill).div_ceil(100).max(1);
            urls.div_ceil(filled(self.urls)).max(bytes.div_ceil(filled(self.bytes)))
        };
        at(FILL).saturating_sub(1).max(at(FULL))
    }

    /// Lets parts that hold little go into a neighbour that has room. `has_split`: there are more parts now than there
    /// were.
    fn merge(self, pieces: &mut Vec<Piece>, has_split: bool) {
        let mut merged: Vec<Piece> = Vec::with_capacity(pieces.len());
        for piece in pieces.drain(..) {
            match merged.last_mut() {
                Some(before) if self.belong_together(before, &piece, has_split) => {
                    before.urls += piece.urls;
                    before.bytes += piece.bytes;
                    before.is_new = true;
                }
                _ => merged.push(piece),
            }
        }
        *pieces = merged;
    }

    fn belong_together(self, a: &Piece, b: &Piece, has_split: bool) -> bool {
        let fit =
            |most: u64| (a.urls + b.urls) * 100 <= self.urls * most && (a.bytes + b.bytes) * 100 <= self.bytes * most;
        let small = self.is_small(a) || self.is_small(b);
        let (both, one) = (a.is_new && b.is_new, a.is_new || b.is_new);
        ((small || both) && fit(MERGED)) || (one && !has_split && fit(JOINED))
    }
}

#[cfg(test)]
#[path = "ranges/tests.rs"]
mod tests;
