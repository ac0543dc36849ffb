//! Assigns URLs to parts. Parts are key ranges with stable boundaries, as leaves of a tree, so that an added or removed
//! page changes one part only. A range over the limits is shared with a neighbour that has room, as in a B*-tree, or
//! split if none has; a range that holds little is merged with a neighbour.

/// The maximum content of a file.
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
    /// The number of URLs that it held.
    pub(crate) urls: u64,
}

/// A part to be written: the next entries, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PlannedPart {
    /// The first key that belongs to it; `None` if its first entry decides.
    pub(crate) bound: Option<String>,
    pub(crate) urls: u64,
    pub(crate) bytes: u64,
    /// It differs from every existing part and is written in any case.
    is_new: bool,
}

/// The fill of new parts in percent, which leaves room for the pages of many later runs.
const FILL: u64 = 85;
/// The maximum fill in percent where one more part would leave a few parts half empty.
const FULL: u64 = 92;
/// The fill in percent below which a part is small.
const SMALL: u64 = 40;
/// The maximum fill in percent of a small part merged with a neighbour, or of two parts merged that are written in any
/// case, so that parts stay well filled over many runs of added and removed pages.
const MERGED: u64 = 95;
/// The maximum fill in percent of a rewritten part merged with one that is not, provided that no other part is split:
/// no more files are written than had pages added or removed.
const JOINED: u64 = 90;

/// Counts the entries of each range, in the order of keys.
#[derive(Debug)]
pub(crate) struct RangeCounter {
    capacity: Capacity,
    ranges: Vec<Range>,
    tallies: Vec<RangeCount>,
    at: usize,
    total: RangeCount,
}

#[derive(Debug, Clone, Copy, Default)]
struct RangeCount {
    urls: u64,
    bytes: u64,
    /// URLs up to the last one that the range held before; also counted in `urls`.
    old_urls: u64,
    old_bytes: u64,
}

impl RangeCounter {
    /// Measures against `ranges`, in the order of their bounds; without any, all keys are one range.
    pub(crate) fn new(capacity: Capacity, mut ranges: Vec<Range>) -> Self {
        ranges.sort_by(|a, b| a.bound.cmp(&b.bound));
        match ranges.first_mut() {
            Some(first) => first.bound.clear(),
            None => ranges.push(Range::default()),
        }
        Self {
            capacity,
            tallies: vec![RangeCount::default(); ranges.len()],
            ranges,
            at: 0,
            total: RangeCount::default(),
        }
    }

    /// Counts an entry of `bytes` bytes.
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

    /// The parts to be written. `alone`: if one file can hold all entries, it does.
    pub(crate) fn planned_parts(self, alone: bool) -> Vec<PlannedPart> {
        let capacity = self.capacity;
        let RangeCount { urls, bytes, .. } = self.total;
        if alone && capacity.holds(urls, bytes) {
            return vec![PlannedPart { bound: Some(String::new()), urls, bytes, is_new: true }];
        }
        let ranges = self.ranges.into_iter().zip(self.tallies).filter(|(_, tally)| tally.urls > 0);
        let before = ranges.clone().count();
        let mut planned_parts: Vec<PlannedPart> =
            ranges.flat_map(|(range, tally)| capacity.split(range, tally)).collect();
        capacity.share(&mut planned_parts);
        let has_split = planned_parts.len() > before;
        capacity.merge(&mut planned_parts, has_split);
        planned_parts.first_mut().into_iter().for_each(|first| first.bound = Some(String::new()));
        planned_parts
    }
}

impl Capacity {
    fn holds(self, urls: u64, bytes: u64) -> bool {
        urls <= self.urls && bytes <= self.bytes
    }

    fn is_small(self, piece: &PlannedPart) -> bool {
        piece.urls * 100 < self.urls * SMALL && piece.bytes * 100 < self.bytes * SMALL
    }

