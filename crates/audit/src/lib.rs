//! Find what is unreachable, broken or contradictory in a record; write reports.
//!
//! Findings are pure functions over the site that a record holds; what needs a further request was a
//! task of the crawl, and stands in the record like any other.

mod audit;
pub mod baseline;
pub mod code;
mod draw;
pub mod figures;
pub mod finding;
pub mod findings;
pub mod gate;
mod identity;
pub mod item;
mod judge;
mod limits;
mod lives;
mod notes;
mod page;
pub mod parameters;
pub mod report;
pub mod severities;
pub mod severity;
mod sight;
pub mod site;
mod spell;

pub use audit::{Audit, Options};
pub use code::{Code, Topic};
pub use limits::Limits;
pub use page::findings_page;
pub use severity::Severity;
pub use spell::Spelled;
