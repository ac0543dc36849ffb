//! Repeated crawls of a site that changes between them.
//!
//! [`DailyRuns`] crawls a [`mapwright_testkit::living::LivingSite`] once per simulated day and returns the
//! [`tally::Tally`] of the published sitemaps; [`Publications`] compares the files of one run with those of the run
//! before.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers fail the test by panicking")]

mod days;
mod judge;
mod publications;
mod tally;

pub(crate) use days::DailyRuns;
pub(crate) use publications::Publications;
