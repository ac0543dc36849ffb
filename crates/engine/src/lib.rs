//! Move URLs through fetch, read and commit until nothing is left.
//!
//! The loop is [`Engine::run`]; the way of one URL through it is in `visit.rs` and `reading.rs`. Decisions about what is
//! fetched next are the frontier's; effects (fetching, reading) run concurrently and decide nothing.

mod admission;
mod batch;
mod checked;
mod checks;
mod desk;
mod discover;
mod ended;
mod engine;
mod event;
mod flight;
mod links;
mod opening;
mod options;
mod prerequisite;
mod reading;
mod remembered;
mod session;
mod sitemap_file;
mod start;
mod variants;
mod visit;
mod visited;

pub use admission::{Admission, Along, Refused};
pub use ended::{Cut, Ended, EngineError, How};
pub use engine::Engine;
pub use event::{Event, NoObserver, Observer};
pub use links::{LinkRef, Links};
pub use options::{Checks, EngineOptions, Reading};
pub use remembered::{Remembered, RememberedLink};
pub use sitemap_file::UNFINISHED;
pub use start::{Resumed, Start};
pub use visited::{CanonicalGiven, Carried, Entry, Outcome, Seal, SitemapFault, Visit};
