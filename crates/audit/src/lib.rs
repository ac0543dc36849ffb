//! Find what is unreachable, broken or contradictory in a record; write reports.
//!
//! Checks are pure functions over the site that a record holds. A check that needs a further request was a task of
//! the crawl, and its answer is in the record like any other.

mod audit;
pub mod baseline;
mod chart_data;
mod check;
mod check_thresholds;
mod checker;
pub mod checks;
mod classifier;
mod common_findings;
mod coverage;
mod evidence;
pub mod fail_rules;
pub mod figures;
pub mod finding;
mod folders;
mod history;
mod identity;
mod left_out;
mod notes;
mod options;
mod page;
pub mod parameter_advice;
pub mod rendered_finding;
pub mod report;
pub mod scripts_compared;
pub mod severities;
pub mod severity;
pub mod site;
mod vague_text;

pub use audit::Audit;
pub use check::{Check, Topic};
pub use check_thresholds::{CheckThresholds, TextLength};
pub use evidence::RenderedEvidence;
pub use options::Options;
pub use page::findings_page;
pub use severity::Severity;
