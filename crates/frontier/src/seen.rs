//! Which URLs are known: the one concurrent structure of a crawl.

use crate::task::UrlId;
use dashmap::DashMap;
use mapwright_web::UrlKey;
use std::hash::{BuildHasherDefault, Hasher};

/// What is known of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Its number in the record.
    pub id: UrlId,
    /// How far its fate in this run is decided.
    pub standing: Standing,
}

/// How far the fate of a known URL is decided in this run. Standings only ever rise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Known from an earlier run alone.
    Past,
    /// Met in this run, but only as an image, from a nofollow link or the like: a link may still bring it in.
    Heard,
    /// Queued because a sitemap or feed lists it: a link would bring it forward.
    Listed,
    /// Queued, or refused for good: nothing more need be done about it.
    Decided,
}

/// Key → number of every URL in the record, asked by visits concurrently and filled by commits alone.
///
/// No guard ever leaves this module, so no lock can be held across an await. Keys are keyed hashes already, hence the
/// identity hasher. About 13 to 19 bytes a URL.
#[derive(Debug, Default)]
pub struct Seen {
    keys: DashMap<u64, u32, BuildHasherDefault<Identity>>,
}

const ID: u32 = (1 << 30) - 1;

fn pack(known: Known) -> u32 {
    (known.id.0 & ID) | ((known.standing as u32) << 30)
}

fn unpack(value: u32) -> Known {
    let standing = match value >> 30 {
        0 => Standing::Past,
        1 => Standing::Heard,
        2 => Standing::Listed,
        _ => Standing::Decided,
    };
    Known { id: UrlId(value & ID), standing }
}

impl Seen {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What is known of the URL with this key.
    #[must_use]
    pub fn get(&self, key: UrlKey) -> Option<Known> {
        self.keys.get(&key.0).map(|value| unpack(*value))
    }

    /// Remembers a URL, or raises its standing.
    pub fn insert(&self, key: UrlKey, known: Known) {
        let mut value = self.keys.entry(key.0).or_insert_with(|| pack(known));
        if unpack(*value).standing < known.standing {
            *value = pack(Known { standing: known.standing, ..unpack(*value) });
        }
    }

    /// How many URLs are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether nothing is known yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// Passes a 64-bit key through: it is a keyed SipHash, so no site can aim collisions at the table.
#[derive(Debug, Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_known_once_inserted_and_its_standing_only_rises() {
        let seen = Seen::new();
        let key = UrlKey(7);
        let known = |standing| Known { id: UrlId(3), standing };
        assert_eq!(seen.get(key), None);
        seen.insert(key, known(Standing::Heard));
        assert_eq!(seen.get(key), Some(known(Standing::Heard)));
        seen.insert(key, known(Standing::Decided));
        seen.insert(key, known(Standing::Listed));
        assert_eq!(seen.get(key), Some(known(Standing::Decided)));
        assert_eq!(seen.len(), 1);
    }

    #[test]
    fn the_greatest_number_keeps_its_standing_apart() {
        let seen = Seen::new();
        seen.insert(UrlKey(1), Known { id: UrlId(ID), standing: Standing::Listed });
        assert_eq!(seen.get(UrlKey(1)), Some(Known { id: UrlId(ID), standing: Standing::Listed }));
    }
}
