//! The memory that bodies may occupy at one time.

use std::fmt;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Number of bytes per semaphore permit.
const UNIT: u64 = 1024;

/// Memory for bodies, in bytes, shared by all fetches.
///
/// A fetch takes memory as its body grows, so that bodies that each hold a part could wait for each other for ever.
/// Therefore one waiting body may exceed the budget: the memory in use is never more than the budget and one body, and
/// one body can always continue.
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

    /// An empty share.
    pub(crate) fn start(&self) -> BudgetShare {
        BudgetShare { budget: self.clone(), taken: None, overdraft: None }
    }
}

/// The share of the budget that one fetch holds while its body grows.
pub(crate) struct BudgetShare {
    budget: Budget,
    taken: Option<OwnedSemaphorePermit>,
    overdraft: Option<OwnedSemaphorePermit>,
}

impl BudgetShare {
    /// Takes this many bytes more; waits until they are available.
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

    /// Ends the growth: releases the memory that the body does not fill, and the overdraft where the body fits into the
    /// budget after all.
    pub(crate) fn settle(mut self, bytes: u64) -> MemoryPermit {
        if bytes == 0 && self.taken.is_none() {
            return MemoryPermit::none();
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
            (None, None) => MemoryPermit::none(),
            (taken, overdraft) => MemoryPermit { _permits: Some(Arc::new((taken, overdraft))) },
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
pub struct MemoryPermit {
    _permits: Option<Arc<(Option<OwnedSemaphorePermit>, Option<OwnedSemaphorePermit>)>>,
}

impl MemoryPermit {
    /// An empty share, for small bodies and for replies that did not come from the network.
    pub fn none() -> MemoryPermit {
        MemoryPermit::default()
    }
}

impl fmt::Debug for MemoryPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hold")
    }
}

#[cfg(test)]
mod tests;
