//! Delivers the sitemap set: into a directory and its mirrors, or to standard output.
//!
//! Publishing is atomic for readers. Parts come first, under names that no live index lists with other content; the
//! index comes last; parts that left the set stay for the grace period, so that every entry of the previous index still
//! resolves to a valid file.

mod announce;
mod directory;
mod entries;
mod error;
mod existing_set;
mod expired_parts;
mod foreign;
pub mod mirror;
mod naming;
mod options;
mod part_plan;
mod persist;
mod published_set;
mod rewrite;
mod set;
mod shrink_guard;
mod stdout;

pub use announce::{
    AnnounceError, EngineClient, IndexNow, Key, MAX_URLS, Ping, SearchConsole, Submitted, generate_key, key_file,
    robots_names,
};
pub use directory::Directory;
pub use entries::Extras;
pub use error::PublishError;
pub use foreign::check_own;
pub use options::PublishOptions;
pub use published_set::PublishedSet;
pub use rewrite::{Rewrite, RewriteError};
pub use set::publish;
pub use shrink_guard::{ShrinkGuard, ShrinkRefusal};
pub use stdout::to_stdout;
