//! What tells that a difference is no change of the page.

use super::Block;
use super::hunk::Left;
use std::ops::Range;

/// What other pages say of the blocks of one.
#[derive(Clone, Copy)]
pub struct Evidence<'e> {
    /// The blocks that the site shares.
    pub is_common: &'e dyn Fn(Block) -> bool,
    /// Positions, rising, on the page before and on that of now, at which many pages of its kind differ in this run.
    pub unsteady: [&'e [usize]; 2],
}

impl Evidence<'_> {
    /// Whether other pages differ in all of this, too.
    pub(super) fn explains(&self, left: &Left) -> bool {
        left.old.iter().all(|at| self.is_unsteady(0, *at)) && left.new.iter().all(|at| self.is_unsteady(1, *at))
    }

    /// Whether other pages differ in all of a place of the page of now, too.
    pub(super) fn explains_place(&self, place: &Range<usize>) -> bool {
        !place.is_empty() && place.clone().all(|at| self.is_unsteady(1, at))
    }

    /// Whether many pages differ at a position of the page before (0), or of that of now (1).
    fn is_unsteady(&self, page: usize, at: usize) -> bool {
        self.unsteady.get(page).is_some_and(|positions| positions.binary_search(&at).is_ok())
    }
}
