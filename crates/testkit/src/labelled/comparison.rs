//! The comparison of findings with labels.

use super::label::{Label, LabelSubject, LookAlike};
use super::site::LabelledSite;

/// The parts of a finding that labels cover.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportedFinding {
    /// Its code.
    pub code: String,
    /// Its subject.
    pub subject: LabelSubject,
}

/// The outcome for one code on one site.
#[derive(Debug, Clone)]
pub struct CodeResult {
    /// The code.
    pub code: &'static str,
    /// The number of labels.
    pub expected: usize,
    /// The number of subjects that were found.
    pub found: usize,
    /// Labels without a matching finding.
    pub missing: Vec<String>,
    /// Subjects without a matching label, with the reason if one is a look-alike.
    pub surplus: Vec<String>,
}

impl CodeResult {
    /// Returns whether the findings match the labels exactly.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.missing.is_empty() && self.surplus.is_empty()
    }
}

impl LabelledSite {
    /// Returns a row for each code that the site is about. Findings of other codes are ignored.
    #[must_use]
    pub fn compare(&self, findings: &[ReportedFinding]) -> Vec<CodeResult> {
        self.about().iter().map(|code| self.row(code, findings)).collect()
    }

    fn row(&self, code: &'static str, findings: &[ReportedFinding]) -> CodeResult {
        let mut found: Vec<&LabelSubject> =
            findings.iter().filter(|finding| finding.code == code).map(|finding| &finding.subject).collect();
        found.sort();
        found.dedup();
        let labels: Vec<&Label> = self.labels().iter().filter(|label| label.code == code).collect();
        let missing = labels.iter().filter(|label| !found.iter().any(|subject| label.fits(subject)));
        let surplus = found.iter().filter(|subject| !labels.iter().any(|label| label.fits(subject)));
        CodeResult {
            code,
            expected: labels.len(),
            found: found.len(),
            missing: missing.map(ToString::to_string).collect(),
            surplus: surplus.map(|subject| label(subject, code, self.look_alikes())).collect(),
        }
    }
}

/// Describes a subject that should not have been found, with the reason if it is a look-alike.
fn label(subject: &LabelSubject, code: &str, look_alikes: &[LookAlike]) -> String {
    let named = |false_positive: &&LookAlike| false_positive.code == code && false_positive.subject.fits(subject);
    look_alikes.iter().find(named).map_or_else(
        || subject.to_string(),
        |false_positive| format!("{subject} (a look-alike: {})", false_positive.why),
    )
}
