//! One pass over the finished graph.

use crate::canonical::honoured;
use crate::graph::{Fate, Known, Node};
use crate::reason::Reason;
use crate::twins::{TextOf, duplicates};

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

/// Judges every URL of the graph; `None` for those that are not in the run. `text` gives a URL's text, asked only
/// where twins are otherwise equal.
#[must_use]
pub fn judge(graph: &[Known], text: TextOf<'_>) -> Vec<Option<Verdict>> {
    let mut verdicts: Vec<Option<Verdict>> =
        (0..graph.len()).map(|node| Node::try_from(node).ok().and_then(|node| alone(graph, node))).collect();
    let listed: Vec<Node> =
        (0..).zip(&verdicts).filter(|(_, v)| **v == Some(Verdict::LISTED)).map(|(n, _)| n).collect();
    for (out, stays) in duplicates(graph, &listed, text) {
        if let Some(verdict) = verdicts.get_mut(out as usize) {
            *verdict = Some(Verdict::out(Reason::Duplicate, Some(stays)));
        }
    }
    for (node, known) in listed.iter().filter_map(|node| graph.get(*node as usize).map(|known| (*node, known))) {
        let Some(slot) = verdicts.get_mut(node as usize).filter(|v| **v == Some(Verdict::LISTED)) else { continue };
        *slot = Some(last(known));
    }
    verdicts
}

/// The verdict on a URL as far as it does not depend on twins.
fn alone(graph: &[Known], node: Node) -> Option<Verdict> {
    let known = graph.get(node as usize)?;
    Some(match known.fate {
        Fate::Absent => return None,
        Fate::NotFetched(reason) | Fate::Failed(reason) => Verdict::out(reason, None),
        Fate::Redirect => Verdict::out(Reason::Redirect, known.redirect),
        Fate::Page | Fate::File if known.redirect.is_some() => Verdict::out(Reason::Redirect, known.redirect),
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
