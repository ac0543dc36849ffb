//! Whose turn it is to take a place, and which origins have had their share of the places.
//!
//! A slow origin keeps each place longer than a fast one. Served in turn alone, it would come to hold them all, and the
//! fast one would wait for its answers. So each origin has a share, and what it takes beyond that leaves some places
//! free for those that have not had theirs.

use std::collections::VecDeque;

/// Beyond its share an origin takes a place only if more than this part of all places is free: one in four.
const RESERVE: usize = 4;

/// The origins of a crawl, by number.
#[derive(Debug)]
pub(crate) struct Turns {
    /// Requests that may be in flight at once, at all origins together.
    places: usize,
    marks: Vec<Mark>,
    /// Origins that may have something to offer now, in turn.
    ready: VecDeque<usize>,
    /// Origins that have had their share, and are asked again when a place is free.
    held: Vec<usize>,
    contenders: usize,
}

/// What is known of one origin.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    /// It is ready or held.
    waits: bool,
    /// It has a share of the places.
    contends: bool,
}

impl Turns {
    pub(crate) fn new(places: usize) -> Self {
        Self { places, marks: Vec::new(), ready: VecDeque::new(), held: Vec::new(), contenders: 0 }
    }

    /// One origin more: the next number.
    pub(crate) fn add(&mut self) {
        self.marks.push(Mark::default());
    }

    /// This origin may have something to offer. `contends`: it has a share of the places as long as it is about.
    pub(crate) fn wake(&mut self, at: usize, contends: bool) {
        self.contends(at, contends);
        if let Some(mark) = self.marks.get_mut(at).filter(|mark| !mark.waits) {
            mark.waits = true;
            self.ready.push_back(at);
        }
    }

    /// The origin whose turn it is.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let at = self.ready.pop_front()?;
        if let Some(mark) = self.marks.get_mut(at) {
            mark.waits = false;
        }
        Some(at)
    }

    /// Nothing can be had from this origin now. `contends`: its answers or what they lead to are still to come.
    pub(crate) fn rest(&mut self, at: usize, contends: bool) {
        self.contends(at, contends);
    }

    /// This origin has had its share: it is asked again when places have become free.
    pub(crate) fn hold(&mut self, at: usize) {
        if let Some(mark) = self.marks.get_mut(at) {
            mark.waits = true;
            self.held.push(at);
        }
    }

    /// Those that were held may be asked again, after all others.
    pub(crate) fn release(&mut self) {
        self.ready.extend(self.held.drain(..));
    }

    /// Whether no origin waits for its turn or for a place.
    pub(crate) fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.held.is_empty()
    }

    /// Whether an origin that has `taken` places may have another of those that are `free`.
    pub(crate) fn may_take(&self, taken: usize, free: usize) -> bool {
        let contenders = self.contenders.max(1);
        taken < self.places.div_ceil(contenders) || contenders == 1 || free > self.places.div_ceil(RESERVE)
    }

    fn contends(&mut self, at: usize, contends: bool) {
        let Some(mark) = self.marks.get_mut(at).filter(|mark| mark.contends != contends) else { return };
        mark.contends = contends;
        self.contenders = if contends { self.contenders + 1 } else { self.contenders.saturating_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many origins, all about, for sixteen places.
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
    fn an_origin_with_nothing_to_offer_and_nothing_to_come_has_no_share() {
        let mut turns = turns(2);
        assert!(!turns.may_take(8, 1));
        turns.rest(1, true);
        assert!(!turns.may_take(8, 1), "its answers are still to come");
        turns.rest(1, false);
        assert!(turns.may_take(8, 1));
        turns.wake(1, false);
        assert!(turns.may_take(8, 1), "of another site one thing is asked at a time");
    }

    #[test]
    fn one_that_is_held_is_asked_again_after_those_that_waited_their_turn() {
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
