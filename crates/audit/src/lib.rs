//! Find what is unreachable, broken or contradictory in a record; write reports.
//!
//! Findings are pure functions over the site that a record holds; what needs a further request was a
//! task of the crawl, and stands in the record like any other.

pub mod code;
pub mod figures;
pub mod item;
pub mod report;
pub mod severity;

pub use code::{Code, Topic};
pub use severity::Severity;
