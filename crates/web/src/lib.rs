//! The rules of the web: canonical URLs, scope, robots rules, and the facts read from a page's bytes.
//!
//! The crate is pure: no async, no network, no clock, no randomness, no globals. Every result depends on the arguments
//! only.

pub mod charset;
pub mod css;
pub mod date;
pub mod directives;
mod duplicate_key;
mod joiner;
pub mod key;
pub mod link_header;
pub mod manifest;
pub mod media;
pub mod origin;
pub mod page;
pub mod page_url;
mod percent;
mod query_encoding;
pub mod refresh;
pub mod robots;
pub mod scope;
pub mod select;
mod spare_bytes;
mod spelling;
mod tracking;
mod userinfo;

pub use duplicate_key::is_index_file;
pub use joiner::Joiner;
pub use key::{KeyHasher, KeyMaker, KeyMap, UrlKey};
pub use origin::{Origin, origin_of};
pub use page::{DocumentHeaders, Limits, PageFacts};
pub use page_url::{PageUrl, UrlError, UrlIdentity};
pub use percent::percent_decoded;
pub use robots::{Robots, Ruling};
pub use scope::{Scope, ScopeKind, ScopeVerdict};
pub use spare_bytes::spare_bytes;
pub use spelling::Spelling;
