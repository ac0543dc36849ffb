//! Decides which canonicals are honoured.

use crate::graph::{FetchStatus, NodeIndex, UrlNode};

/// The most canonicals and redirects that are followed to find a loop.
const MAX_STEPS: usize = 32;

/// The URL that a page is canonicalised to, if its canonical is honoured.
///
/// A canonical is ignored if it points to the page itself, is part of a loop (redirects included), or has a target that
/// fails, redirects to a URL that fails, or redirects without end. A target that stays listed through a transient
/// failure counts as no failure. Any other target excludes the page: another page, another host, a redirecting, noindex
/// or blocked target.
pub(crate) fn honoured(graph: &[UrlNode], page: NodeIndex) -> Option<NodeIndex> {
    let known = graph.get(page as usize)?;
    let target = known.canonical.get()?;
    (target != page && !fails(graph, target) && !returns(graph, page, target)).then_some(target)
}

/// Reports whether the redirects of a URL end at a failure, or have no end.
fn fails(graph: &[UrlNode], url: NodeIndex) -> bool {
    let end = graph.get(end_of_redirects(graph, url) as usize);
    end.is_some_and(|end| {
        matches!(end.fetch_status, FetchStatus::Failed(_)) && !end.kept || end.redirect.get().is_some()
    })
}

/// Reports whether canonicals and redirects lead from `target` back to `page`.
fn returns(graph: &[UrlNode], page: NodeIndex, target: NodeIndex) -> bool {
    let mut at = target;
    for _ in 0..MAX_STEPS {
        if at == page {
            return true;
        }
        match graph.get(at as usize).and_then(next) {
            Some(next) if next != at => at = next,
            _ => return false,
        }
    }
    false
}

fn next(known: &UrlNode) -> Option<NodeIndex> {
    known.redirect.get().or(known.canonical.get())
}

/// The page at the end of redirects from `from`; `from` itself where it does not redirect.
pub(crate) fn end_of_redirects(graph: &[UrlNode], from: NodeIndex) -> NodeIndex {
    let mut at = from;
    for _ in 0..MAX_STEPS {
        match graph.get(at as usize).and_then(|known| known.redirect.get()) {
            Some(next) if next != from => at = next,
            _ => break,
        }
    }
    at
}
