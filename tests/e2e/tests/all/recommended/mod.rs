//! What `--list recommended` leaves out of the sitemap of a site that declares nothing, and what it must not.
//!
//! Each kind is tested in both directions: where it is junk, and where the same form of URL is content. The sites look
//! like small sites of today: a navigation, titles, headings, and paragraphs of distinct text on every page.
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
mod revisions;
mod sessions;
mod soft_404;
mod switch;
mod text;
mod told;
mod town;
mod traps;
mod words;
