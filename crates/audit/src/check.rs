//! The kind of a finding, with all that the other parts of an audit must know of it: they name no check.

mod attributes;
mod required_coverage;
mod topic;

pub(crate) use attributes::{Attributes, Confidence, Identity, LeftOut, LinkEvidence, RestsOn, Unrequested};
pub(crate) use required_coverage::{RequiredCoverage, SeenLevel};
pub use topic::Topic;

use crate::severity::Severity;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The kind of a finding. Two checks are equal if their codes are.
#[derive(Debug)]
pub struct Check {
    /// The stable name, in lower case with hyphens. It is unique.
    pub code: &'static str,
    /// The title, as people name the problem.
    pub title: &'static str,
    /// The topic.
    pub topic: Topic,
    /// The severity, unless the settings change it.
    pub severity: Severity,
    /// The problem, in one sentence.
    pub reason: &'static str,
    /// The fix, in one or more sentences.
    pub fix: &'static str,
    /// The part of the site that a run must have seen to say that a finding is fixed.
    pub(crate) needs: RequiredCoverage,
    /// The attributes that set it apart from others.
    pub(crate) attributes: Attributes,
}

impl Check {
    /// Returns the URL of its section in the documentation.
    #[must_use]
    pub fn help_url(&self) -> String {
        format!("{}/blob/main/docs/findings.md#{}", env!("CARGO_PKG_REPOSITORY"), self.code)
    }
}

impl PartialEq for Check {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Check {}

impl Ord for Check {
    fn cmp(&self, other: &Self) -> Ordering {
        self.code.cmp(other.code)
    }
}

impl PartialOrd for Check {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Check {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code.hash(state);
    }
}

/// A check is written as its code.
impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code)
    }
}
