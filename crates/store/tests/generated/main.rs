//! Promises that hold on any site: sites with random pages, links and parameters are crawled in this process.
//!
//! A site comes from a seed. To run one alone: `SEED=17 cargo test -p mapwright-store --test generated`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod cases;
mod crawl;
mod draw;
mod effects;
mod frontier;
mod generate;
mod model;
mod promises;
mod reduce;
mod show;
mod truth;
