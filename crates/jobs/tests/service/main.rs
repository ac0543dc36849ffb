//! The nightly service on a real site, a real record and a real ledger.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod console;
mod desk;
mod fast;
mod further;
mod hook;
mod mail;
mod nights;
mod orders;
mod supervised;
mod telling;
