//! The pages that `--list recommended` excludes on a site without declarations, and those that it must list.
//!
//! Each kind is tested in both directions: as junk, and with the same form of URL as content. The sites look like small
//! sites of today, with a navigation, titles, headings, and paragraphs of distinct text on every page.
#![allow(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

mod again;
mod equal_pages;
mod facets;
mod forms;
mod languages;
mod later_runs;
mod lists;
mod orders;
mod parameters;
mod parts;
mod reported;
mod revisions;
mod sessions;
mod soft_404;
mod switch;
mod text;
mod town;
mod traps;
mod words;
