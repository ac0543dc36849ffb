//! The real binary against real servers: the language in which the end-to-end tests are written.
//!
//! A test builds a site with [`mapwright_testkit::FakeSite`], runs the binary on it with [`Crawl`], and reads the
//! results from [`Crawled`]: the sitemaps on disk, the reasons of excluded URLs, the summary. [`Cases`] builds a site
//! of many small cases, each with the exact URLs that it expects.
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
    reason = "test support: where the ground cannot be laid, failing loudly in the caller's test is the purpose"
)]

mod assertions;
pub mod axe;
pub mod binary;
pub mod browser;
mod case;
mod cases;
mod command;
pub mod counts;
mod crawl;
mod crawled;
pub mod csv;
pub mod day;
mod excluded;
pub mod fixture;
pub mod kill;
pub mod labelled;
mod ports;
mod record;
pub mod report_page;
mod revision;
mod rounds;
pub mod schema;
pub mod service;
pub mod sitemaps;
pub mod tmpfs;
pub mod walk;
mod workspace;

pub use case::{Case, document, links};
pub use cases::Cases;
pub use command::{Command, CommandOutput, Running};
pub use crawl::{Crawl, RunningCrawl};
pub use crawled::Crawled;
pub use excluded::Exclusion;
pub use ports::port_that_hangs_up;
pub use revision::Revision;
pub use rounds::{CrawlRound, RepeatedCrawls};
pub use sitemaps::Entry;
pub use workspace::Workspace;
