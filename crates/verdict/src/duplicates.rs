//! Exact duplicates: URLs that differ only by slash, index file, case or parameters, and answer with equal bytes.

use crate::canonical::end_of_redirects;
use crate::graph::{NodeIndex, UrlNode};

/// Returns the text of a URL, which decides between exact duplicates of equal weight.
pub(crate) type TextOf<'t> = &'t dyn Fn(NodeIndex) -> String;

/// The exact duplicates among `listed`, as pairs of (the URL to leave out, the URL that stays).
///
/// The URL with the most links stays (links to a redirect count for its target), then the shortest, then the first in
/// alphabetical order.
pub(crate) fn duplicates(graph: &[UrlNode], listed: &[NodeIndex], text: TextOf<'_>) -> Vec<(NodeIndex, NodeIndex)> {
    let duplicate_key = |node: &NodeIndex| graph.get(*node as usize).map_or(0, |known| known.duplicate_key);
    let mut keyed: Vec<NodeIndex> = listed.iter().copied().filter(|node| duplicate_key(node) != 0).collect();
    keyed.sort_unstable_by_key(|node| (duplicate_key(node), *node));
    if keyed.windows(2).all(|pair| matches!(pair, [a, b] if duplicate_key(a) != duplicate_key(b))) {
        return Vec::new();
    }
    let inlinks = weights(graph);
    let mut pairs = Vec::new();
    for group in keyed.chunk_by(|a, b| duplicate_key(a) == duplicate_key(b)).filter(|group| group.len() > 1) {
        let rank = |node: NodeIndex| {
            let weight = inlinks.get(node as usize).copied().unwrap_or_default();
            let length = graph.get(node as usize).map(|known| known.length);
            (std::cmp::Reverse(weight), length, text(node))
        };
        let best = group.iter().copied().min_by_key(|node| rank(*node));
        let Some(best) = best else { continue };
        pairs.extend(group.iter().copied().filter(|node| *node != best).map(|node| (node, best)));
    }
    pairs
}

/// The number of links to each URL; links to a redirect also count for its target.
fn weights(graph: &[UrlNode]) -> Vec<u32> {
    let mut weights: Vec<u32> = graph.iter().map(|known| known.inlinks).collect();
    for (node, known) in graph.iter().enumerate().filter(|(_, known)| known.redirect.get().is_some()) {
        let Ok(node) = NodeIndex::try_from(node) else { continue };
        let end = end_of_redirects(graph, node);
        if let Some(weight) = weights.get_mut(end as usize).filter(|_| end != node) {
            *weight = weight.saturating_add(known.inlinks);
        }
    }
    weights
}
