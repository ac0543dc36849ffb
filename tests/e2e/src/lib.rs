//! The real binary against real servers: the language in which the end-to-end tests are written.
//!
//! A test builds a site with [`mapwright_testkit::FakeSite`], runs the binary on it with [`Crawl`], and reads the
//! results from [`Crawled`]: the sitemaps on disk, the reasons of excluded URLs, the summary. [`Cases`] builds a site
//! of many small cases, each with the exact URLs that it expects. Whatever cannot be set up, does not end in time or is
//! not as asserted panics, and so fails the test that called it.
//!
//! ```no_run
//! use mapwright_e2e::Crawl;
//! use mapwright_testkit::FakeSite;
//!
//! let site = FakeSite::open();
//! site.page("/", "<a href=/a>A</a> <a href=/gone>Gone</a>").page("/a", "<h1>A</h1>");
//! let crawled = Crawl::of(&site).run().exited(0);
//! crawled.assert_lists(&site.urls(&["/", "/a"]));
//! crawled.assert_excluded(&site.url("/gone"), "http-error");
//! ```
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "test support: where the ground cannot be laid, failing loudly in the caller's test is the purpose"
)]
#![allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "asserting alone is a use")]

mod assertions;
pub mod axe;
pub mod binary;
pub mod browser;
mod case;
mod cases;
pub mod clock;
mod command;
mod command_output;
pub mod counts;
mod crawl;
mod crawled;
pub mod csv;
mod excluded;
pub mod files;
pub mod kill;

mod ports;
mod record;
mod revision;
mod rounds;
pub mod schema;
pub mod scripted_app;
pub mod service;
pub mod sitemaps;
pub mod tmpfs;

mod workspace;

pub use case::{Case, document, links};
pub use cases::Cases;
pub use command::{Command, Running};
pub use command_output::CommandOutput;
pub use crawl::{Crawl, RunningCrawl};
pub use crawled::Crawled;
pub use excluded::Exclusion;
pub use ports::port_that_hangs_up;
pub use revision::Revision;
pub use rounds::{CrawlRound, RepeatedCrawls};
pub use sitemaps::Entry;
pub use workspace::Workspace;
