//! What decoding a body takes, used again by the next one.

use std::fmt;
use std::sync::{Mutex, MutexGuard};

use crate::decode::Inflater;

/// Kits kept for the next bodies, at most.
const MOST: usize = 64;

/// A buffer larger than this is not kept, in bytes.
const LARGEST: usize = 128 << 10;

/// A buffer for what comes from the wire, and what undoes the coding of it as a whole.
#[derive(Default)]
pub(crate) struct Kit {
    /// Empty at the beginning and at the end.
    pub(crate) wire: Vec<u8>,
    pub(crate) inflater: Inflater,
}

impl fmt::Debug for Kit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kit")
    }
}

/// Kits that are not in use, bounded in number and size.
#[derive(Default)]
pub(crate) struct Kits {
    idle: Mutex<Vec<Kit>>,
}

impl Kits {
    /// A kit that another body used, or a new one.
    pub(crate) fn take(&self) -> Kit {
        let used = self.lock().pop();
        used.unwrap_or_default()
    }

    /// Takes a kit back.
    pub(crate) fn give(&self, mut kit: Kit) {
        kit.wire.clear();
        if kit.wire.capacity() > LARGEST {
            kit.wire = Vec::new();
        }
        let mut idle = self.lock();
        if idle.len() < MOST {
            idle.push(kit);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Kit>> {
        // No code panics while it holds the lock.
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(capacity: usize) -> Kit {
        let mut kit = Kit::default();
        kit.wire.reserve_exact(capacity);
        kit.wire.push(1);
        kit
    }

    #[test]
    fn a_buffer_is_used_again_and_empty() {
        let kits = Kits::default();
        kits.give(used(9_000));
        let again = kits.take();
        assert!(again.wire.is_empty() && again.wire.capacity() >= 9_000);
        assert_eq!(kits.take().wire.capacity(), 0);
    }

    #[test]
    fn large_buffers_are_not_kept() {
        let kits = Kits::default();
        kits.give(used(LARGEST + 1));
        assert_eq!(kits.take().wire.capacity(), 0);
    }

    #[test]
    fn no_more_are_kept_than_may_be() {
        let kits = Kits::default();
        (0..MOST + 10).for_each(|_| kits.give(used(1_000)));
        assert_eq!(kits.lock().len(), MOST);
    }
}
