//! The notice that a crawl waits, where the server refuses one request after another.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

/// Consecutive refusals: server errors and 429.
#[derive(Debug, Default)]
pub(crate) struct RejectionStreak {
    refusals: AtomicU64,
    /// The status of the last refusal.
    status: AtomicU16,
}

/// Number of consecutive refusals that cause the notice.
const REFUSALS: u64 = 5;

impl RejectionStreak {
    /// Counts the response to a request for a page, be it the first attempt or a retry.
    pub(crate) fn record_status(&self, status: u16) {
        if matches!(status, 429 | 500..=599) {
            self.status.store(status, Ordering::Relaxed);
            self.refusals.fetch_add(1, Ordering::Relaxed);
        } else {
            self.refusals.store(0, Ordering::Relaxed);
        }
    }

    /// The notice; empty where there are too few refusals.
    pub(crate) fn notice(&self) -> String {
        if self.refusals.load(Ordering::Relaxed) < REFUSALS {
            return String::new();
        }
        format!(", waiting: the site answers {}", self.status.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::RejectionStreak;

    #[test]
    fn a_site_that_refuses_one_request_after_another_is_waited_for_until_it_answers() {
        let waiting = RejectionStreak::default();
        [503; 4].into_iter().for_each(|status| waiting.record_status(status));
        assert_eq!(waiting.notice(), "");
        waiting.record_status(429);
        assert_eq!(waiting.notice(), ", waiting: the site answers 429");
        waiting.record_status(404);
        assert_eq!(waiting.notice(), "");
    }
}
