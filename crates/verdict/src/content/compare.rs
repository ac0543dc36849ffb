//! Compares two fetches of one page, block by block.

use super::BlockHash;
use super::evidence::VolatilityEvidence;
use super::hunk::{UnsharedBlocks, hunks};
use super::slot::{Bounds, DynamicRegion, EDGE, MAX_SLOTS};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The content changed.
    pub changed: bool,
    /// The slots of the page, updated.
    pub slots: Vec<DynamicRegion>,
}

/// Compares the blocks of two consecutive fetches. `slots` come from the page's earlier comparisons, `evidence` from
/// other pages of the site.
#[must_use]
pub fn compare(
    old: &[BlockHash],
    new: &[BlockHash],
    mut slots: Vec<DynamicRegion>,
    evidence: VolatilityEvidence<'_>,
) -> Comparison {
    let is_common = evidence.is_common;
    let mut met: Vec<SlotDifference> = slots.iter().map(|_| SlotDifference::default()).collect();
    let mut fresh: Vec<UnsharedBlocks> = Vec::new();
    // Computed once, because a page may differ in thousands of places.
    let places: Vec<[Bounds; 2]> = slots.iter().map(|slot| [slot.bounds(old), slot.bounds(new)]).collect();
    for hunk in hunks(old, new) {
        let left = UnsharedBlocks::of(&hunk, old, new, is_common);
        if left.is_empty() {
            let all = UnsharedBlocks::of(&hunk, old, new, &|_| false);
            let width = all.place().len();
            let (at, ..) = attribute(all, &slots, &places);
            let fills = |at: usize| slots.get(at).is_some_and(|slot| width >= usize::from(slot.most));
            at.filter(|at| fills(*at)).and_then(|at| met.get_mut(at)).into_iter().for_each(|met| met.hidden = true);
        }
        let mut rest = Some(left).filter(|left| !left.is_empty());
        let mut beside = None;
        while let Some(left) = rest.take() {
            let (at, own, other) = attribute(left, &slots, &places);
            match at.and_then(|at| met.get_mut(at)) {
                Some(met) => {
                    met.add(&own, old, new);
                    met.beside = met.beside.or(beside);
                    beside = at;
                }
                None => fresh.push(own),
            }
            rest = other;
        }
    }
    let mut changed = fresh.iter().any(|left| !evidence.explains(left));
    merge_slots(&mut slots, &mut met);
    let mut met = met.into_iter();
    let own = new.iter().filter(|block| !is_common(**block)).count();
    slots.retain_mut(|slot| {
        let (content, stays) = settle(slot, met.next().unwrap_or_default(), new, own, evidence);
        changed |= content;
        stays
    });
    let room = MAX_SLOTS.saturating_sub(slots.len());
    let fresh = joined(&fresh, old, new).into_iter().take(room);
    slots.extend(
        fresh.map(|place| DynamicRegion { explained: evidence.explains_place(&place), ..suspect(&place, new) }),
    );
    Comparison { changed, slots }
}

/// Updates a slot by the difference found in it. Returns whether content changed and whether the slot is kept. `own` is
/// the number of blocks of the page that the site does not share.
fn settle(
    slot: &mut DynamicRegion,
    met: SlotDifference,
    new: &[BlockHash],
    own: usize,
    evidence: VolatilityEvidence<'_>,
) -> (bool, bool) {
    match met {
        SlotDifference { merged: true, .. } => (false, false),
        SlotDifference { place: Some(place), .. } if slot.explained && !evidence.explains_place(&place) => {
            *slot = suspect(&place, new);
            (true, true)
        }
        SlotDifference { place: Some(place), .. } if is_content_still(slot, &place, own) => {
            // If only a small part of the slot differed, that part has differed once, not twice.
            let twice = !is_small_part(slot, &place);
            *slot = DynamicRegion { twice, ..suspect(&place, new) };
            (!evidence.explains_place(&place), true)
        }
        SlotDifference { place: Some(place), gone, come, .. } => {
            learn(slot, &place, new);
            narrow(slot, &place, new, gone.is_disjoint(&come));
            (false, true)
        }
        // The site shares both the old and the new blocks here, so the visit proves nothing of the place. A slot that
        // differed only once is kept for a few such visits.
        SlotDifference { hidden: true, .. } if slot.learned => (false, true),
        SlotDifference { hidden: true, .. } => {
            slot.quiet = slot.quiet.saturating_add(1);
            (false, slot.quiet <= MAX_QUIET_VISITS)
        }
        SlotDifference { place: None, .. } => (false, slot.rests()),
    }
}

