//! Deliveries to real servers on loopback addresses.

mod courier;
mod mail;
mod night;
mod rude_mail;
mod secrets;
mod server;
mod slack;
mod webhook;
