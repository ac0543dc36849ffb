//! Faults, gathered up to a limit.

use std::fmt::Write as _;

use crate::{Fault, Rule};

/// Characters of a document that a finding quotes at most.
const QUOTED_CHARS: usize = 80;

#[derive(Debug, Default)]
pub(crate) struct Faults {
    kept: Vec<Fault>,
    limit: usize,
    /// Those beyond the limit.
    uncounted: u64,
}

impl Faults {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { kept: Vec::new(), limit, uncounted: 0 }
    }

    /// Notes a fault; its words are only made where there is room for it.
    pub(crate) fn add(&mut self, line: u64, rule: Rule, what: impl FnOnce() -> String) {
        if self.kept.len() < self.limit {
            self.kept.push(Fault { line, rule, what: what(), remedy: rule.remedy().to_owned() });
        } else {
            self.uncounted += 1;
        }
    }

    pub(crate) fn as_slice(&self) -> &[Fault] {
        &self.kept
    }

    /// All that were kept, by line, and how many were not.
    pub(crate) fn into_sorted(mut self) -> (Vec<Fault>, u64) {
        self.kept.sort_by_key(|fault| fault.line);
        (self.kept, self.uncounted)
    }

    pub(crate) const fn uncounted(&self) -> u64 {
        self.uncounted
    }
}

/// Text of a document in quotes, shortened, with everything that could disturb a terminal shown as an escape.
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

/// Neither a control character nor one that reorders or hides the text around it.
fn is_harmless(c: char) -> bool {
    let disturbing = c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    !disturbing
}
