//! Find what is unreachable, broken or contradictory in a record; write reports.
//!
//! Checks are pure functions over the site that a record holds. A check that needs a further request was a task of
//! the crawl, and its answer is in the record like any other.

mod audit;
pub mod baseline;
mod chart_data;
mod check;
mod checker;
pub mod checks;
mod classifier;
mod coverage;
mod evidence;
pub mod figures;
pub mod finding;
pub mod gate;
mod history;
mod identity;
pub mod item;
mod limits;
mod notes;
mod options;
mod page;
pub mod parameters;
pub mod report;
pub mod severities;
pub mod severity;
pub mod site;

pub use audit::Audit;
pub use check::{Check, Topic};
pub use evidence::RenderedEvidence;
pub use limits::CheckThresholds;
pub use options::Options;
pub use page::findings_page;
pub use severity::Severity;
