//! The severities of findings, by the settings.

use crate::check::Check;
use crate::checks;
use crate::severity::Severity;
use std::collections::BTreeMap;

/// The severity of each kind that the settings change; none if the kind is muted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Severities(BTreeMap<&'static Check, Option<Severity>>);

/// A setting that names no kind of finding, or no severity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeveritiesError {
    /// No code of this name.
    #[error("`{0}` is no kind of finding")]
    Code(String),
    /// No severity of this name.
    #[error("`{0}` is none of error, warning, notice and off")]
    Severity(String),
    /// Not of the form `CODE=SEVERITY`.
    #[error("`{0}` is not of the form CODE=SEVERITY")]
    Form(String),
}

impl Severities {
    /// Reads `CODE=error|warning|notice|off`.
    ///
    /// # Errors
    /// When the text has another form, or names an unknown code or severity.
    pub fn set(&mut self, text: &str) -> Result<(), SeveritiesError> {
        let (code, word) = text.split_once('=').ok_or_else(|| SeveritiesError::Form(text.to_owned()))?;
        let severity = match word.trim() {
            "off" => None,
            word => Some(Severity::from_name(word).ok_or_else(|| SeveritiesError::Severity(word.to_owned()))?),
        };
        self.0.insert(read_check(code)?, severity);
        Ok(())
    }

    /// Mutes a kind.
    ///
    /// # Errors
    /// When there is no such kind.
    pub fn mute(&mut self, code: &str) -> Result<(), SeveritiesError> {
        self.0.insert(read_check(code)?, None);
        Ok(())
    }

    /// Returns the severity of a kind; none if it is muted.
    #[must_use]
    pub fn of(&self, check: &Check) -> Option<Severity> {
        self.0.get(check).copied().unwrap_or(Some(check.severity))
    }
}

/// Returns the check whose code a user wrote.
pub(crate) fn read_check(text: &str) -> Result<&'static Check, SeveritiesError> {
    checks::named(text.trim()).ok_or_else(|| SeveritiesError::Code(text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;

    #[test]
    fn severities_are_changed_and_muted_by_name() {
        let mut severities = Severities::default();
        severities.set("canonical-missing=error").unwrap();
        severities.set("slow = off").unwrap();
        severities.mute("dup-title").unwrap();
        assert_eq!(severities.of(check("canonical-missing")), Some(Severity::Error));
        assert_eq!((severities.of(check("slow")), severities.of(check("dup-title"))), (None, None));
        assert_eq!(severities.of(check("http-4xx")), Some(Severity::Error));
        for faulty in ["nothing=error", "slow=loud", "slow"] {
            assert!(severities.set(faulty).is_err(), "{faulty}");
        }
    }
}
