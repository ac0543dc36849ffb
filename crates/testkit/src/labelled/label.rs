//! What is said about a site beforehand.

use std::collections::BTreeSet;
use std::fmt;

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// One page or file.
    Url(String),
    /// Pages that are faulty together, such as duplicates.
    Urls(BTreeSet<String>),
    /// The site as a whole.
    Site,
    /// URLs of one form. How a form is spelled is the audit's affair, so that a label gives its beginning alone.
    Pattern(String),
}

impl Subject {
    /// Whether a finding on `found` says what this label says.
    #[must_use]
    pub fn fits(&self, found: &Subject) -> bool {
        match (self, found) {
            (Subject::Pattern(beginning), Subject::Pattern(pattern)) => pattern.starts_with(beginning),
            _ => self == found,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Url(url) => f.write_str(url),
            Subject::Urls(urls) => f.write_str(&urls.iter().map(String::as_str).collect::<Vec<_>>().join(" + ")),
            Subject::Site => f.write_str("the site"),
            Subject::Pattern(pattern) => write!(f, "{pattern}…"),
        }
    }
}

/// Something that an audit must find.
#[derive(Debug, Clone)]
pub struct Label {
    /// The code of the finding.
    pub code: &'static str,
    /// What it is about. Several where the code's meaning leaves open which of them is named; one of them must be, and
    /// each of them may be.
    pub accepted: Vec<Subject>,
}

impl Label {
    /// Whether a finding of this label's code on `found` is the one meant.
    #[must_use]
    pub fn fits(&self, found: &Subject) -> bool {
        self.accepted.iter().any(|subject| subject.fits(found))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.accepted.iter().map(Subject::to_string).collect::<Vec<_>>().join(" or "))
    }
}

/// Something that seems to have a fault and has not. That the audit keeps silent on it follows from the labels being
/// complete; it is named so that a finding there can be told apart from any other that is too much.
#[derive(Debug, Clone)]
pub struct LookAlike {
    /// The code that it must not be found under.
    pub code: &'static str,
    /// What seems to have the fault.
    pub subject: Subject,
    /// Why it has not.
    pub why: &'static str,
}
