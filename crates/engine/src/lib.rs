//! Move URLs through fetch, read and commit until nothing is left.
//!
//! The loop is [`Engine::run`]; the path of one URL through it is in `visit.rs` and `reading.rs`. The frontier decides
//! what is fetched next; effects (fetching, reading) run concurrently and decide nothing.

mod admission;
mod audit_requests;
mod audited_variants;
mod batch;
mod clean_urls;
mod context;
mod deferred_variants;
mod discover;
mod distinct;
mod ended;
mod engine;
mod event;
mod options;
mod page_requests;
mod pending_starts;
mod prerequisite;
mod reading;
mod remembered;
mod render;
mod response;
mod retry;
mod session;
mod sitemap_file;
mod sitemap_limits;
mod start;
mod variants;
mod visit;
mod visits_in_flight;

pub use admission::{Admission, LimitCounts, StartRedirect};
pub use ended::{Completeness, CrawlResult, Cut, EngineError};
pub use engine::Engine;
pub use event::{Event, NoObserver, Observer};
pub use options::{Checks, EngineOptions, Reading};
pub use page_requests::PageRequests;
pub use render::{RenderMode, RenderRules};
pub use start::Start;
