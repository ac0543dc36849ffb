//! The memory that bodies may occupy at one time.

use std::fmt;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// One permit stands for this many bytes.
const UNIT: u64 = 1024;

/// Memory for bodies, in bytes, shared by all fetches.
///
/// A fetch takes what it needs as its body grows, so that bodies could come to wait for each other for ever, each
/// holding a part. Therefore one of those that wait may exceed the budget: what is held is never more than the budget
/// and one body, and one body always gets on.
#[derive(Clone)]
pub(crate) struct Budget {
    room: Arc<Semaphore>,
    overdraft: Arc<Semaphore>,
}

impl Budget {
    pub(crate) fn new(bytes: u64) -> Budget {
        let permits = usize::try_from(bytes / UNIT).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Budget { room: Arc::new(Semaphore::new(permits)), overdraft: Arc::new(Semaphore::new(1)) }
    }

    /// Nothing yet.
    pub(crate) fn start(&self) -> Share {
        Share { budget: self.clone(), taken: None, overdraft: None }
    }
}

/// What one fetch holds of the budget while its body grows.
pub(crate) struct Share {
    budget: Budget,
    taken: Option<OwnedSemaphorePermit>,
    overdraft: Option<OwnedSemaphorePermit>,
}

impl Share {
    /// Takes room for this many bytes more; waits where there is none.
    pub(crate) async fn grow(&mut self, bytes: u64) {
        if self.overdraft.is_some() {
            return;
        }
        let permits = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        tokio::select! {
            biased;
            // The semaphores are never closed, so that neither branch fails.
            Ok(more) = self.budget.room.clone().acquire_many_owned(permits) => self.keep(more),
            Ok(overdraft) = self.budget.overdraft.clone().acquire_owned() => self.overdraft = Some(overdraft),
            else => {}
        }
    }

    /// The end of growing: gives back what the body does not fill, and the leave to exceed the budget where the body
    /// fits into it after all.
    pub(crate) fn settle(mut self, bytes: u64) -> Hold {
        if bytes == 0 && self.taken.is_none() {
            return Hold::none();
        }
        let used = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let held = self.taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let missing = used.saturating_sub(u32::try_from(held).unwrap_or(u32::MAX));
        if let Ok(more) = self.budget.room.clone().try_acquire_many_owned(missing) {
            self.keep(more);
            self.overdraft = None;
        }
        if let Some(taken) = &mut self.taken {
            let spare = taken.num_permits().saturating_sub(used as usize);
            drop(taken.split(spare));
        }
        match (self.taken, self.overdraft) {
            (None, None) => Hold::none(),
            (taken, overdraft) => Hold { _permits: Some(Arc::new((taken, overdraft))) },
        }
    }

    fn keep(&mut self, more: OwnedSemaphorePermit) {
        match &mut self.taken {
            Some(taken) => taken.merge(more),
            None => self.taken = Some(more),
        }
    }
}

/// A share of the memory for bodies, given back when the last clone is dropped.
#[derive(Clone, Default)]
pub struct Hold {
    _permits: Option<Arc<(Option<OwnedSemaphorePermit>, Option<OwnedSemaphorePermit>)>>,
}

impl Hold {
    /// No share at all, as small bodies have it, and replies that never were on a wire.
    pub fn none() -> Hold {
        Hold::default()
    }
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hold")
    }
}

#[cfg(test)]
mod tests;
