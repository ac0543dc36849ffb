//! The dashboard over real sockets, with real records.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    unreachable_pub,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

mod api;
mod crowd;
mod edit;
mod hostile;
mod live;
mod made;
mod metrics;
mod pages;
mod reload;
mod results;
mod safety;
mod served;
