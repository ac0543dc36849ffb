//! Repeated crawls of a site that changes between them.
//!
//! [`DailyRuns`] crawls a [`mapwright_testkit::living::LivingSite`] once per simulated day and returns the [`Tally`] of
//! the published sitemaps; [`Publications`] compares the files of one run with those of the run before.

pub mod clock;
mod days;
mod judge;
mod publications;
mod tally;

pub use days::DailyRuns;
pub use publications::{Part, Publication, Publications};
pub use tally::Tally;
