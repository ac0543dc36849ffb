//! Fair sharing of the request slots among origins.
//!
//! A slow origin holds each slot longer than a fast one. In plain rotation it would hold all of them, and the fast
//! origin would wait for its responses. Each origin therefore has a share, and beyond its share it leaves some slots
//! free for origins below theirs.

use std::collections::VecDeque;

/// Beyond its share, an origin takes a slot only if more than this part of all slots is free (one in four).
const RESERVE: usize = 4;

/// The reason why an origin has no task now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// No response or commit of it is outstanding.
    Done,
    /// It could not be requested now if it had a task: it is at its limit, or pauses.
    Limited,
    /// It could be requested now, and its next tasks come with a response or a commit.
    Starved,
}

/// The turns of a crawl's origins, which are numbered.
#[derive(Debug)]
pub(crate) struct Turns {
    /// Requests that may be in flight at all origins together.
    places: usize,
    marks: Vec<Mark>,
    /// Origins that may have tasks now, in turn.
    ready: VecDeque<usize>,
    /// Origins that have used their share, and have another turn when a slot is free.
    held: Vec<usize>,
    contenders: usize,
    starved: usize,
}

/// The state of one origin.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    /// The origin is ready or held.
    waits: bool,
    /// The origin has a share of the slots.
    contends: bool,
    /// See [`Rest::Starved`].
    starves: bool,
}

impl Turns {
    pub(crate) fn new(places: usize) -> Self {
        Self { places, marks: Vec::new(), ready: VecDeque::new(), held: Vec::new(), contenders: 0, starved: 0 }
    }

    /// Adds an origin, with the next number.
    pub(crate) fn add(&mut self) {
        self.marks.push(Mark::default());
    }

    /// Queues an origin that may have tasks. `contends`: it has a share of the slots.
    pub(crate) fn wake(&mut self, at: usize, contends: bool) {
        self.contends(at, contends);
        self.starves(at, false);
        if let Some(mark) = self.marks.get_mut(at).filter(|mark| !mark.waits) {
            mark.waits = true;
            self.ready.push_back(at);
        }
    }

    /// Takes the origin whose turn it is.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let at = self.ready.pop_front()?;
        if let Some(mark) = self.marks.get_mut(at) {
            mark.waits = false;
        }
        Some(at)
    }

    /// Notes that an origin has no task now.
    pub(crate) fn rest(&mut self, at: usize, rest: Rest) {
        self.contends(at, rest != Rest::Done);
        self.starves(at, rest == Rest::Starved);
    }

    /// Reports whether any origin rests as [`Rest::Starved`].
    pub(crate) fn any_starved(&self) -> bool {
        self.starved > 0
    }

    /// Holds an origin that has used its share until slots are free.
    pub(crate) fn hold(&mut self, at: usize) {
        if let Some(mark) = self.marks.get_mut(at) {
            mark.waits = true;
            self.held.push(at);
        }
    }

    /// Queues the held origins after all others.
    pub(crate) fn release(&mut self) {
        self.ready.extend(self.held.drain(..));
    }

    /// Reports whether no origin waits for its turn or for a slot.
    pub(crate) fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.held.is_empty()
    }

    /// Reports whether an origin with `taken` slots may take one of the `free` slots.
    pub(crate) fn may_take(&self, taken: usize, free: usize) -> bool {
        let contenders = self.contenders.max(1);
        taken < self.places.div_ceil(contenders) || contenders == 1 || free > self.places.div_ceil(RESERVE)
    }

    fn contends(&mut self, at: usize, contends: bool) {
        let Some(mark) = self.marks.get_mut(at).filter(|mark| mark.contends != contends) else { return };
        mark.contends = contends;
        self.contenders = if contends { self.contenders + 1 } else { self.contenders.saturating_sub(1) };
    }

    fn starves(&mut self, at: usize, starves: bool) {
        let Some(mark) = self.marks.get_mut(at).filter(|mark| mark.starves != starves) else { return };
        mark.starves = starves;
        self.starved = if starves { self.starved + 1 } else { self.starved.saturating_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the turns of `origins` contending origins for 16 slots.
    fn turns(origins: usize) -> Turns {
        let mut turns = Turns::new(16);
        for at in 0..origins {
            turns.add();
            turns.wake(at, true);
        }
        turns
    }

    #[test]
    fn an_origin_alone_may_have_every_place() {
        assert!(turns(1).may_take(15, 1));
    }

    #[test]
    fn beyond_its_share_an_origin_leaves_a_quarter_free() {
        let turns = turns(3);
        assert!(turns.may_take(5, 1), "a third of sixteen places, rounded up");
        assert!(turns.may_take(6, 5));
        assert!(!turns.may_take(6, 4));
    }

    #[test]
    fn an_origin_without_tasks_or_outstanding_responses_has_no_share() {
        let mut turns = turns(2);
        assert!(!turns.may_take(8, 1));
        turns.rest(1, Rest::Limited);
        assert!(!turns.may_take(8, 1), "its answers are still to come");
        turns.rest(1, Rest::Done);
        assert!(turns.may_take(8, 1));
        turns.wake(1, false);
        assert!(turns.may_take(8, 1), "of another site one thing is requested at a time");
    }

    #[test]
    fn an_origin_starves_while_it_could_be_requested_and_something_of_it_is_outstanding() {
        let mut turns = turns(2);
        turns.rest(0, Rest::Limited);
        turns.rest(1, Rest::Done);
        assert!(!turns.any_starved(), "one is at its limit, the other is done");
        turns.rest(0, Rest::Starved);
        assert!(turns.any_starved());
        turns.wake(0, true);
        assert!(!turns.any_starved(), "it may have a task again");
    }

    #[test]
    fn a_held_origin_has_its_turn_after_those_that_waited() {
        let mut turns = turns(3);
        let first = turns.next().unwrap();
        turns.hold(first);
        turns.wake(first, true);
        assert_eq!(turns.next(), Some(1), "held, it is not ready");
        assert!(!turns.is_empty());
        turns.release();
        assert_eq!([turns.next(), turns.next(), turns.next()], [Some(2), Some(0), None]);
        assert!(turns.is_empty());
    }
}
