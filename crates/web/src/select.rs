//! `--links-in` and `--no-links-in`: links are taken only from, or not from, parts of a page chosen by CSS selectors;
//! and `--content-selector`, which selects the parts that are its content.
//!
//! Selectors need a tree. Building one takes time quadratic in the nesting depth, so it is built in pieces within a
//! time budget, and the results so far are kept when the budget ends. The tree only decides which tags are in the
//! selected parts: each tag that can carry a link is marked before it enters the tree, and [`crate::page::read`] reads
//! the facts as usual.

mod content;
mod selectors;
mod tree;

pub use content::ContentSelector;
pub use selectors::Unmatched;

use crate::page::Limits;
use scraper::error::SelectorErrorKind;
use selectors::Selectors;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tree::Tree;

/// An invalid selector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{selector}` is no CSS selector: {reason}; give one such as `main` or `.content a`")]
pub struct SelectError {
    /// The selector as given.
    pub selector: String,
    /// The error.
    pub reason: String,
}

/// Selectors of the parts that links are taken from. A link counts if it matches or is inside a matching element.
#[derive(Debug, Clone)]
pub struct Selection {
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    links_in: Selectors,
    no_links_in: Selectors,
}

impl Selection {
    /// Parses the selectors of `--links-in` and `--no-links-in`; `None` if there are none. A link inside of both is
    /// left out. `head` is in no part: its links are taken unless a selector of `--no-links-in` matches.
    ///
    /// # Errors
    /// Names the first invalid selector.
    pub fn parse(links_in: &[String], no_links_in: &[String]) -> Result<Option<Selection>, SelectError> {
        if links_in.is_empty() && no_links_in.is_empty() {
            return Ok(None);
        }
        let parts = Parts { links_in: Selectors::parse(links_in)?, no_links_in: Selectors::parse(no_links_in)? };
        Ok(Some(Selection { parts: Arc::new(parts) }))
    }

    /// The selectors of `--links-in`, then those of `--no-links-in`, that have matched on no page so far.
    #[must_use]
    pub fn unmatched(&self) -> [Unmatched; 2] {
        [self.parts.links_in.unmatched(), self.parts.no_links_in.unmatched()]
    }
}

/// The message for an error of the library, in plain words. Some of its errors expose only the name of a type of
/// another crate.
fn reason(error: &SelectorErrorKind) -> &'static str {
    match error {
        SelectorErrorKind::EndOfLine => "it ends too early",
        SelectorErrorKind::ExpectedColonOnPseudoElement | SelectorErrorKind::ExpectedIdentityOnPseudoElement => {
            "no name stands behind a colon"
        }
        SelectorErrorKind::TooManyNestedBlocks => "it is nested too deep",
        SelectorErrorKind::UnexpectedSelectorParseError(kind) => match format!("{kind:?}").as_str() {
            "EmptySelector" => "a selector is missing, or begins with what none begins with",
            "DanglingCombinator" => "a selector is missing beside a combinator such as >",
            "UnsupportedPseudoClassOrElement" => "it has a pseudo-class or pseudo-element that is not supported",
            "ExpectedNamespace" => "it has a prefix of a namespace, and there are none",
            "NoQualifiedNameInAttributeSelector"
            | "UnexpectedTokenInAttributeSelector"
            | "ExpectedBarInAttr"
            | "BadValueInAttr"
            | "InvalidQualNameInAttr" => "what stands in [] is no condition on an attribute",
            "ClassNeedsIdent" => "no name of a class stands behind a dot",
            _ => "a part of it is not understood",
        },
        _ => "it has a sign where none may stand",
    }
}

/// Elements that can carry a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LinkElement {
    /// `a`.
    A,
    /// `area`.
    Area,
    /// `frame`.
    Frame,
    /// `iframe`.
    Iframe,
    /// `link`.
    Link,
}

/// The result of the selection for a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SelectionResult {
    /// Not checked: the budget ended before, or the tree does not contain it.
    Unchecked,
    /// Outside the parts of `--links-in`.
    Outside,
    /// In a part of `--no-links-in`.
    Refused,
    /// Links are taken from here.
    Taken,
}

/// The choice for each tag of one document that can carry a link.
#[derive(Debug)]
pub(crate) struct Selected {
    /// By element and reference as written, in the order of the tags.
    choices: HashMap<(LinkElement, String), VecDeque<SelectionResult>>,
    /// The budget ended before the document: no links are taken from later tags.
    pub(crate) cut: bool,
}

impl Selected {
    /// Computes the choices for a document, within the time limit: half of it for building the tree, the rest for
    /// matching, so that an incomplete tree is matched too.
    pub(crate) fn of(text: &str, selection: &Selection, limits: &Limits) -> Self {
        let began = (limits.clock)();
        let within = |time: Duration| move || (limits.clock)().saturating_sub(began) < time;
        let (tree, cut) = Tree::build(text, within(limits.selection_time / 2));
        let mut choices = vec![SelectionResult::Unchecked; tree.tags.len()];
        let judged = tree.judge(&selection.parts, &mut choices, within(limits.selection_time));
        if judged && !cut {
            selection.parts.links_in.end_document();
            selection.parts.no_links_in.end_document();
        }
        let mut selected = Selected { choices: HashMap::new(), cut: cut || !judged };
        for (tag, choice) in tree.tags.into_iter().zip(choices) {
            selected.choices.entry(tag).or_default().push_back(choice);
        }
        selected
    }

    /// The choice for the next tag of this element and reference.
    pub(crate) fn choice(&mut self, carrier: LinkElement, href: &str) -> SelectionResult {
        let next = self.choices.get_mut(&(carrier, href.to_owned())).and_then(VecDeque::pop_front);
        next.unwrap_or(SelectionResult::Unchecked)
    }
}

#[cfg(test)]
mod tests {
    use super::Selection;

    #[test]
    fn an_invalid_selector_is_reported_in_plain_words() {
        for (selector, reason) in [
            ("div[", "it ends too early"),
            ("a:foo(", "pseudo-class or pseudo-element that is not supported"),
            ("div >", "missing beside a combinator"),
            ("div{", "a sign where none may stand"),
            ("1a", "a selector is missing"),
            ("ns|a", "a prefix of a namespace"),
            ("[a~b]", "no condition on an attribute"),
        ] {
            let error = Selection::parse(&[selector.to_owned()], &[]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{selector}` is no CSS selector: ")), "{error}");
            assert!(error.contains(reason), "{error}");
        }
    }
}
