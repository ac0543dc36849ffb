//! The vocabulary of the record: tasks, discoveries and visits, and how they end.
//!
//! The types of what a crawl stores, which all crates around the record share. Nothing here decides anything.

mod content;
mod discovery;
mod failure_kind;
mod links;
mod listing;
mod outcome;
mod recorded_response;
mod refusal;
mod remembered;
mod render_choice;
mod rendering;
mod resumed;
mod route;
mod sitemap_entry;
mod task;
mod tls_fault;
mod visit;

pub use content::{CanonicalGiven, CodeContent, Content, ListingContent, OwnLinks, PageContent, Reused, ReusedContent};
pub use discovery::{Discovery, LISTED_DEPTH, Target, Unfetched, Via};
pub use failure_kind::FailureKind;
pub use links::{LinkRef, Links};
pub use listing::Listing;
pub use outcome::Outcome;
pub use recorded_response::{Fingerprint, RecordedResponse};
pub use refusal::Refusal;
pub use remembered::{Remembered, RememberedLink};
pub use render_choice::{RenderChoice, RenderReason, Template, TemplateClass, TemplateId};
pub use rendering::{FailedReason, FailedRequest, Navigation, Rendering};
pub use resumed::Resumed;
pub use route::Route;
pub use sitemap_entry::{ReadEntry, SitemapFault, UNFINISHED};
pub use task::{FetchMode, Lane, Purpose, Task, TaskId, Tries, UrlId, Validators};
pub use tls_fault::TlsFault;
pub use visit::Visit;
