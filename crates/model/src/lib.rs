//! The vocabulary of the record: tasks, discoveries and visits, and how they end.
//!
//! The types of what a crawl stores, which all crates around the record share. Nothing here decides anything.

mod discovery;
mod failure_kind;
mod links;
mod listing;
mod outcome;
mod refusal;
mod remembered;
mod resumed;
mod sitemap_entry;
mod task;
mod tls_fault;
mod visit;

pub use discovery::{Discovery, LISTED_DEPTH, Target, Unfetched, Via};
pub use failure_kind::FailureKind;
pub use links::{LinkRef, Links};
pub use listing::Listing;
pub use outcome::Outcome;
pub use refusal::Refusal;
pub use remembered::{Remembered, RememberedLink};
pub use resumed::Resumed;
pub use sitemap_entry::{ReadEntry, SitemapFault, UNFINISHED};
pub use task::{FetchMode, Lane, Purpose, Task, TaskId, UrlId, Validators};
pub use tls_fault::{TlsFault, tls_hint};
pub use visit::{CanonicalGiven, Fingerprint, Reused, Visit};
