//! `--links-in` and `--no-links-in`: links are taken only from, or not from, parts of a page chosen by CSS selectors;
//! and `--content-selector`, which selects the parts that are its content.
//!
//! Selectors need a tree. Building one takes time quadratic in the nesting depth, so it is built in pieces within a
//! time budget, and the results so far are kept when the budget ends. The tree only decides which tags are in the
//! selected parts: each tag that can carry a link is marked before it enters the tree, and [`crate::page::read`] reads
//! the facts as usual.

mod content;
mod error;
mod link_element;
mod selection;
mod selectors;
mod tree;

pub use content::ContentSelector;
pub use error::SelectError;
pub(crate) use link_element::{LinkElement, SelectionResult};
pub use selection::Selection;
pub use selectors::Unmatched;

use crate::page::Limits;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;
use tree::Tree;

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
