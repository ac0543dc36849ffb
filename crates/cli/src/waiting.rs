//! The notice that a crawl waits, where the server refuses one request after another.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

/// Consecutive refusals: server errors and 429.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    refusals: AtomicU64,
    /// The status of the last refusal.
    status: AtomicU16,
}

/// Number of consecutive refusals that cause the notice.
const REFUSALS: u64 = 5;

impl Waiting {
    /// Counts the response to a request for a page, be it the first attempt or a retry.
    pub(crate) fn answered(&self, status: u16) {
        if matches!(status, 429 | 500..=599) {
            self.status.store(status, Ordering::Relaxed);
            self.refusals.fetch_add(1, Ordering::Relaxed);
        } else {
            self.refusals.store(0, Ordering::Relaxed);
        }
    }

    /// The notice; empty where there are too few refusals.
    pub(crate) fn output(&self) -> String {
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
        assert_eq!(waiting.output(), "");
        waiting.answered(429);
        assert_eq!(waiting.output(), ", waiting: the site answers 429");
        waiting.answered(404);
        assert_eq!(waiting.output(), "");
    }
}
