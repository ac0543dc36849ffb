//! `--links-in` and `--no-links-in`: links are taken only from, or not from, parts of a page chosen by CSS selectors; and
//! `--content-selector`, which names the parts that are its content.
//!
//! Selectors need a tree. A tree costs time quadratic in nesting depth, so it is built in pieces against a budget, and
//! what was found when the budget ends is kept. The tree only answers which tags lie in the chosen parts: each tag that
//! can carry a link is marked before it enters the tree, and facts are read by [`crate::page::read`] as ever.

mod content;
mod selectors;
mod tree;

pub use content::Content;
pub use selectors::Unmatched;

use crate::page::Limits;
use scraper::error::SelectorErrorKind;
use selectors::Selectors;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tree::Tree;

/// A selector that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{selector}` is no CSS selector: {reason}; give one such as `main` or `.content a`")]
pub struct SelectError {
    /// The selector as given.
    pub selector: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Selectors of the parts that links are taken from. A link counts if it is a matching element or stands inside one.
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
    /// Parses the selectors of `--links-in` and `--no-links-in`; `None` when there are none. Inside of both, the second
    /// counts. What stands in `head` is in no part: it is taken unless a selector of the second refuses it.
    ///
    /// # Errors
    /// Names the first selector that is no CSS.
    pub fn parse(links_in: &[String], no_links_in: &[String]) -> Result<Option<Selection>, SelectError> {
        if links_in.is_empty() && no_links_in.is_empty() {
            return Ok(None);
        }
        let parts = Parts { links_in: Selectors::parse(links_in)?, no_links_in: Selectors::parse(no_links_in)? };
        Ok(Some(Selection { parts: Arc::new(parts) }))
    }

    /// The selectors of `--links-in`, then those of `--no-links-in`, that matched on no page so far.
    #[must_use]
    pub fn unmatched(&self) -> [Unmatched; 2] {
        [self.parts.links_in.unmatched(), self.parts.no_links_in.unmatched()]
    }
}

/// What the library says, in plain words. Of some errors it tells no more than the name of a type that is not its own.
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
pub(crate) enum Carrier {
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

/// Where a tag stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Choice {
    /// Not looked at: the budget ended before, or the tree does not hold it.
    Unseen,
    /// In no part that `--links-in` names.
    Elsewhere,
    /// In a part that `--no-links-in` names.
    Refused,
    /// Links are taken from here.
    Taken,
}

/// The choice for each tag of one document that can carry a link.
#[derive(Debug)]
pub(crate) struct Selected {
    /// By element and reference as written, in the order of the tags.
    choices: HashMap<(Carrier, String), VecDeque<Choice>>,
    /// The budget ended before the document did: tags beyond are taken from nowhere.
    pub(crate) cut: bool,
}

impl Selected {
    /// The choices for a document, within the time that the limits give: half of it for the tree, the rest for asking
    /// it, so that a tree that was cut is asked too.
    pub(crate) fn of(text: &str, selection: &Selection, limits: &Limits) -> Self {
        let began = (limits.clock)();
        let within = |time: Duration| move || (limits.clock)().saturating_sub(began) < time;
        let (tree, cut) = Tree::build(text, within(limits.selection_time / 2));
        let mut choices = vec![Choice::Unseen; tree.tags.len()];
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
    pub(crate) fn choice(&mut self, carrier: Carrier, href: &str) -> Choice {
        let next = self.choices.get_mut(&(carrier, href.to_owned())).and_then(VecDeque::pop_front);
        next.unwrap_or(Choice::Unseen)
    }
}

#[cfg(test)]
mod tests {
    use super::Selection;

    #[test]
    fn what_is_no_selector_is_told_in_plain_words() {
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
