//! Which canonicals are honoured.

use crate::graph::{Fate, Known, Node};

/// Steps of canonicals and redirects that are followed to find a loop.
const MAX_STEPS: usize = 32;

/// The URL that a page gives its place to, if its canonical is honoured.
///
/// Ignored: a canonical to itself, one in a loop (redirects on the way included), and one whose target fails, or
/// redirects to what fails, or without end. (A target that has a bad hour and stays listed does not fail.) Anything else excludes the page: another page, another host, a redirecting,
/// noindex or blocked target.
pub(crate) fn honoured(graph: &[Known], page: Node) -> Option<Node> {
    let known = graph.get(page as usize)?;
    let target = known.canonical.get()?;
    (target != page && !fails(graph, target) && !returns(graph, page, target)).then_some(target)
}

/// Whether what a URL leads to by redirects fails, or never comes.
fn fails(graph: &[Known], url: Node) -> bool {
    let end = graph.get(end_of_redirects(graph, url) as usize);
    end.is_some_and(|end| matches!(end.fate, Fate::Failed(_)) && !end.kept || end.redirect.get().is_some())
}

/// Whether canonicals and redirects lead from `target` back to `page`.
fn returns(graph: &[Known], page: Node, target: Node) -> bool {
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

fn next(known: &Known) -> Option<Node> {
    known.redirect.get().or(known.canonical.get())
}

/// The page at the end of redirects from `from`; `from` itself where it does not redirect.
pub(crate) fn end_of_redirects(graph: &[Known], from: Node) -> Node {
    let mut at = from;
    for _ in 0..MAX_STEPS {
        match graph.get(at as usize).and_then(|known| known.redirect.get()) {
            Some(next) if next != from => at = next,
            _ => break,
        }
    }
    at
}
