//! The scheduler, driven through random and chosen schedules: no socket, no sleep, simulated time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod accounts;
mod fixture;
mod pace;
mod plan;
mod properties;
mod starving;
mod stories;
mod world;
