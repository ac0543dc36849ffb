//! The benchmark's site: any number of generated pages, and the exact list of those that belong in a sitemap.
//!
//! Everything is derived from the number of pages and a seed; data is stored only to serve it faster.

mod deflate;
mod origins;
mod page;
mod plan;
mod row;
mod scorecard;
mod server;
mod summary;
mod table;
mod tally;
mod targets;
mod words;

pub use origins::Origins;
pub use page::{Body, PageGenerator};
pub use plan::{LINKS, PageKind, SitePlan};
pub use row::BenchRun;
pub use scorecard::Scorecard;
pub use server::{ServerOptions, serve};
pub use table::tables;
pub use tally::Served;
