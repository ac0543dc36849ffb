//! What was not met, and may be there still.

use crate::site::UrlNo;
use mapwright_frontier::Via;
use std::collections::{HashMap, HashSet};

/// The URLs that may be there still, behind what could not be read: `hides` says that of what led to one, and nothing
/// where that is to be asked of what led to it in turn. Each is asked once, however long the ways are.
pub(super) fn hidden(
    parents: &HashMap<UrlNo, (Via, UrlNo)>,
    hides: impl Fn(Via, UrlNo) -> Option<bool>,
) -> HashSet<UrlNo> {
    let mut known: HashMap<UrlNo, bool> = HashMap::with_capacity(parents.len());
    let mut way = Vec::new();
    for url in parents.keys() {
        let mut at = *url;
        let is_hidden = loop {
            match (known.get(&at), parents.get(&at)) {
                (Some(known), _) => break *known,
                (None, None) => break false,
                (None, Some((via, parent))) => {
                    // What leads back to itself is not hidden.
                    known.insert(at, false);
                    way.push(at);
                    match hides(*via, *parent) {
                        Some(hides) => break hides,
                        None => at = *parent,
                    }
                }
            }
        };
        known.extend(way.drain(..).map(|url| (url, is_hidden)));
    }
    known.into_iter().filter_map(|(url, is_hidden)| is_hidden.then_some(url)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_vanished_is_hidden_as_far_as_what_led_there() {
        let parents = [(1, 0), (2, 1), (3, 2), (5, 4), (6, 5), (8, 9), (9, 8)];
        let parents = parents.map(|(url, parent)| (url, (Via::Link, parent))).into();
        let found = hidden(&parents, |_, parent| match parent {
            1 => Some(true),
            4 => Some(false),
            _ => None,
        });
        assert_eq!(found, HashSet::from([2, 3]));
    }

    #[test]
    fn a_chain_of_pages_that_vanished_is_gone_up_once() {
        let parents: HashMap<_, _> = (1..1_000_000).map(|url| (url, (Via::Link, url - 1))).collect();
        let asked = std::cell::Cell::new(0);
        let ask = |_, parent| {
            asked.set(asked.get() + 1);
            (parent == 0).then_some(true)
        };
        assert_eq!((hidden(&parents, ask).len(), asked.get()), (999_999, 999_999));
    }
}
