//! The engine over a frontier in memory and a web that is a table: no socket, no database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod crawl;
mod discovery;
mod endings;
mod fairness;
mod memory;
mod opening;
mod patterns;
mod robots;
mod sitemaps;
