//! The benchmark's site: as many generated pages as asked for, and the exact list of those that belong in a sitemap.
//!
//! Everything follows from the number of pages and a seed; what is stored is stored to serve it faster.

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
pub use page::{Body, Press};
pub use plan::{Kind, LINKS, Plan};
pub use row::Row;
pub use scorecard::Scorecard;
pub use server::{ServerOptions, serve};
pub use table::tables;
pub use tally::Served;
