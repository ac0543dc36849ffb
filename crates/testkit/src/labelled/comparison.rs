//! What was found against what the labels say.

use super::label::{Label, LookAlike, Subject};
use super::site::LabelledSite;

/// A finding, as far as labels speak of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Its code.
    pub code: String,
    /// What it is about.
    pub subject: Subject,
}

/// The outcome for one code on one site.
#[derive(Debug, Clone)]
pub struct Row {
    /// The code.
    pub code: &'static str,
    /// How many labels there are.
    pub expected: usize,
    /// How many subjects were found.
    pub found: usize,
    /// Labels that no finding fits.
    pub missing: Vec<String>,
    /// Subjects that fit no label, with the reason where one is a look-alike.
    pub surplus: Vec<String>,
}

impl Row {
    /// Whether what was found is just what was labelled.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.missing.is_empty() && self.surplus.is_empty()
    }
}

impl LabelledSite {
    /// A row for each code that the site is about. Findings of other codes are not looked at.
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
            surplus: surplus.map(|subject| told(subject, code, self.look_alikes())).collect(),
        }
    }
}

/// A subject that should not have been found, with the reason where it was named beforehand.
fn told(subject: &Subject, code: &str, look_alikes: &[LookAlike]) -> String {
    let named = |look_alike: &&LookAlike| look_alike.code == code && look_alike.subject.fits(subject);
    look_alikes
        .iter()
        .find(named)
        .map_or_else(|| subject.to_string(), |look_alike| format!("{subject} (a look-alike: {})", look_alike.why))
}
