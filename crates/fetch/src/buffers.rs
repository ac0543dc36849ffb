//! Buffers and decoder of a body, reused by the next one.

use std::fmt;
use std::sync::{Mutex, MutexGuard};

use crate::decode::Inflater;

/// Maximum number of idle kits.
const MAX_IDLE: usize = 64;

/// Size above which a buffer is not kept, in bytes.
const LARGEST: usize = 128 << 10;

/// A buffer for received bytes, and the decoder for complete bodies.
#[derive(Default)]
pub(crate) struct DecodeBuffers {
    /// Empty at the beginning and at the end of a body.
    pub(crate) wire: Vec<u8>,
    pub(crate) inflater: Inflater,
}

impl fmt::Debug for DecodeBuffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kit")
    }
}

/// The pool of idle kits, limited in number and size.
#[derive(Default)]
pub(crate) struct BufferPool {
    idle: Mutex<Vec<DecodeBuffers>>,
}

impl BufferPool {
    /// Returns an idle kit, or a new one.
    pub(crate) fn take(&self) -> DecodeBuffers {
        let used = self.lock().pop();
        used.unwrap_or_default()
    }

    /// Returns a kit to the pool.
    pub(crate) fn give(&self, mut buffers: DecodeBuffers) {
        buffers.wire.clear();
        if buffers.wire.capacity() > LARGEST {
            buffers.wire = Vec::new();
        }
        let mut idle = self.lock();
        if idle.len() < MAX_IDLE {
            idle.push(buffers);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<DecodeBuffers>> {
        // No code panics while it holds the lock.
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(capacity: usize) -> DecodeBuffers {
        let mut buffers = DecodeBuffers::default();
        buffers.wire.reserve_exact(capacity);
        buffers.wire.push(1);
        buffers
    }

    #[test]
    fn a_buffer_is_used_again_and_empty() {
        let pool = BufferPool::default();
        pool.give(used(9_000));
        let again = pool.take();
        assert!(again.wire.is_empty() && again.wire.capacity() >= 9_000);
        assert_eq!(pool.take().wire.capacity(), 0);
    }

    #[test]
    fn large_buffers_are_not_kept() {
        let pool = BufferPool::default();
        pool.give(used(LARGEST + 1));
        assert_eq!(pool.take().wire.capacity(), 0);
    }

    #[test]
    fn no_more_are_kept_than_may_be() {
        let pool = BufferPool::default();
        (0..MAX_IDLE + 10).for_each(|_| pool.give(used(1_000)));
        assert_eq!(pool.lock().len(), MAX_IDLE);
    }
}
