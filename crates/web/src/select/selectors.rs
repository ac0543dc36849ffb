//! The selectors of one option, and the record of their matches.

use super::error::{SelectError, reason};
use scraper::{ElementRef, Selector};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The selectors of one option.
#[derive(Debug)]
pub(crate) struct Selectors {
    each: Vec<Counted>,
    /// The number of documents that were searched to their end.
    searched: AtomicU64,
}

/// A selector, and a flag that is set when an element has matched it.
#[derive(Debug)]
struct Counted {
    text: String,
    selector: Selector,
    matched: AtomicBool,
}

/// Selectors that no element of any document matched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unmatched {
    /// The selectors as given.
    pub selectors: Vec<String>,
    /// The number of documents that were searched to their end.
    pub searched: u64,
}

impl Selectors {
    /// Parses the selectors.
    pub(super) fn parse(selectors: &[String]) -> Result<Selectors, SelectError> {
        let parse = |text: &String| match Selector::parse(text) {
            Ok(selector) => Ok(Counted { text: text.clone(), selector, matched: AtomicBool::new(false) }),
            Err(error) => Err(SelectError { selector: text.clone(), reason: reason(&error).to_owned() }),
        };
        let each = selectors.iter().map(parse).collect::<Result<_, _>>()?;
        Ok(Selectors { each, searched: AtomicU64::new(0) })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// Returns true if an element matches any of them. Selectors without a match so far are always tried.
    pub(super) fn match_element(&self, element: &ElementRef<'_>) -> bool {
        let mut found = false;
        for counted in &self.each {
            if found && counted.matched.load(Relaxed) {
                continue;
            }
            if counted.selector.matches(element) {
                counted.matched.store(true, Relaxed);
                found = true;
            }
        }
        found
    }

    /// Counts a document that was searched to its end.
    pub(super) fn end_document(&self) {
        self.searched.fetch_add(1, Relaxed);
    }

    /// The selectors without a match so far.
    pub(super) fn unmatched(&self) -> Unmatched {
        let unmatched = self.each.iter().filter(|counted| !counted.matched.load(Relaxed));
        Unmatched {
            selectors: unmatched.map(|counted| counted.text.clone()).collect(),
            searched: self.searched.load(Relaxed),
        }
    }
}
