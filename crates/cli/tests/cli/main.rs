//! The command from outside: output and exit code.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod config;
mod documents;
mod examples;
mod help;
mod records;
mod robots;
mod serve;
mod server;
mod sitemap_check;
mod sitemap_list;
mod support;
mod usage;
