//! Fragments that links name, and the elements of their targets.

use super::UrlNo;
use mapwright_store::LinkRow;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

/// The most missing elements of one page that are reported one by one, the first by name; each has a history of its
/// own. A page may have as many as there are links to it, and each is a row in the record.
pub(crate) const MAX_MISSING: usize = 100;
/// The most bytes of a fragment that is checked, as many as the longest text that is kept of a page.
const MAX_FRAGMENT: usize = 1_024;

/// Returns the element that a link names: its fragment as written, without directives (`:~:text=…`). None for the top
/// of the page (HTML, section 7.4.6.4), and for fragments that scripts and players use (`#/route`, `#!state`, `#tab=2`;
/// W3C Media Fragments, section 4.1).
pub(crate) fn fragment(row: &LinkRow) -> Option<String> {
    let raw = row.fragment.as_deref()?.split(":~:").next().unwrap_or_default();
    if raw.len() > MAX_FRAGMENT {
        return None;
    }
    let name = mapwright_web::percent_decoded(raw);
    let is_state = name.starts_with(['/', '!']) || name.contains('=');
    let is_name = !name.is_empty() && !name.eq_ignore_ascii_case("top") && !is_state;
    is_name.then(|| raw.to_owned())
}

/// Elements that links name and that are missing on their target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissingFragments {
    /// The first by name, at most [`MAX_MISSING`], each with the link sets that name it.
    named: BTreeMap<String, Vec<u32>>,
    /// There are more missing elements.
    more: bool,
}

impl MissingFragments {
    /// Returns their names as written, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.named.keys().map(String::as_str)
    }

    /// Returns true if there are more missing elements than those that are named.
    #[must_use]
    pub fn are_more(&self) -> bool {
        self.more
    }

    /// Returns true if a name is among the named ones.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// Returns true if it is known whether this name is missing: false for a name beyond the last named one if there
    /// are more.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        !self.more || self.named.last_key_value().is_some_and(|(last, _)| name <= last.as_str())
    }

    /// Returns the link sets that name them, some of them several times.
    pub fn sets(&self) -> impl Iterator<Item = u32> {
        self.named.values().flatten().copied()
    }

    /// Adds a name that a link of a set names. Sets come one after another.
    fn take(&mut self, name: String, set: u32) {
        if let Some(sets) = self.named.get_mut(&name) {
            if sets.last() != Some(&set) {
                sets.push(set);
            }
            return;
        }
        if self.named.len() >= MAX_MISSING {
            self.more = true;
            if self.named.last_key_value().is_some_and(|(last, _)| *last < name) {
                return;
            }
            self.named.pop_last();
        }
        self.named.insert(name, vec![set]);
    }
}

/// The identifiers of elements on pages, each as a hash: a page may have 10,000.
#[derive(Debug, Default)]
pub(super) struct Elements {
    of: HashMap<UrlNo, Box<[u64]>>,
    hasher: RandomState,
}

impl Elements {
    /// Adds the identifiers of a page.
    pub(super) fn note(&mut self, page: UrlNo, ids: &[String]) {
        let mut hashes: Vec<u64> = ids.iter().map(|id| self.hasher.hash_one(id.as_str())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        self.of.insert(page, hashes.into());
    }

    /// Returns true if a page has no element of this name, neither as written nor decoded (HTML, section 7.4.6.4);
    /// false for a page whose identifiers were not added.
    fn lacks(&self, page: UrlNo, name: &str) -> bool {
        let has = |hashes: &[u64], name: &str| hashes.binary_search(&self.hasher.hash_one(name)).is_ok();
        self.of
            .get(&page)
            .is_some_and(|hashes| !has(hashes, name) && !has(hashes, &mapwright_web::percent_decoded(name)))
    }

    /// Adds the elements that the links of a set name and that are missing on their targets. Redirects pass the
    /// fragment on (RFC 9110, section 10.2.2): `end` returns the final target.
    pub(super) fn look(
        &self,
        set: u32,
        rows: &[LinkRow],
        end: impl Fn(UrlNo) -> UrlNo,
        missing: &mut BTreeMap<UrlNo, MissingFragments>,
    ) {
        for row in rows.iter().filter(|row| row.kind.clicked()) {
            let Some(name) = fragment(row) else { continue };
            let target = end(row.target);
            if self.lacks(target, &name) {
                missing.entry(target).or_default().take(name, set);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_many_names_are_kept_in_any_order() {
        let name = |number: usize| format!("n{number:04}");
        let mut kept = Vec::new();
        for order in [(0..500).collect::<Vec<_>>(), (0..500).rev().collect()] {
            let mut missing = MissingFragments::default();
            order.into_iter().for_each(|number| missing.take(name(number), 1));
            kept.push(missing);
        }
        assert_eq!(kept[0], kept[1]);
        assert!(kept[0].names().eq((0..MAX_MISSING).map(name)) && kept[0].are_more());
        assert!(kept[0].knows("a") && !kept[0].knows("n0100"), "n0100 is missing, and not among them");
    }

    #[test]
    fn a_name_is_kept_once_a_set() {
        let mut missing = MissingFragments::default();
        [1, 1, 2].into_iter().for_each(|set| missing.take("gone".to_owned(), set));
        assert_eq!((missing.sets().collect::<Vec<_>>(), missing.are_more()), (vec![1, 2], false));
        assert!(missing.knows("zebra"), "there are no others");
    }
}