    /// Splits one range into parts. If all new entries sort after the existing ones, the existing part is kept.
    fn split(self, range: Range, tally: RangeCount) -> Vec<PlannedPart> {
        let RangeCount { urls, bytes, old_urls, old_bytes } = tally;
        let bound = range.bound;
        if self.holds(urls, bytes) {
            return vec![PlannedPart { bound: Some(bound), urls, bytes, is_new: urls != range.urls }];
        }
        let only_after =
            old_urls > 0 && self.holds(old_urls, old_bytes) && old_urls * 100 >= self.urls.min(urls) * FILL / 2;
        if !only_after {
            return self.spread(Some(bound), urls, bytes);
        }
        let is_new = old_urls != range.urls;
        let mut planned_parts = vec![PlannedPart { bound: Some(bound), urls: old_urls, bytes: old_bytes, is_new }];
        planned_parts.extend(self.spread(None, urls - old_urls, bytes - old_bytes));
        planned_parts
    }

    /// Shares the two halves of a split part with a neighbour if the three fit into two with room to grow: that writes
    /// two files, as the split does, and adds none.
    fn share(self, planned_parts: &mut Vec<PlannedPart>) {
        let mut at = 0;
        while let Some([left, right]) = planned_parts.get(at..at + 2) {
            let is_split = left.is_new && right.is_new && right.bound.is_none();
            let starts = [at.checked_sub(1), Some(at)].into_iter().flatten().filter(|_| is_split);
            let shared = starts.filter_map(|start| Some((start, self.two_of(planned_parts.get(start..start + 3)?)?)));
            if let Some((start, two)) = shared.min_by_key(|(_, two)| two.iter().map(|piece| piece.bytes).sum::<u64>()) {
                planned_parts.splice(start..start + 3, two);
            }
            at += 1;
        }
    }

    /// Merges three parts into two with room to grow.
    fn two_of(self, three: &[PlannedPart]) -> Option<Vec<PlannedPart>> {
        let urls = three.iter().map(|piece| piece.urls).sum();
        let bytes = three.iter().map(|piece| piece.bytes).sum();
        let has_room = self.parts_for(urls, bytes) == 2;
        has_room.then(|| self.spread(three.first().and_then(|first| first.bound.clone()), urls, bytes))
    }

    /// Spreads entries evenly over the fewest parts that leave room to grow.
    fn spread(self, bound: Option<String>, urls: u64, bytes: u64) -> Vec<PlannedPart> {
        let parts = if self.holds(urls, bytes) { 1 } else { self.parts_for(urls, bytes).clamp(2, urls.max(2)) };
        let share = |of: u64, at: u64| of * (at + 1) / parts - of * at / parts;
        let piece = |at| PlannedPart {
            bound: if at == 0 { bound.clone() } else { None },
            urls: share(urls, at),
            bytes: share(bytes, at),
            is_new: true,
        };
        (0..parts).map(piece).collect()
    }

    /// The number of parts at the fill of new ones, or one fewer if that stays within the maximum fill.
    fn parts_for(self, urls: u64, bytes: u64) -> u64 {
        let at = |fill: u64| {
            let filled = |most: u64| (most * fill).div_ceil(100).max(1);
            urls.div_ceil(filled(self.urls)).max(bytes.div_ceil(filled(self.bytes)))
        };
        at(FILL).saturating_sub(1).max(at(FULL))
    }

    /// Merges parts that hold little into a neighbour that has room. `has_split`: there are more parts now than before.
    fn merge(self, planned_parts: &mut Vec<PlannedPart>, has_split: bool) {
        let mut merged: Vec<PlannedPart> = Vec::with_capacity(planned_parts.len());
        for piece in planned_parts.drain(..) {
            match merged.last_mut() {
                Some(before) if self.belong_together(before, &piece, has_split) => {
                    before.urls += piece.urls;
                    before.bytes += piece.bytes;
                    before.is_new = true;
                }
                _ => merged.push(piece),
            }
        }
        *planned_parts = merged;
    }

    fn belong_together(self, a: &PlannedPart, b: &PlannedPart, has_split: bool) -> bool {
        let fit =
            |most: u64| (a.urls + b.urls) * 100 <= self.urls * most && (a.bytes + b.bytes) * 100 <= self.bytes * most;
        let small = self.is_small(a) || self.is_small(b);
        let (both, one) = (a.is_new && b.is_new, a.is_new || b.is_new);
        ((small || both) && fit(MERGED)) || (one && !has_split && fit(JOINED))
    }
}

#[cfg(test)]
#[path = "part_plan/tests.rs"]
mod tests;
