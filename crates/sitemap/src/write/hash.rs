//! Detects changes of a part's content.

use std::fmt;
use std::hash::Hasher as _;
use std::str::FromStr;

use siphasher::sip128::{Hasher128, SipHasher13};

/// A 128-bit hash of a part's bytes before compression (SipHash-1-3 with an all-zero key).
///
/// Equal content has equal hashes on every machine and in every version of this crate, so that hashes can be stored
/// between runs. It is printed and parsed as 32 hexadecimal digits. It is not cryptographic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub u128);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hash = IncrementalHash::default();
        hash.update(bytes);
        hash.finish()
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for ContentHash {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(text, 16).map(Self)
    }
}

/// An incremental hash.
#[derive(Default)]
pub(super) struct IncrementalHash(SipHasher13);

impl IncrementalHash {
    pub(super) fn update(&mut self, bytes: &[u8]) {
        // `Hasher::write` only, never the `Hash` trait, so that the split of the bytes makes no difference.
        self.0.write(bytes);
    }

    pub(super) fn finish(&self) -> ContentHash {
        ContentHash(self.0.finish128().as_u128())
    }
}
