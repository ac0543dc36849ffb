//! Notifications of search engines, against stand-ins on loopback sockets that record, refuse, stall and lie.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod account;
mod call;
mod console;
mod indexnow;
mod ping;
mod robots;
mod stand_in;
