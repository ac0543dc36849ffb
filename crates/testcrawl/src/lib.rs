//! A fake web in memory behind `Fetch`, and crawls of it into a record, for tests. The engine, the frontier and the
//! record are the real ones; only the network is missing.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test support: a fixture that cannot be set up fails the caller's test"
)]

mod answer;
mod crawled;
mod plan;
mod web;

pub use answer::{Answer, page, reply};
pub use crawled::{Crawled, begin, judge_options};
pub use plan::CrawlPlan;
pub use web::{START, Web, parse, url};
