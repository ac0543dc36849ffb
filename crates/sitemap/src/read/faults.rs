//! Faults, gathered up to a limit of each rule, lest many of one kind hide the few of another.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::{Fault, Rule};

/// Characters of a document that a finding quotes at most.
const QUOTED_CHARS: usize = 80;

#[derive(Debug, Default)]
pub(crate) struct Faults {
    kept: Vec<Fault>,
    /// Of each rule.
    limit: usize,
    found: BTreeMap<Rule, u64>,
}

impl Faults {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { kept: Vec::new(), limit, found: BTreeMap::new() }
    }

    /// Notes a fault; its words are only made where there is room for it.
    pub(crate) fn add(&mut self, line: u64, rule: Rule, what: impl FnOnce() -> String) {
        self.advise(line, rule, rule.remedy(), what);
    }

    /// The same with another remedy than that of the rule: feeds are mended otherwise than sitemaps.
    pub(crate) fn advise(&mut self, line: u64, rule: Rule, remedy: &str, what: impl FnOnce() -> String) {
        let found = self.found.entry(rule).or_default();
        *found += 1;
        if *found <= self.limit as u64 {
            self.kept.push(Fault { line, rule, what: what(), remedy: remedy.to_owned() });
        }
    }

    pub(crate) fn as_slice(&self) -> &[Fault] {
        &self.kept
    }

    /// All that were kept, by line, and how many were not of each rule that was broken oftener.
    pub(crate) fn into_sorted(mut self) -> (Vec<Fault>, Vec<(Rule, u64)>) {
        self.kept.sort_by_key(|fault| fault.line);
        let further = self.further();
        (self.kept, further)
    }

    /// How many were noticed beyond those that were kept, of each rule that was broken oftener.
    pub(crate) fn further(&self) -> Vec<(Rule, u64)> {
        let limit = self.limit as u64;
        self.found.iter().filter(|(_, found)| **found > limit).map(|(rule, found)| (*rule, found - limit)).collect()
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
