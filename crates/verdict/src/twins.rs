//! Twins: URLs that differ only by slash, index file, case or parameters, and answer with equal bytes.

use crate::canonical::end_of_redirects;
use crate::graph::{Known, Node};

/// Who decides between twins of equal weight: the text of a URL.
pub(crate) type TextOf<'t> = &'t dyn Fn(Node) -> String;

/// For each of `listed` that has a better twin, the pair of (the one to leave out, the one that stays).
///
/// The more linked stays (links to a redirect count for its target), then the shorter, then the first in order.
pub(crate) fn duplicates(graph: &[Known], listed: &[Node], text: TextOf<'_>) -> Vec<(Node, Node)> {
    let inlinks = weights(graph);
    let mut keyed: Vec<(u64, u64, Node)> = listed
        .iter()
        .filter_map(|node| graph.get(*node as usize).map(|known| (known.twin, known.bytes, *node)))
        .filter(|(_, bytes, _)| *bytes != 0)
        .collect();
    keyed.sort_unstable();
    let mut pairs = Vec::new();
    for group in keyed.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|group| group.len() > 1) {
        let rank = |node: Node| {
            let weight = inlinks.get(node as usize).copied().unwrap_or_default();
            let length = graph.get(node as usize).map(|known| known.length);
            (std::cmp::Reverse(weight), length, text(node))
        };
        let best = group.iter().map(|(.., node)| *node).min_by_key(|node| rank(*node));
        let Some(best) = best else { continue };
        pairs.extend(group.iter().map(|(.., node)| *node).filter(|node| *node != best).map(|node| (node, best)));
    }
    pairs
}

/// Links to each URL, those to a redirect counted for its end.
fn weights(graph: &[Known]) -> Vec<u64> {
    let mut weights: Vec<u64> = graph.iter().map(|known| u64::from(known.inlinks)).collect();
    for (node, known) in graph.iter().enumerate().filter(|(_, known)| known.redirect.is_some()) {
        let Ok(node) = Node::try_from(node) else { continue };
        let end = end_of_redirects(graph, node);
        if let Some(weight) = weights.get_mut(end as usize).filter(|_| end != node) {
            *weight += u64::from(known.inlinks);
        }
    }
    weights
}
