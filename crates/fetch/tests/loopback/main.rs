//! The fetcher against real servers on loopback sockets that lie, drip, stall and reset.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "the servers are part of the tests")]

mod connections;
mod cookies;
mod decoding;
mod failures;
mod guarding;
mod http2;
mod limits;
mod proxying;
mod replies;
mod rootless;
mod scripted;
mod secrets;
mod site;
mod tls;
