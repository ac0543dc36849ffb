//! Telling whether a part's content is what it was.

use std::fmt;
use std::hash::Hasher as _;
use std::str::FromStr;

use siphasher::sip128::{Hasher128, SipHasher13};

/// A 128-bit hash of a part's bytes before compression (SipHash-1-3 with an all-zero key).
///
/// Equal content has equal hashes on every machine and in every version of this crate, so that it can be
/// kept from one run to the next. It is printed and parsed as 32 hexadecimal digits. It is no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub u128);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hash = Running::default();
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

/// A hash while bytes still come in.
#[derive(Default)]
pub(super) struct Running(SipHasher13);

impl Running {
    pub(super) fn update(&mut self, bytes: &[u8]) {
        // `Hasher::write` alone, never the `Hash` trait, so that how bytes are cut makes no difference.
        self.0.write(bytes);
    }

    pub(super) fn finish(&self) -> ContentHash {
        ContentHash(self.0.finish128().as_u128())
    }
}
