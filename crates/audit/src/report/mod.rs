//! Reports: the same findings in the forms that people, spreadsheets and build servers read.

mod charts;
pub mod csv;
mod files;
mod fingerprint;
pub mod github;
mod html;
pub mod json;
mod junit;
mod markdown;
mod markup;
mod priorities;
#[cfg(test)]
mod sample;
mod samples;
pub mod sarif;
pub mod schema;
mod uri;
mod url_table;
mod xlsx;

pub use files::{ReportError, foreign, write_all};
pub use github::write as github;
pub use url_table::UrlTable;

use crate::check::Check;
use crate::figures::{AuditedRun, Figures, Tally};
use crate::rendered_finding::RenderedFindings;
use crate::site::UrlParameter;
use serde::Serialize;

/// A fixed finding of the previous audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fixed {
    /// Its kind.
    #[serde(rename = "code")]
    pub check: &'static Check,
    /// Its subject.
    pub subject: String,
}

/// The data of a report.
#[derive(Clone, Copy)]
pub struct Report<'r> {
    /// The run.
    pub run: &'r AuditedRun,
    /// The figures of the site.
    pub figures: &'r Figures,
    /// Each kind found in this audit or the previous one, in the order of [`crate::checks::all`].
    pub tallies: &'r [Tally],
    /// The findings.
    pub items: &'r dyn RenderedFindings,
    /// The findings that are fixed since the previous audit.
    pub fixed: &'r [Fixed],
    /// The URLs of the run.
    pub urls: &'r UrlTable,
    /// URL parameters whose roles are certain; those that waste requests come first.
    pub parameters: &'r [UrlParameter],
    /// Notes for the reader: checks that were not made, and why.
    pub notes: &'r [String],
}
