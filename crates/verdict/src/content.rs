//! Detects changes of a page's content: compares the text blocks of two fetches and ignores boilerplate.
//!
//! There are two kinds of boilerplate. Blocks that many pages of the site share (navigation, footers) are recognised by
//! their hash; the caller passes them. Blocks that differ at each fetch (dates, counters, tokens, advertising) never
//! have the same hash twice, so they are recognised by their place, a [`DynamicRegion`], which is learned from two
//! differences in a row. The first difference at a place is a change.

mod compare;
mod evidence;
mod hunk;
mod passage;
mod place;
mod slot;

pub use compare::{Comparison, compare};
pub use evidence::VolatilityEvidence;
pub use hunk::differing;
pub use passage::{Pair, Passage, PassageRole};
pub use place::{Placed, placed};
pub use slot::{DynamicRegion, slots_from_bytes, slots_to_bytes};

/// A text block, as the record keeps it: four bytes of its hash, which are enough within one page.
pub type BlockHash = u32;

#[cfg(test)]
#[path = "content/tests.rs"]
mod tests;

#[cfg(test)]
#[path = "content/evidence_tests.rs"]
mod evidence_tests;
