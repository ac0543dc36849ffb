//! Faults, limited for each rule, so that many of one kind do not hide the few of another.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::{CheckRule, Fault};

/// The maximum number of characters that a finding quotes.
const QUOTED_CHARS: usize = 80;

#[derive(Debug, Default)]
pub(crate) struct Faults {
    kept: Vec<Fault>,
    /// The maximum number of faults kept of each rule.
    limit: usize,
    found: BTreeMap<CheckRule, u64>,
}

impl Faults {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { kept: Vec::new(), limit, found: BTreeMap::new() }
    }

    /// Adds a fault; its message is only built if it is kept.
    pub(crate) fn add(&mut self, line: u64, rule: CheckRule, what: impl FnOnce() -> String) {
        self.add_with_fix(line, rule, rule.fix(), what);
    }

    /// As [`add`](Self::add), with another fix than that of the rule: feeds need other fixes than sitemaps.
    pub(crate) fn add_with_fix(&mut self, line: u64, rule: CheckRule, fix: &str, what: impl FnOnce() -> String) {
        let found = self.found.entry(rule).or_default();
        *found += 1;
        if *found <= self.limit as u64 {
            self.kept.push(Fault { line, rule, what: what(), fix: fix.to_owned() });
        }
    }

    pub(crate) fn as_slice(&self) -> &[Fault] {
        &self.kept
    }

    /// The kept faults by line, and the number of further ones for each rule that exceeds the limit.
    pub(crate) fn into_sorted(mut self) -> (Vec<Fault>, Vec<(CheckRule, u64)>) {
        self.kept.sort_by_key(|fault| fault.line);
        let further = self.further();
        (self.kept, further)
    }

    /// The number of faults beyond the kept ones, for each rule that exceeds the limit.
    pub(crate) fn further(&self) -> Vec<(CheckRule, u64)> {
        let limit = self.limit as u64;
        self.found.iter().filter(|(_, found)| **found > limit).map(|(rule, found)| (*rule, found - limit)).collect()
    }
}

/// Quotes text of a document, shortened, with every character that could disturb a terminal shown as an escape.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars().take(QUOTED_CHARS) {
        if is_harmless(c) {
            out.push(c);
        } else {
            // Writing into a string cannot fail.
            let _ = write!(out, "{}", c.escape_unicode());
        }
    }
    if text.chars().nth(QUOTED_CHARS).is_some() {
        out.push('…');
    }
    out.push('"');
    out
}

/// Returns true for a character that is neither a control character nor one that reorders or hides the text around it.
fn is_harmless(c: char) -> bool {
    let disturbing = c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    !disturbing
}

pub(super) fn shortened(name: &str) -> String {
    quoted(name).trim_matches('"').to_owned()
}
