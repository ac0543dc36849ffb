//! The evidence that a difference is no change of the page's content.

use super::BlockHash;
use super::hunk::UnsharedBlocks;
use std::ops::Range;

/// The evidence from other pages of the site about the blocks of one page.
#[derive(Clone, Copy)]
pub struct VolatilityEvidence<'e> {
    /// The blocks that the site shares.
    pub is_common: &'e dyn Fn(BlockHash) -> bool,
    /// Positions, ascending, on the old and on the new page at which many similar pages differ in this run.
    pub volatile_places: [&'e [usize]; 2],
}

impl VolatilityEvidence<'_> {
    /// Reports whether other pages differ at all positions of a difference, too.
    pub(super) fn explains(&self, left: &UnsharedBlocks) -> bool {
        left.old.iter().all(|at| self.is_volatile(0, *at)) && left.new.iter().all(|at| self.is_volatile(1, *at))
    }

    /// Reports whether other pages differ at all positions of a place on the new page, too.
    pub(super) fn explains_place(&self, place: &Range<usize>) -> bool {
        !place.is_empty() && place.clone().all(|at| self.is_volatile(1, at))
    }

    /// Reports whether many pages differ at a position of the old page (0) or of the new page (1).
    fn is_volatile(&self, page: usize, at: usize) -> bool {
        self.volatile_places.get(page).is_some_and(|positions| positions.binary_search(&at).is_ok())
    }
}
