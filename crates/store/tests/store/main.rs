//! Tests of the record: opened, written by crawls of a table, judged and read back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod audits;
mod commit;
mod crawled;
mod depth;
mod facts;
mod lastmod;
mod listed;
mod open;
mod plans;
mod runs;
mod starts;
mod verdicts;
mod views;
