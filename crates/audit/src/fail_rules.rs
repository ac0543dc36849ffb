//! Rules by which an audit fails.

use crate::audit::Audit;
use crate::check::Check;
use crate::severities::{SeveritiesError, read_check};
use crate::severity::Severity;
use std::collections::BTreeSet;

/// A rule that names the findings on which an audit fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// Any finding of this severity or a higher one.
    Severity(Severity),
    /// Any finding of this check.
    Check(&'static Check),
}

impl FailOn {
    /// Reads a severity or a code.
    ///
    /// # Errors
    /// When it is neither.
    pub fn read(text: &str) -> Result<Self, SeveritiesError> {
        match Severity::from_name(text.trim()) {
            Some(severity) => Ok(Self::Severity(severity)),
            None => read_check(text).map(Self::Check),
        }
    }
}

/// The rules of an audit. Findings of the baseline break none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailRules {
    /// The findings that must not occur.
    pub fail_on: Vec<FailOn>,
    /// The most URLs that may be broken.
    pub max_broken: Option<u64>,
}

impl FailRules {
    /// Returns the rules that an audit breaks, each in a sentence.
    #[must_use]
    pub fn broken_rules(&self, audit: &Audit) -> Vec<String> {
        let mut broken: Vec<String> = self.fail_on.iter().filter_map(|rule| fail_on(*rule, audit)).collect();
        let urls = broken_urls(audit);
        if let Some(most) = self.max_broken.filter(|most| urls > *most) {
            let what = if urls == 1 { "URL is" } else { "URLs are" };
            broken.push(format!("--max-broken {most}: {urls} {what} broken"));
        }
        broken
    }
}

fn fail_on(rule: FailOn, audit: &Audit) -> Option<String> {
    let breaks = |check: &Check, severity: Severity| match rule {
        FailOn::Severity(least) => severity <= least,
        FailOn::Check(named) => check == named,
    };
    let counts = audit.tallies().iter().filter(|tally| breaks(tally.check, tally.severity));
    let count: u64 = counts.map(|tally| tally.count - tally.accepted).sum();
    let name = match rule {
        FailOn::Severity(severity) => severity.as_str(),
        FailOn::Check(check) => check.code,
    };
    let findings = if count == 1 { "finding" } else { "findings" };
    (count > 0).then(|| format!("--fail-on {name}: {count} {findings}"))
}

/// Counts the URLs that give no page, each once: they fail, or redirect in a loop. For a redirect to a URL that fails,
/// that URL counts.
fn broken_urls(audit: &Audit) -> u64 {
    let broken = audit.unaccepted().filter(|(check, _)| check.attributes.is_broken);
    broken.map(|(_, url)| url).collect::<BTreeSet<&str>>().len() as u64
}
