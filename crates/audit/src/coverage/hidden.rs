//! URLs that this run did not discover, and that may still exist.

use super::seen::is_closed;
use crate::check::RestsOn;
use crate::checks;
use crate::site::{NodeStatus, Site, UrlNo};
use mapwright_model::Via;
use mapwright_store::{Record, StoreError};
use std::collections::{HashMap, HashSet};

/// The most runs that are searched for the last discovery of a URL.
const MAX_RUNS: usize = 32;

/// The URLs of findings.
#[derive(Debug, Default)]
pub(super) struct Subjects {
    /// URLs that this run did not discover.
    pub(super) unmet: HashSet<UrlNo>,
    /// URLs of findings that rest on a link to them.
    pub(super) linked: HashSet<UrlNo>,
}

impl Subjects {
    /// Returns the URLs of findings made since the run `before`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(super) fn since(site: &Site, record: &Record, before: i64) -> Result<Self, StoreError> {
        let mut subjects = Self::default();
        record.each_finding(before..record.run() + 1, |_, code, subject| {
            let page = subject.split_once('#').map_or(subject, |(page, _)| page);
            let Some(check) = checks::named(code).filter(|check| check.needs.is_of_url()) else { return };
            let Some(url) = site.urls.number(page) else { return };
            if site.node(url).fetch_status == NodeStatus::Unknown {
                subjects.unmet.insert(url);
            }
            if check.attributes.rests_on == RestsOn::Links {
                subjects.linked.insert(url);
            }
        })?;
        Ok(subjects)
    }
}

/// Returns how and from which URL each of the `wanted` URLs was last discovered. The runs up to `newest` are searched,
/// the newest first, until all are known.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn parents(
    site: &Site,
    record: &Record,
    mut wanted: HashSet<UrlNo>,
    newest: i64,
) -> Result<HashMap<UrlNo, (Via, UrlNo)>, StoreError> {
    let mut parents = HashMap::new();
    for run in (1..=newest).rev().take(MAX_RUNS) {
        if wanted.is_empty() {
            break;
        }
        record.each_parent_in(run, |url, via, parent| {
            if site.node(url).fetch_status == NodeStatus::Unknown {
                wanted.remove(&url);
                parents.entry(url).or_insert((via, parent));
            }
        })?;
    }
    Ok(parents)
}

/// Returns the URLs that are known only through a parent that could not be read. `hides` returns true for such a
/// parent; `None` leaves the decision to the parent of the parent. Each URL is visited once, however long the chain is.
pub(super) fn hidden(
    parents: &HashMap<UrlNo, (Via, UrlNo)>,
    hides: impl Fn(Via, UrlNo) -> Option<bool>,
) -> HashSet<UrlNo> {
    let mut known: HashMap<UrlNo, bool> = HashMap::with_capacity(parents.len());
    let mut chain = Vec::new();
    for url in parents.keys() {
        let mut at = *url;
        let is_hidden = loop {
            match (known.get(&at), parents.get(&at)) {
                (Some(known), _) => break *known,
                (None, None) => break false,
                (None, Some((via, parent))) => {
                    // A URL that leads back to itself is not hidden.
                    known.insert(at, false);
                    chain.push(at);
                    match hides(*via, *parent) {
                        Some(hides) => break hides,
                        None => at = *parent,
                    }
                }
            }
        };
        known.extend(chain.drain(..).map(|url| (url, is_hidden)));
    }
    known.into_iter().filter_map(|(url, is_hidden)| is_hidden.then_some(url)).collect()
}

/// Returns true if a page or a file hides the URLs that it led to, because it could not be read; none if it was not
/// discovered.
pub(super) fn hides(site: &Site, via: Via, parent: UrlNo) -> Option<bool> {
    match via {
        Via::Feed if site.feeds_over_limit && !site.files.contains_key(&parent) => Some(true),
        Via::Sitemap | Via::Feed => Some(!has_read(site, parent)),
        _ => is_closed(&site.node(parent)).then_some(true),
    }
}

/// Returns true if a sitemap or feed was read, or is absent.
pub(super) fn has_read(site: &Site, file: UrlNo) -> bool {
    match site.files.get(&file) {
        Some(file) => match file.fetch_status {
            NodeStatus::File => !file.is_unfinished(),
            NodeStatus::Redirect => true,
            _ => file.is_absent(),
        },
        None => site.published().is_complete(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vanished_url_is_hidden_if_its_parent_is() {
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
    fn a_chain_of_vanished_pages_is_walked_once() {
        let parents: HashMap<_, _> = (1..1_000_000).map(|url| (url, (Via::Link, url - 1))).collect();
        let calls = std::cell::Cell::new(0);
        let hides = |_, parent| {
            calls.set(calls.get() + 1);
            (parent == 0).then_some(true)
        };
        assert_eq!((hidden(&parents, hides).len(), calls.get()), (999_999, 999_999));
    }
}
