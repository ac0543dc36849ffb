//! One pass over the finished graph.

use crate::canonical::honoured;
use crate::graph::{Fate, Known, Node};
use crate::reason::Reason;
use crate::twins::{TextOf, duplicates};
use std::collections::HashMap;

/// What is decided on one URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Why it is left out; `None` when it is listed.
    pub reason: Option<Reason>,
    /// The other URL that the reason rests on: the redirect's target, the canonical, the twin that stays.
    pub evidence: Option<Node>,
}

impl Verdict {
    const LISTED: Self = Self { reason: None, evidence: None };

    fn out(reason: Reason, evidence: Option<Node>) -> Self {
        Self { reason: Some(reason), evidence }
    }
}

/// What judgement leaves out of the URLs that the site allows to be indexed: each with the reason, and the other URL that
/// it rests on.
pub type Judgements = HashMap<Node, (Reason, Option<Node>)>;

/// The verdicts on a graph, each made when it is asked for.
#[derive(Debug)]
pub struct Verdicts<'g> {
    graph: &'g [Known],
    judgements: &'g Judgements,
    /// The twins that are left out, each with the one that stays.
    duplicates: HashMap<Node, Node>,
}

/// Whether all that the site says of a URL allows to list it.
#[must_use]
pub fn is_listable(graph: &[Known], node: Node) -> bool {
    alone(graph, node) == Some(Verdict::LISTED)
}

/// Judges a graph. `text` gives a URL's text, asked only where twins are otherwise equal.
#[must_use]
pub fn judge<'g>(graph: &'g [Known], judgements: &'g Judgements, text: TextOf<'_>) -> Verdicts<'g> {
    let is_listed = |node: &Node| is_listable(graph, *node) && !judgements.contains_key(node);
    let listed: Vec<Node> = (0..graph.len()).map_while(|node| Node::try_from(node).ok()).filter(is_listed).collect();
    Verdicts { graph, judgements, duplicates: duplicates(graph, &listed, text).into_iter().collect() }
}

impl Verdicts<'_> {
    /// The verdict on a URL; `None` where it is not in the run.
    #[must_use]
    pub fn of(&self, node: Node) -> Option<Verdict> {
        let verdict = alone(self.graph, node)?;
        let judged = self.judgements.get(&node).copied();
        match (verdict.reason, judged) {
            (Some(reason), Some((judged, evidence))) if reason == judged => {
                return Some(Verdict::out(reason, evidence));
            }
            (Some(_), _) => return Some(verdict),
            (None, Some((reason, evidence))) => return Some(Verdict::out(reason, evidence)),
            (None, None) => {}
        }
        match self.duplicates.get(&node) {
            Some(stays) => Some(Verdict::out(Reason::Duplicate, Some(*stays))),
            None => self.graph.get(node as usize).map(last),
        }
    }
}

/// The verdict on a URL as far as it does not depend on twins.
fn alone(graph: &[Known], node: Node) -> Option<Verdict> {
    let known = graph.get(node as usize)?;
    Some(match known.fate {
        Fate::Absent => return None,
        Fate::NotFetched(reason) | Fate::Failed(reason) => Verdict::out(reason, None),
        Fate::Redirect => Verdict::out(Reason::Redirect, known.redirect.get()),
        Fate::Page | Fate::File if known.redirect.get().is_some() => {
            Verdict::out(Reason::Redirect, known.redirect.get())
        }
        Fate::File => Verdict::out(Reason::MediaType, None),
        Fate::Page if known.noindex => Verdict::out(Reason::Noindex, None),
        Fate::Page => match honoured(graph, node) {
            Some(target) => Verdict::out(Reason::Canonical, Some(target)),
            None => Verdict::LISTED,
        },
    })
}

/// The reasons that come after twins are settled.
fn last(known: &Known) -> Verdict {
    if known.no_list {
        Verdict::out(Reason::NoList, None)
    } else if known.too_long {
        Verdict::out(Reason::TooLong, None)
    } else {
        Verdict::LISTED
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
