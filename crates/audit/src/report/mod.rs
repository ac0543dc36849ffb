//! Reports: the same findings in the forms that people, spreadsheets and build servers read.

pub mod csv;
mod files;
mod fingerprint;
pub mod github;
mod html;
pub mod json;
mod json_text;
mod junit;
mod markdown;
mod markup;
mod number;
mod picture;
#[cfg(test)]
mod sample;
mod samples;
pub mod sarif;
pub mod schema;
mod uri;
mod visible;

pub use files::{ReportError, foreign, write_all};
pub use github::write as github;
pub use number::grouped;
pub use visible::visible;

use crate::code::Code;
use crate::figures::{Figures, RunFacts, Tally};
use crate::item::Items;
use crate::site::UrlParameter;
use serde::Serialize;

/// A finding of the audit before that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fixed {
    /// Its kind.
    pub code: Code,
    /// What it was about.
    pub subject: String,
}

/// Everything that a report tells.
#[derive(Clone, Copy)]
pub struct Report<'r> {
    /// The run.
    pub run: &'r RunFacts,
    /// The site in figures.
    pub figures: &'r Figures,
    /// Each code that was found, or was found by the audit before; in the order of [`Code::ALL`].
    pub tallies: &'r [Tally],
    /// The findings.
    pub items: &'r dyn Items,
    /// What was mended since the audit before.
    pub fixed: &'r [Fixed],
    /// URL parameters whose roles are certain, such as waste requests first.
    pub parameters: &'r [UrlParameter],
    /// What the reader ought to know: checks that were not made, and why.
    pub notes: &'r [String],
}
