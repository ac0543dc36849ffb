//! Computes the verdicts in one pass over the finished graph.

use crate::canonical::honoured;
use crate::duplicates::{TextOf, duplicates};
use crate::graph::{FetchStatus, NodeIndex, UrlNode};
use crate::reason::Reason;
use std::collections::HashMap;

/// The verdict on one URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The reason for its exclusion; `None` when it is listed.
    pub reason: Option<Reason>,
    /// The other URL that the reason rests on: the redirect's target, the canonical, the duplicate that stays listed.
    pub evidence: Option<NodeIndex>,
}

impl Verdict {
    const LISTED: Self = Self { reason: None, evidence: None };

    fn out(reason: Reason, evidence: Option<NodeIndex>) -> Self {
        Self { reason: Some(reason), evidence }
    }
}

/// The indexable URLs that mapwright's own judgement excludes, each with the reason and the other URL that it rests on.
pub type Judgements = HashMap<NodeIndex, (Reason, Option<NodeIndex>)>;

/// The verdicts on a graph, computed on demand.
#[derive(Debug)]
pub struct Verdicts<'g> {
    graph: &'g [UrlNode],
    judgements: &'g Judgements,
    /// The exact duplicates that are left out, each with the one that stays listed.
    duplicates: HashMap<NodeIndex, NodeIndex>,
}

/// Reports whether the site itself allows a URL to be listed: status, redirects, media type, noindex, canonical.
#[must_use]
pub fn is_listable(graph: &[UrlNode], node: NodeIndex) -> bool {
    own_verdict(graph, node) == Some(Verdict::LISTED)
}

/// Judges a graph. `text` returns a URL's text; it is called only to decide between exact duplicates of equal rank.
#[must_use]
pub fn judge<'g>(graph: &'g [UrlNode], judgements: &'g Judgements, text: TextOf<'_>) -> Verdicts<'g> {
    let is_listed = |node: &NodeIndex| is_listable(graph, *node) && !judgements.contains_key(node);
    let listed: Vec<NodeIndex> =
        (0..graph.len()).map_while(|node| NodeIndex::try_from(node).ok()).filter(is_listed).collect();
    Verdicts { graph, judgements, duplicates: duplicates(graph, &listed, text).into_iter().collect() }
}

impl Verdicts<'_> {
    /// The verdict on a URL; `None` where it is not in the run.
    #[must_use]
    pub fn of(&self, node: NodeIndex) -> Option<Verdict> {
        let verdict = own_verdict(self.graph, node)?;
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
            None => self.graph.get(node as usize).map(final_verdict),
        }
    }
}

/// The verdict on a URL before duplicates and judgements are considered.
fn own_verdict(graph: &[UrlNode], node: NodeIndex) -> Option<Verdict> {
    let known = graph.get(node as usize)?;
    Some(match known.fetch_status {
        FetchStatus::Absent => return None,
        FetchStatus::NotFetched(reason) | FetchStatus::Failed(reason) => Verdict::out(reason, None),
        FetchStatus::Redirect => Verdict::out(Reason::Redirect, known.redirect.get()),
        FetchStatus::Page | FetchStatus::File if known.redirect.get().is_some() => {
            Verdict::out(Reason::Redirect, known.redirect.get())
        }
        FetchStatus::File => Verdict::out(Reason::MediaType, None),
        FetchStatus::Page if known.noindex => Verdict::out(Reason::Noindex, None),
        FetchStatus::Page => match honoured(graph, node) {
            Some(target) => Verdict::out(Reason::Canonical, Some(target)),
            None => Verdict::LISTED,
        },
    })
}

/// The verdict on a URL that no earlier reason excludes: `--no-list` and the length are checked last.
fn final_verdict(known: &UrlNode) -> Verdict {
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
