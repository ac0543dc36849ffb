//! Two fetches of one page, block by block.

use super::Block;
use super::evidence::Evidence;
use super::hunk::{Left, hunks};
use super::slot::{Bounds, EDGE, MAX_SLOTS, Slot};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What a comparison came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The content changed.
    pub changed: bool,
    /// What is known of the page's places from now on.
    pub slots: Vec<Slot>,
}

/// Compares the blocks of two fetches in a row. `slots` is what is known of the page, `evidence` what its site tells.
#[must_use]
pub fn compare(old: &[Block], new: &[Block], mut slots: Vec<Slot>, evidence: Evidence<'_>) -> Comparison {
    let is_common = evidence.is_common;
    let mut met: Vec<Met> = slots.iter().map(|_| Met::default()).collect();
    let mut fresh: Vec<Left> = Vec::new();
    // Looked for once: a page may differ in thousands of places.
    let places: Vec<[Bounds; 2]> = slots.iter().map(|slot| [slot.bounds(old), slot.bounds(new)]).collect();
    for hunk in hunks(old, new) {
        let left = Left::of(&hunk, old, new, is_common);
        if left.is_empty() {
            let all = Left::of(&hunk, old, new, &|_| false);
            let width = all.place().len();
            let (at, ..) = attribute(all, &slots, &places);
            let fills = |at: usize| slots.get(at).is_some_and(|slot| width >= usize::from(slot.most));
            at.filter(|at| fills(*at)).and_then(|at| met.get_mut(at)).into_iter().for_each(|met| met.veiled = true);
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
    unite(&mut slots, &mut met);
    let mut met = met.into_iter();
    let own = new.iter().filter(|block| !is_common(**block)).count();
    slots.retain_mut(|slot| {
        let (content, stays) = settle(slot, met.next().unwrap_or_default(), new, own, evidence);
        changed |= content;
        stays
    });
    let room = MAX_SLOTS.saturating_sub(slots.len());
    let fresh = joined(&fresh, old, new).into_iter().take(room);
    slots.extend(fresh.map(|place| Slot { explained: evidence.explains_place(&place), ..suspect(&place, new) }));
    Comparison { changed, slots }
}

/// What follows for a slot from what differed in it: whether content changed, and whether the slot stays. `own` is the
/// number of blocks of the page that the site does not share.
fn settle(slot: &mut Slot, met: Met, new: &[Block], own: usize, evidence: Evidence<'_>) -> (bool, bool) {
    match met {
        Met { united: true, .. } => (false, false),
        Met { place: Some(place), .. } if slot.explained && !evidence.explains_place(&place) => {
            *slot = suspect(&place, new);
            (true, true)
        }
        Met { place: Some(place), .. } if is_content_still(slot, &place, own) => {
            // Where it differed in a part of it, that part differed once.
            let twice = !is_small_part(slot, &place);
            *slot = Slot { twice, ..suspect(&place, new) };
            (!evidence.explains_place(&place), true)
        }
        Met { place: Some(place), gone, come, .. } => {
            learn(slot, &place, new);
            narrow(slot, &place, new, gone.is_disjoint(&come));
            (false, true)
        }
        // What stood here, and what stands here now, the site shares: the place did not rest. One that differed once
        // waits for as many visits as a box may show such things in a row, and no longer.
        Met { veiled: true, .. } if slot.learned => (false, true),
        Met { veiled: true, .. } => {
            slot.quiet = slot.quiet.saturating_add(1);
            (false, slot.quiet <= VEILED)
        }
        Met { place: None, .. } => (false, slot.rests()),
    }
}

/// What differed in a slot.
#[derive(Default)]
struct Met {
    /// Where, on the page of now; none where nothing did.
    place: Option<Range<usize>>,
    gone: HashSet<Block>,
    come: HashSet<Block>,
    /// A slot that holds another part of the same difference.
    beside: Option<usize>,
    /// It is a part of another slot from now on.
    united: bool,
    /// Something differed that the site shares.
    veiled: bool,
}

impl Met {
    fn add(&mut self, left: &Left, old: &[Block], new: &[Block]) {
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

/// Makes one slot of two side by side that differ as one: a box of which a line stayed by chance when it was met first.
fn unite(slots: &mut [Slot], met: &mut [Met]) {
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
            // Content stands between them.
            continue;
        }
        slot.most = slot.most.saturating_add(part.most);
        here.widen(other);
        here.gone.extend(there.gone.drain());
        here.come.extend(there.come.drain());
        (there.place, there.united) = (None, true);
    }
}

/// The slot that a difference stands in (`places` says where they are on both pages), what of the difference does, and
/// what else there is of it. One that is learned
/// goes before one that differed only once, so that what moves beside content is not taken for a reason to distrust the
/// content; and one that holds all of it before one that holds a part.
fn attribute(left: Left, slots: &[Slot], places: &[[Bounds; 2]]) -> (Option<usize>, Left, Option<Left>) {
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

/// Visits in a row at which a place that differed once may show what the site shares.
const VEILED: u8 = 3;
/// Differences that are so near to each other are of one place: a box of which one line stayed by chance.
const NEAR: usize = 2;
/// Blocks that only changed places, in a piece of the page of so many, are of one place: a box in another order. So are
/// those of a list that rolled on.
const SHUFFLED: usize = 32;

/// The places of differences, in the order of the page.
fn joined(differences: &[Left], old: &[Block], new: &[Block]) -> Vec<Range<usize>> {
    let moved = shuffled(differences, old, new).into_iter().chain(rolled(differences));
    let mut pieces: Vec<_> = differences.iter().map(Left::place).chain(moved).collect();
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
fn shuffled(differences: &[Left], old: &[Block], new: &[Block]) -> Vec<Range<usize>> {
    let mut gone: HashMap<Block, Range<usize>> = HashMap::new();
    for left in differences {
        gone.extend(left.old.iter().filter_map(|at| Some((*old.get(*at)?, left.place()))));
    }
    let piece = |left: &Left, at: &usize| -> Option<Range<usize>> {
        let (from, to) = (gone.get(new.get(*at)?)?, left.place());
        let piece = from.start.min(to.start)..from.end.max(to.end);
        (piece.len() <= SHUFFLED).then_some(piece)
    };
    differences.iter().flat_map(|left| left.new.iter().filter_map(|at| piece(left, at)).collect::<Vec<_>>()).collect()
}

/// The pieces of the page in which a list rolled on: blocks came in at one end of it, and as many left at the other.
fn rolled(differences: &[Left]) -> Vec<Range<usize>> {
    let comes_in = |left: &Left| left.old.is_empty();
    let leaves = |left: &Left| left.new.is_empty();
    let pairs = differences.iter().zip(differences.iter().skip(1));
    let rolls = |(one, other): &(&Left, &Left)| {
        comes_in(one) && leaves(other) && one.new.len() == other.old.len()
            || leaves(one) && comes_in(other) && one.old.len() == other.new.len()
    };
    let pieces = pairs.filter(rolls).map(|(one, other)| one.place().start..other.place().end);
    pieces.filter(|piece| piece.len() <= SHUFFLED).collect()
}

/// Blocks of a place that may be most of what a page says.
const LARGE: usize = 5;

/// Whether a place that differed before, and differs again in `differed`, is content all the same: it holds two
/// thirds of the page's `own` blocks. A page is written anew and then corrected, or says for an hour that its database is down; only
/// one that is another at three visits in a row says nothing that stays.
fn is_content_still(slot: &Slot, differed: &Range<usize>, own: usize) -> bool {
    let most = usize::from(slot.most);
    let width = most.max(differed.len());
    let is_most = width >= LARGE && 3 * width >= 2 * own;
    !slot.learned && is_most && (!slot.twice || is_small_part(slot, differed))
}

/// Whether less than half of what ever differed in a place differs now.
fn is_small_part(slot: &Slot, differed: &Range<usize>) -> bool {
    2 * differed.len() < usize::from(slot.most)
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
    (slot.learned, slot.twice, slot.explained) = (true, false, false);
    slot.quiet = 0;
}

/// Visits in a row after which what stayed at an edge of a place, while the rest of it differed, is content: it differed
/// once together with the place.
const STAYED: u8 = 5;

/// Takes from a place what stays at its edges. `replaced`: what differed is new there; lines in another order have no
/// edge, and those that come to stand there stay by chance.
fn narrow(slot: &mut Slot, differed: &Range<usize>, new: &[Block], replaced: bool) {
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

/// A place that differed for the first time, between the blocks that are its neighbours now.
fn suspect(place: &Range<usize>, new: &[Block]) -> Slot {
    Slot {
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

fn neighbour(page: &[Block], at: Option<usize>) -> Block {
    at.and_then(|at| page.get(at)).copied().unwrap_or(EDGE)
}
