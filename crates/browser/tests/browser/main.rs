//! Documents rendered by a real browser. Their sites are real servers on loopback.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

mod bad_pages;
mod ends;
mod isolation;
mod rendering;
mod site;
