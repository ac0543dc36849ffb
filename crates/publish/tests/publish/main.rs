//! Repeated publishing into a directory, as its readers see it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod failure;
mod fixture;
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
