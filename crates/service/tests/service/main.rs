//! Tests of the service on a real site, a real record and a real job store.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod config;
mod console;
mod distributing;
mod fast;
mod fixture;
mod hook;
mod mail;
mod notifying;
mod runs;
mod supervised;
