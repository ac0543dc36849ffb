//! The fetcher against real servers on loopback sockets that lie, drip, stall and reset.

mod connections;
mod cookies;
mod decoding;
mod failures;
mod guarding;
mod limits;
mod proxying;
mod replies;
mod secrets;
mod site;
mod tls;