/// The difference found in a slot.
#[derive(Default)]
struct SlotDifference {
    /// The place of the difference on the new page; `None` without a difference.
    place: Option<Range<usize>>,
    gone: HashSet<BlockHash>,
    come: HashSet<BlockHash>,
    /// The index of a slot that holds another part of the same difference.
    beside: Option<usize>,
    /// The slot was merged into another.
    merged: bool,
    /// Inconclusive: the blocks that differed are shared by the site.
    hidden: bool,
}

impl SlotDifference {
    fn add(&mut self, left: &UnsharedBlocks, old: &[BlockHash], new: &[BlockHash]) {
        self.gone.extend(left.old.iter().filter_map(|at| old.get(*at)));
        self.come.extend(left.new.iter().filter_map(|at| new.get(*at)));
        self.widen(left.place());
    }

    fn widen(&mut self, other: Range<usize>) {
        self.place = Some(match self.place.take() {
            Some(place) => place.start.min(other.start)..place.end.max(other.end),
            None => other,
        });
    }
}

/// Merges two adjacent slots that differ together: one box, of which a line stayed by chance at the first difference.
fn merge_slots(slots: &mut [DynamicRegion], met: &mut [SlotDifference]) {
    for at in 0..met.len() {
        let Some(beside) = met.get_mut(at).and_then(|met| met.beside.take()) else { continue };
        let Ok([here, there]) = met.get_disjoint_mut([at, beside]) else { continue };
        let Ok([slot, part]) = slots.get_disjoint_mut([at, beside]) else { continue };
        let (Some(place), Some(other)) = (here.place.clone(), there.place.clone()) else { continue };
        if place.end == other.start {
            (slot.after, slot.back) = (part.after, part.back);
        } else if other.end == place.start {
            (slot.before, slot.front) = (part.before, part.front);
        } else {
            // There is content between the two slots.
            continue;
        }
        slot.most = slot.most.saturating_add(part.most);
        here.widen(other);
        here.gone.extend(there.gone.drain());
        here.come.extend(there.come.drain());
        (there.place, there.merged) = (None, true);
    }
}

/// The slot that a difference lies in, the part of the difference in the slot, and the rest of it. `places` holds the
/// bounds of each slot on both pages.
///
/// A slot that holds the entire difference takes precedence over one that holds a part. Then a learned slot takes
/// precedence over one that differed only once, so that a change next to content does not make the content suspect.
fn attribute(
    left: UnsharedBlocks,
    slots: &[DynamicRegion],
    places: &[[Bounds; 2]],
) -> (Option<usize>, UnsharedBlocks, Option<UnsharedBlocks>) {
    let placed = || slots.iter().zip(places.iter().copied());
    let find =
        |learned: bool| placed().position(|(slot, place)| slot.learned == learned && left.stands_in(slot, place));
    if let Some(at) = find(true).or_else(|| find(false)) {
        return (Some(at), left, None);
    }
    let part = |learned: bool| {
        let mut known = placed().enumerate().filter(|(_, (slot, _))| slot.learned == learned);
        known.find_map(|(at, (slot, place))| left.parted(slot, place).map(|(own, other)| (Some(at), own, Some(other))))
    };
    part(true).or_else(|| part(false)).unwrap_or((None, left, None))
}

/// The number of visits in a row for which a slot that differed once is kept while it shows blocks that the site
/// shares.
const MAX_QUIET_VISITS: u8 = 3;
/// The distance in blocks up to which two differences count as one place: a box of which one line stayed by chance.
const NEAR: usize = 2;
/// The most blocks of a piece of the page in which moved blocks count as one place: a box in another order, or a list
/// whose entries moved up.
const SHUFFLED: usize = 32;

/// The places of differences, in the order of the page.
fn joined(differences: &[UnsharedBlocks], old: &[BlockHash], new: &[BlockHash]) -> Vec<Range<usize>> {
    let moved = shuffled(differences, old, new).into_iter().chain(rolled(differences));
    let mut pieces: Vec<_> = differences.iter().map(UnsharedBlocks::place).chain(moved).collect();
    pieces.sort_unstable_by_key(|place| place.start);
    let mut places: Vec<Range<usize>> = Vec::new();
    for place in pieces {
        match places.last_mut() {
            Some(before) if place.start <= before.end + NEAR => before.end = before.end.max(place.end),
            _ => places.push(place),
        }
    }
    places
}

/// The pieces of the page in which blocks changed places.
fn shuffled(differences: &[UnsharedBlocks], old: &[BlockHash], new: &[BlockHash]) -> Vec<Range<usize>> {
    let mut gone: HashMap<BlockHash, Range<usize>> = HashMap::new();
    for left in differences {
        gone.extend(left.old.iter().filter_map(|at| Some((*old.get(*at)?, left.place()))));
    }
    let piece = |left: &UnsharedBlocks, at: &usize| -> Option<Range<usize>> {
        let (from, to) = (gone.get(new.get(*at)?)?, left.place());
        let piece = from.start.min(to.start)..from.end.max(to.end);
        (piece.len() <= SHUFFLED).then_some(piece)
    };
    differences.iter().flat_map(|left| left.new.iter().filter_map(|at| piece(left, at)).collect::<Vec<_>>()).collect()
}

