//! Nights: a site that lives, crawled again and again.
//!
//! [`Nights`] lives through the nights of a [`mapwright_testkit::living::LivingSite`] and gives the [`Tally`] of what
//! was published; [`Publications`] follows the files from one night to the next.

pub mod clock;
mod judge;
mod nights;
mod publications;
mod tally;

pub use nights::Nights;
pub use publications::{Part, Publication, Publications};
pub use tally::Tally;
