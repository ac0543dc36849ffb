//! `--links-in` and `--no-links-in`: links are taken only from, or not from, parts of a page chosen by CSS selectors.
//!
//! Selectors need a tree. A tree costs time quadratic in nesting depth, so it is built in pieces against a budget, and
//! what was found when the budget ends is kept. The tree only answers which tags lie in the chosen parts: each tag that
//! can carry a link is marked before it enters the tree, and facts are read by [`crate::page::read`] as ever.

mod tree;

use crate::page::Limits;
use scraper::Selector;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

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
    links_in: Vec<Selector>,
    no_links_in: Vec<Selector>,
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
        let parts = Parts { links_in: parse_all(links_in)?, no_links_in: parse_all(no_links_in)? };
        Ok(Some(Selection { parts: Arc::new(parts) }))
    }
}

fn parse_all(selectors: &[String]) -> Result<Vec<Selector>, SelectError> {
    let parse = |text: &String| {
        Selector::parse(text).map_err(|error| {
            // Of some errors the library only prints its own types, over several lines.
            let reason = error.to_string().lines().next_back().unwrap_or_default().trim().to_owned();
            SelectError { selector: text.clone(), reason }
        })
    };
    selectors.iter().map(parse).collect()
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
#[derive(Debug, Default)]
pub struct Selected {
    /// By element and reference as written, in the order of the tags.
    choices: HashMap<(Carrier, String), VecDeque<Choice>>,
    /// The budget ended before the document did: tags beyond are taken from nowhere.
    pub cut: bool,
}

impl Selected {
    /// The choices for a document, within the time that the limits give.
    pub(crate) fn of(text: &str, limits: &Limits) -> Self {
        let began = (limits.clock)();
        let mut budget = || (limits.clock)().saturating_sub(began) < limits.selection_time;
        limits.links_in.as_ref().map_or_else(Self::default, |selection| hrefs_in(text, selection, &mut budget))
    }

    /// The choice for the next tag of this element and reference.
    pub(crate) fn choice(&mut self, carrier: Carrier, href: &str) -> Choice {
        let next = self.choices.get_mut(&(carrier, href.to_owned())).and_then(VecDeque::pop_front);
        next.unwrap_or(Choice::Unseen)
    }
}

/// Builds the document's tree and asks it where each tag stands. `budget` is asked often, and `false` ends the work.
pub fn hrefs_in(text: &str, selection: &Selection, budget: &mut dyn FnMut() -> bool) -> Selected {
    let (tree, mut cut) = tree::build(text, budget);
    // A tag that is in no tree, such as one a frameset drops, is taken from nowhere.
    let mut choices = vec![Choice::Unseen; tree.tags.len()];
    cut |= !tree.judge(&selection.parts, &mut choices, budget);
    let mut selected = Selected { choices: HashMap::new(), cut };
    for (tag, choice) in tree.tags.into_iter().zip(choices) {
        selected.choices.entry(tag).or_default().push_back(choice);
    }
    selected
}
