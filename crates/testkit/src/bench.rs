//! The benchmark's site: as many generated pages as asked for, and the exact list of those that belong in a sitemap.
//!
//! Everything follows from the number of pages and a seed; nothing is stored, so a million pages cost no more memory
//! than a hundred.

mod deflate;
mod page;
mod plan;
mod scorecard;
mod server;
mod words;

pub use page::{Body, Press};
pub use plan::{Kind, LINKS, Plan};
pub use scorecard::Scorecard;
pub use server::{ServerOptions, serve};
