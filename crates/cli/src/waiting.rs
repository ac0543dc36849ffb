//! What a crawl waits for, where the server refuses one request after another.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

/// Refusals in a row: server errors and 429.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    refusals: AtomicU64,
    /// The status of the last.
    status: AtomicU16,
}

/// So many in a row, and it is said.
const REFUSALS: u64 = 5;

impl Waiting {
    /// An answer to a request for a page came, be it a first try or a further one.
    pub(crate) fn answered(&self, status: u16) {
        if matches!(status, 429 | 500..=599) {
            self.status.store(status, Ordering::Relaxed);
            self.refusals.fetch_add(1, Ordering::Relaxed);
        } else {
            self.refusals.store(0, Ordering::Relaxed);
        }
    }

    /// What is waited for; empty for nothing.
    pub(crate) fn told(&self) -> String {
        if self.refusals.load(Ordering::Relaxed) < REFUSALS {
            return String::new();
        }
        format!(", waiting: the site answers {}", self.status.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::Waiting;

    #[test]
    fn a_site_that_refuses_one_request_after_another_is_waited_for_until_it_answers() {
        let waiting = Waiting::default();
        [503; 4].into_iter().for_each(|status| waiting.answered(status));
        assert_eq!(waiting.told(), "");
        waiting.answered(429);
        assert_eq!(waiting.told(), ", waiting: the site answers 429");
        waiting.answered(404);
        assert_eq!(waiting.told(), "");
    }
}
