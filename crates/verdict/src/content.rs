//! Whether a page's content changed: the text blocks of two fetches compared, boilerplate left out.
//!
//! Two kinds of boilerplate are told apart by what they do. What many pages of the site share (navigation, footers) is
//! known by the blocks themselves, and is the caller's to say. What differs at two fetches of one page in a row (dates,
//! counters, tokens, advertising) never has the same block twice: it is known by its place, a [`Slot`]. A first
//! difference is a change.

mod compare;
mod evidence;
mod hunk;
mod passage;
mod place;
mod slot;

pub use compare::{Comparison, compare};
pub use evidence::Evidence;
pub use hunk::differing;
pub use passage::{Pair, Passage, Role};
pub use place::{Placed, placed};
pub use slot::{Slot, slots_from_bytes, slots_to_bytes};

/// A text block, as the record keeps it: four bytes of its hash, which are enough within one page.
pub type Block = u32;

#[cfg(test)]
#[path = "content/tests.rs"]
mod tests;

#[cfg(test)]
#[path = "content/evidence_tests.rs"]
mod evidence_tests;
