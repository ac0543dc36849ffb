//! Findings that are known and accepted.

use crate::check::Check;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use std::collections::BTreeSet;

/// The version of the file.
const VERSION: u32 = 1;

/// Findings that are known and accepted: they are reported as accepted, and make no rule fail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    accepted: BTreeSet<(String, String)>,
}

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
    #[error("it is no baseline: {}", where_at(.0))]
    Form(#[from] serde_json::Error),
    /// A version that this program does not know.
    #[error("it is of version {0}, and this program knows version {VERSION}")]
    Version(u32),
}

/// Describes an error in the JSON, and its place.
fn where_at(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    match error.classify() {
        Category::Eof => format!("it ends too early, at line {line}"),
        Category::Data => format!("line {line} does not say what a baseline says there"),
        Category::Syntax | Category::Io => format!("it is not JSON at line {line}, column {column}"),
    }
}

impl Baseline {
    /// Reads a baseline as [`Baseline::to_json`] writes it.
    ///
    /// # Errors
    /// When the text is not a baseline, or one of another version.
    pub fn read(json: &str) -> Result<Self, BaselineError> {
        let document: Document = serde_json::from_str(json)?;
        if document.version != VERSION {
            return Err(BaselineError::Version(document.version));
        }
        Ok(Self { accepted: document.accepted.into_iter().map(|one| (one.code, one.subject)).collect() })
    }

    /// Accepts a finding, by its code and its subject: of a group each URL by itself.
    pub fn accept(&mut self, check: &Check, subject: &str) {
        self.accepted.insert((check.code.to_owned(), subject.to_owned()));
    }

    /// Returns true if a finding is accepted.
    #[must_use]
    pub fn accepts(&self, check: &Check, subject: &str) -> bool {
        !self.accepted.is_empty() && self.accepted.contains(&(check.code.to_owned(), subject.to_owned()))
    }

    /// Returns the baseline as a file: one finding a line, so that its changes are readable.
    #[must_use]
    pub fn to_json(&self) -> String {
        let line =
            |(code, subject): &(String, String)| serde_json::json!({"code": code, "subject": subject}).to_string();
        let lines: Vec<String> = self.accepted.iter().map(line).collect();
        format!("{{\"version\": {VERSION}, \"accepted\": [\n{}\n]}}\n", lines.join(",\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;

    #[test]
    fn a_broken_baseline_is_reported_with_its_line() {
        for (text, found) in [
            ("", "it ends too early, at line 1"),
            ("{\"version\": 1,\n", "it ends too early, at line 2"),
            ("{\"version\": 1,\n nothing", "it is not JSON at line 2, column 2"),
            ("\n{\"version\": \"two\"}", "line 2 does not say what a baseline says there"),
        ] {
            let error = Baseline::read(text).unwrap_err().to_string();
            assert_eq!(error, format!("it is no baseline: {found}"), "{text}");
        }
    }

    #[test]
    fn what_was_accepted_is_read_back() {
        let mut baseline = Baseline::default();
        baseline.accept(check("http-4xx"), "http://a/\"x\"");
        baseline.accept(check("dup-title"), "http://a/");
        let read = Baseline::read(&baseline.to_json()).unwrap();
        assert_eq!(read, baseline);
        assert!(read.accepts(check("dup-title"), "http://a/") && !read.accepts(check("dup-title"), "http://b/"));
        assert_eq!(Baseline::read(&Baseline::default().to_json()).unwrap(), Baseline::default());
    }

    #[test]
    fn a_text_that_is_no_baseline_is_an_error() {
        assert!(matches!(Baseline::read("[]"), Err(BaselineError::Form(_))));
        assert!(matches!(Baseline::read("{\"version\": 9, \"accepted\": []}"), Err(BaselineError::Version(9))));
        let error = Baseline::read("{\"version\": 2, \"accepted\": []}").unwrap_err().to_string();
        assert_eq!(error, "it is of version 2, and this program knows version 1");
    }
}
