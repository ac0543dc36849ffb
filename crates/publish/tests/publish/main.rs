//! Publishing into a directory, again and again: what readers of the set rely on.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod desk;
mod guard;
mod hosts;
mod names;
mod set;
mod stdout;
mod trouble;
