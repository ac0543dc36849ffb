//! What was not met, and may be there still.

use super::basis::{is_of_url, rests_on_links};
use crate::code::Code;
use crate::site::{Fate, Site, UrlNo};
use mapwright_frontier::Via;
use mapwright_store::{Record, StoreError};
use std::collections::{HashMap, HashSet};

/// Runs that are looked through, at most, for how a URL was last met.
const MOST_RUNS: usize = 32;

/// URLs that something was found on.
#[derive(Debug, Default)]
pub(super) struct Subjects {
    /// Those that this run did not meet.
    pub(super) unmet: HashSet<UrlNo>,
    /// Those on which something was found that rests on a link to them.
    pub(super) linked: HashSet<UrlNo>,
}

impl Subjects {
    /// Those of what was found since the run `before`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(super) fn since(site: &Site, record: &Record, before: i64) -> Result<Self, StoreError> {
        let mut subjects = Self::default();
        record.each_finding(before..record.run() + 1, |_, code, subject| {
            let page = subject.split_once('#').map_or(subject, |(page, _)| page);
            let Some(code) = Code::from_name(code).filter(|code| is_of_url(*code)) else { return };
            let Some(url) = site.urls.number(page) else { return };
            if site.node(url).fate == Fate::Unknown {
                subjects.unmet.insert(url);
            }
            if rests_on_links(code) {
                subjects.linked.insert(url);
            }
        })?;
        Ok(subjects)
    }
}

/// How the URLs that this run did not meet were last met: by which way, and from where. Of runs older than `newest` as
/// many are asked as it takes to know that of all that are `sought`.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn parents(
    site: &Site,
    record: &Record,
    mut sought: HashSet<UrlNo>,
    newest: i64,
) -> Result<HashMap<UrlNo, (Via, UrlNo)>, StoreError> {
    let mut parents = HashMap::new();
    for run in (1..=newest).rev().take(MOST_RUNS) {
        if sought.is_empty() {
            break;
        }
        record.each_parent_in(run, |url, via, parent| {
            if site.node(url).fate == Fate::Unknown {
                sought.remove(&url);
                parents.entry(url).or_insert((via, parent));
            }
        })?;
    }
    Ok(parents)
}

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
