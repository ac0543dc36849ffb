//! Publishing into a directory, again and again: what readers of the set rely on.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod desk;
mod grace;
mod guard;
mod hook;
mod hosts;
mod names;
mod readers;
mod rewriting;
#[cfg(feature = "cloud")]
mod s3;
mod set;
mod stdout;
#[cfg(feature = "cloud")]
mod storage;
mod trouble;
