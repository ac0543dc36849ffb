//! The comparison of findings with labels.

use super::label::{Label, LookAlike, Subject};
use super::site::LabelledSite;

/// The parts of a finding that labels cover.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Its code.
    pub code: String,
    /// Its subject.
    pub subject: Subject,
}

/// The outcome for one code on one site.
#[derive(Debug, Clone)]
pub struct Row {
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

impl Row {
    /// Returns whether the findings match the labels exactly.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.missing.is_empty() && self.surplus.is_empty()
    }
}

impl LabelledSite {
    /// Returns a row for each code that the site is about. Findings of other codes are ignored.
    #[must_use]
    pub fn compare(&self, findings: &[Finding]) -> Vec<Row> {
        self.about().iter().map(|code| self.row(code, findings)).collect()
    }

    fn row(&self, code: &'static str, findings: &[Finding]) -> Row {
        let mut found: Vec<&Subject> =
            findings.iter().filter(|finding| finding.code == code).map(|finding| &finding.subject).collect();
        found.sort();
        found.dedup();
        let labels: Vec<&Label> = self.labels().iter().filter(|label| label.code == code).collect();
        let missing = labels.iter().filter(|label| !found.iter().any(|subject| label.fits(subject)));
        let surplus = found.iter().filter(|subject| !labels.iter().any(|label| label.fits(subject)));
        Row {
            code,
            expected: labels.len(),
            found: found.len(),
            missing: missing.map(ToString::to_string).collect(),
            surplus: surplus.map(|subject| label(subject, code, self.look_alikes())).collect(),
        }
    }
}

/// Describes a subject that should not have been found, with the reason if it is a look-alike.
fn label(subject: &Subject, code: &str, look_alikes: &[LookAlike]) -> String {
    let named = |look_alike: &&LookAlike| look_alike.code == code && look_alike.subject.fits(subject);
    look_alikes
        .iter()
        .find(named)
        .map_or_else(|| subject.to_string(), |look_alike| format!("{subject} (a look-alike: {})", look_alike.why))
}
