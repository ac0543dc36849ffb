//! The set of known URLs: the one concurrent structure of a crawl.

use dashmap::DashMap;
use mapwright_model::UrlId;
use mapwright_web::{KeyHasher, UrlKey};
use std::hash::BuildHasherDefault;

/// A known URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// The URL's ID in the record.
    pub id: UrlId,
    /// The URL's discovery state in this run.
    pub discovery_state: DiscoveryState,
}

/// The discovery state of a known URL in this run. States only rise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiscoveryState {
    /// Known from an earlier run alone.
    Past,
    /// Found in this run only as an image, a nofollow link or the like: a link may still queue it.
    Mentioned,
    /// Queued because a sitemap or feed lists it: a link moves it forward.
    Listed,
    /// Queued or refused for good: no further discovery changes it.
    Decided,
}

/// The map from key to ID of every URL in the record. Visits read it concurrently; only commits write it.
///
/// No guard leaves this module, so no lock is held across an await. An entry takes 13 to 19 bytes.
#[derive(Debug, Default)]
pub struct Seen {
    keys: DashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
}

const ID: u32 = (1 << 30) - 1;

fn pack(known: Known) -> u32 {
    (known.id.0 & ID) | ((known.discovery_state as u32) << 30)
}

fn unpack(value: u32) -> Known {
    let discovery_state = match value >> 30 {
        0 => DiscoveryState::Past,
        1 => DiscoveryState::Mentioned,
        2 => DiscoveryState::Listed,
        _ => DiscoveryState::Decided,
    };
    Known { id: UrlId(value & ID), discovery_state }
}

impl Seen {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns what is known of the URL with this key.
    #[must_use]
    pub fn get(&self, key: UrlKey) -> Option<Known> {
        self.keys.get(&key.0).map(|value| unpack(*value))
    }

    /// Adds a URL, or raises its discovery state.
    pub fn insert(&self, key: UrlKey, known: Known) {
        let mut value = self.keys.entry(key.0).or_insert_with(|| pack(known));
        if unpack(*value).discovery_state < known.discovery_state {
            *value = pack(Known { discovery_state: known.discovery_state, ..unpack(*value) });
        }
    }

    /// Returns the number of known URLs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Reports whether no URL is known yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_known_once_inserted_and_its_state_only_rises() {
        let seen = Seen::new();
        let key = UrlKey(7);
        let known = |discovery_state| Known { id: UrlId(3), discovery_state };
        assert_eq!(seen.get(key), None);
        seen.insert(key, known(DiscoveryState::Mentioned));
        assert_eq!(seen.get(key), Some(known(DiscoveryState::Mentioned)));
        seen.insert(key, known(DiscoveryState::Decided));
        seen.insert(key, known(DiscoveryState::Listed));
        assert_eq!(seen.get(key), Some(known(DiscoveryState::Decided)));
        assert_eq!(seen.len(), 1);
    }

    #[test]
    fn the_greatest_id_leaves_the_state_intact() {
        let seen = Seen::new();
        seen.insert(UrlKey(1), Known { id: UrlId(ID), discovery_state: DiscoveryState::Listed });
        assert_eq!(seen.get(UrlKey(1)), Some(Known { id: UrlId(ID), discovery_state: DiscoveryState::Listed }));
    }
}
