//! Findings that are known and accepted.

use crate::code::Code;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of the file.
const VERSION: u32 = 1;

/// Findings that are known and accepted: they are told as such, and break no rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline(BTreeSet<(String, String)>);

/// The file.
#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    accepted: Vec<Accepted>,
}

#[derive(Serialize, Deserialize)]
struct Accepted {
    code: String,
    subject: String,
}

/// A baseline that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// Not the JSON of a baseline.
    #[error("it is no baseline ({0})")]
    Form(#[from] serde_json::Error),
    /// Of a version that this program does not know.
    #[error("it is of version {0}, and this program knows version {VERSION}")]
    Version(u32),
}

impl Baseline {
    /// Reads a baseline as [`Baseline::to_json`] writes it.
    ///
    /// # Errors
    /// When it is none, or of another version.
    pub fn read(json: &str) -> Result<Self, BaselineError> {
        let document: Document = serde_json::from_str(json)?;
        if document.version != VERSION {
            return Err(BaselineError::Version(document.version));
        }
        Ok(Self(document.accepted.into_iter().map(|one| (one.code, one.subject)).collect()))
    }

    /// Accepts a finding, by its code and what it is about.
    pub fn accept(&mut self, code: Code, subject: &str) {
        self.0.insert((code.as_str().to_owned(), subject.to_owned()));
    }

    /// Whether a finding is accepted.
    #[must_use]
    pub fn accepts(&self, code: Code, subject: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&(code.as_str().to_owned(), subject.to_owned()))
    }

    /// The baseline as a file: one finding a line, so that changes of it can be read.
    #[must_use]
    pub fn to_json(&self) -> String {
        let line =
            |(code, subject): &(String, String)| serde_json::json!({"code": code, "subject": subject}).to_string();
        let lines: Vec<String> = self.0.iter().map(line).collect();
        format!("{{\"version\": {VERSION}, \"accepted\": [\n{}\n]}}\n", lines.join(",\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_accepted_is_read_back() {
        let mut baseline = Baseline::default();
        baseline.accept(Code::Http4xx, "http://a/\"x\"");
        baseline.accept(Code::DupTitle, "http://a/");
        let read = Baseline::read(&baseline.to_json()).unwrap();
        assert_eq!(read, baseline);
        assert!(read.accepts(Code::DupTitle, "http://a/") && !read.accepts(Code::DupTitle, "http://b/"));
        assert_eq!(Baseline::read(&Baseline::default().to_json()).unwrap(), Baseline::default());
    }

    #[test]
    fn what_is_no_baseline_is_an_error() {
        assert!(matches!(Baseline::read("[]"), Err(BaselineError::Form(_))));
        assert!(matches!(Baseline::read("{\"version\": 9, \"accepted\": []}"), Err(BaselineError::Version(9))));
    }
}