/// The pieces of the page in which the entries of a list moved up: blocks were added at one end, and as many were
/// removed at the other.
fn rolled(differences: &[UnsharedBlocks]) -> Vec<Range<usize>> {
    let comes_in = |left: &UnsharedBlocks| left.old.is_empty();
    let leaves = |left: &UnsharedBlocks| left.new.is_empty();
    let pairs = differences.iter().zip(differences.iter().skip(1));
    let rolls = |(one, other): &(&UnsharedBlocks, &UnsharedBlocks)| {
        comes_in(one) && leaves(other) && one.new.len() == other.old.len()
            || leaves(one) && comes_in(other) && one.old.len() == other.new.len()
    };
    let pieces = pairs.filter(rolls).map(|(one, other)| one.place().start..other.place().end);
    pieces.filter(|piece| piece.len() <= SHUFFLED).collect()
}

/// The number of blocks from which on a place may be most of a page's content.
const LARGE: usize = 5;

/// Reports whether a slot that differs again, in `differed`, is still content because it holds two thirds of the page's
/// `own` blocks. A page may be rewritten and then corrected, or show a database error for an hour; only a page that
/// differs at three visits in a row is boilerplate.
fn is_content_still(slot: &DynamicRegion, differed: &Range<usize>, own: usize) -> bool {
    let most = usize::from(slot.most);
    let width = most.max(differed.len());
    let is_most = width >= LARGE && 3 * width >= 2 * own;
    !slot.learned && is_most && (!slot.twice || is_small_part(slot, differed))
}

/// Reports whether less than half of the most blocks that ever differed in a slot differ now.
fn is_small_part(slot: &DynamicRegion, differed: &Range<usize>) -> bool {
    2 * differed.len() < usize::from(slot.most)
}

/// Marks a slot that differed again as boilerplate. A neighbour that is gone is replaced by the current one.
fn learn(slot: &mut DynamicRegion, differed: &Range<usize>, new: &[BlockHash]) {
    let bounds = slot.bounds(new);
    let most = usize::from(slot.most);
    match (bounds.from, bounds.to) {
        (Some(from), None) => slot.after = neighbour(new, Some(differed.end.max(from + most))),
        (None, Some(to)) => {
            slot.before = neighbour(new, differed.start.min(to.saturating_sub(most)).checked_sub(1));
        }
        // The blocks added beside the slot are content: the slot shrinks to the difference.
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
    (slot.learned, slot.twice, slot.explained) = (true, false, false);
    slot.quiet = 0;
}

/// The number of visits in a row after which a block at the edge of a slot that stayed while the rest differed counts
/// as content: it differed once, together with the slot.
const STAYED: u8 = 5;

/// Removes from a slot the blocks that stay at its edges. `replaced` is false where the same lines came in another
/// order: those have no edge, and a line stays there by chance.
fn narrow(slot: &mut DynamicRegion, differed: &Range<usize>, new: &[BlockHash], replaced: bool) {
    let bounds = slot.bounds(new);
    let (Some(from), Some(to)) = (bounds.from, bounds.to) else { return };
    let count = |stayed: bool, before: u8| if stayed && replaced { before.saturating_add(1) } else { 0 };
    slot.front = count(differed.start > from, slot.front);
    slot.back = count(differed.end < to, slot.back);
    if slot.front >= STAYED {
        (slot.before, slot.front) = (neighbour(new, Some(from)), 0);
        slot.most = slot.most.saturating_sub(1).max(1);
    }
    if slot.back >= STAYED {
        (slot.after, slot.back) = (neighbour(new, to.checked_sub(1)), 0);
        slot.most = slot.most.saturating_sub(1).max(1);
    }
}

/// The slot of a place that differed for the first time, between its current neighbours.
fn suspect(place: &Range<usize>, new: &[BlockHash]) -> DynamicRegion {
    DynamicRegion {
        before: neighbour(new, place.start.checked_sub(1)),
        after: neighbour(new, Some(place.end)),
        most: width(place).max(1),
        learned: false,
        twice: false,
        explained: false,
        quiet: 0,
        front: 0,
        back: 0,
    }
}

fn width(place: &Range<usize>) -> u16 {
    u16::try_from(place.len()).unwrap_or(u16::MAX)
}

fn neighbour(page: &[BlockHash], at: Option<usize>) -> BlockHash {
    at.and_then(|at| page.get(at)).copied().unwrap_or(EDGE)
}
