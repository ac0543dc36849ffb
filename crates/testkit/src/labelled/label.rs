//! The labels of a site.

use std::collections::BTreeSet;
use std::fmt;

/// The subject of a finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelSubject {
    /// One page or file.
    Url(String),
    /// Pages that are faulty together, such as duplicates.
    Urls(BTreeSet<String>),
    /// The entire site.
    Site,
    /// URLs of one pattern. The audit decides how a pattern is rendered, so a label has only its beginning.
    Pattern(String),
}

impl LabelSubject {
    /// Returns whether the subject of a finding matches this one.
    #[must_use]
    pub fn fits(&self, found: &LabelSubject) -> bool {
        match (self, found) {
            (LabelSubject::Pattern(beginning), LabelSubject::Pattern(pattern)) => pattern.starts_with(beginning),
            _ => self == found,
        }
    }
}

impl fmt::Display for LabelSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelSubject::Url(url) => f.write_str(url),
            LabelSubject::Urls(urls) => f.write_str(&urls.iter().map(String::as_str).collect::<Vec<_>>().join(" + ")),
            LabelSubject::Site => f.write_str("the site"),
            LabelSubject::Pattern(pattern) => write!(f, "{pattern}…"),
        }
    }
}

/// A finding that an audit must report.
#[derive(Debug, Clone)]
pub struct Label {
    /// The code of the finding.
    pub code: &'static str,
    /// The accepted subjects. There are several if the definition of the code leaves open which of them is named; one
    /// of them must be, and each of them may be.
    pub accepted: Vec<LabelSubject>,
}

impl Label {
    /// Returns whether a finding of this label's code on `found` is the expected one.
    #[must_use]
    pub fn fits(&self, found: &LabelSubject) -> bool {
        self.accepted.iter().any(|subject| subject.fits(found))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.accepted.iter().map(LabelSubject::to_string).collect::<Vec<_>>().join(" or "))
    }
}

/// A subject that only seems to have a fault. That the audit must not report it follows from the labels being complete;
/// it is named so that a wrong finding can be explained.
#[derive(Debug, Clone)]
pub struct LookAlike {
    /// The code that must not be reported.
    pub code: &'static str,
    /// The subject that seems to have the fault.
    pub subject: LabelSubject,
    /// The reason why it does not have it.
    pub why: &'static str,
}
