//! Short keys of URLs, for the set of known URLs.

use crate::page_url::PageUrl;
use siphasher::sip::SipHasher13;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A URL's key: 64 bits of SipHash-1-3 under the record's own key, so that a site cannot construct collisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlKey(pub u64);

/// A map by keys of URLs and other hashes under the record's key.
pub type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// Passes a 64-bit key through: it is a keyed hash, so no site can construct collisions in the table.
#[derive(Debug, Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
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

/// Computes the keys of one record.
#[derive(Clone, Copy)]
pub struct KeyMaker {
    hasher: SipHasher13,
    /// Seed of the hashes of bodies.
    seed: u64,
}

impl KeyMaker {
    /// Creates the maker for a record with the random key `(k0, k1)`.
    #[must_use]
    pub fn new(k0: u64, k1: u64) -> Self {
        let hasher = SipHasher13::new_with_keys(k0, k1);
        KeyMaker { hasher, seed: hasher.hash(b"bodies") }
    }

    /// The key of `url`.
    #[must_use]
    pub fn key(&self, url: &PageUrl) -> UrlKey {
        self.key_text(url.as_str())
    }

    /// The key of a URL by its canonical text, for texts read from the record.
    #[must_use]
    pub fn key_text(&self, canonical: &str) -> UrlKey {
        UrlKey(self.hasher.hash(canonical.as_bytes()))
    }

    /// A hash of any bytes, XXH3 seeded by the record's key; never 0, which stands for "unknown".
    #[must_use]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        xxh3_64_with_seed(bytes, self.seed).max(1)
    }
}

impl std::fmt::Debug for KeyMaker {
    /// Does not show the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyMaker")
    }
}
