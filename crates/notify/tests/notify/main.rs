//! Deliveries to real servers on loopback addresses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod courier;
mod event;
mod mail;
mod rude_mail;
mod secrets;
mod server;
mod slack;
mod tls_hook;
mod webhook;
