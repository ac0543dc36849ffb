//! The timeouts of an attempt.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// One timer for all timeouts of an attempt, which costs the runtime's clock one entry instead of one for each wait.
///
/// The timer is set to the earliest moment that any timeout can have. When it fires, it is reset to the timeout that
/// applies by then.
pub(crate) struct AttemptTimer {
    timer: Pin<Box<Sleep>>,
}

impl AttemptTimer {
    /// Starts now, for timeouts that are at least `shortest` after their beginning.
    pub(crate) fn new(now: Instant, shortest: Duration) -> AttemptTimer {
        AttemptTimer { timer: Box::pin(sleep_until(later(now, shortest))) }
    }

    /// Waits for `work` until `bound`; returns `None` where the bound came first.
    pub(crate) async fn until<F: Future>(&mut self, bound: Instant, work: F) -> Option<F::Output> {
        let mut work = std::pin::pin!(work);
        if self.timer.deadline() > bound {
            self.timer.as_mut().reset(bound);
        }
        poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending => self.poll_bound(bound, context).map(|()| None),
        })
        .await
    }

    fn poll_bound(&mut self, bound: Instant, context: &mut Context<'_>) -> Poll<()> {
        while self.timer.as_mut().poll(context).is_ready() {
            if self.timer.deadline() >= bound {
                return Poll::Ready(());
            }
            self.timer.as_mut().reset(bound);
        }
        Poll::Pending
    }
}

/// The moment `wait` after `now`; a timeout that overflows is a year.
fn later(now: Instant, wait: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    now.checked_add(wait).unwrap_or(now + YEAR)
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    const TICK: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn work_that_is_ready_is_returned() {
        let start = Instant::now();
        let mut watch = AttemptTimer::new(start, TICK);
        assert_eq!(watch.until(start + TICK, ready(7)).await, Some(7));
    }

    #[tokio::test]
    async fn each_bound_is_kept_to_its_moment() {
        let start = Instant::now();
        let mut watch = AttemptTimer::new(start, TICK);
        for ticks in [3, 4, 9] {
            let bound = start + ticks * TICK;
            assert_eq!(watch.until(bound, pending::<()>()).await, None);
            assert!(Instant::now() >= bound, "too early");
        }
    }

    #[tokio::test]
    async fn a_bound_before_the_timer_is_kept_too() {
        let start = Instant::now();
        let mut watch = AttemptTimer::new(start, 1_000_000 * TICK);
        assert_eq!(watch.until(start + TICK, pending::<()>()).await, None);
        assert!(start.elapsed() >= TICK);
    }

    #[tokio::test]
    async fn work_that_ends_within_its_bound_is_not_late_where_the_timer_was_early() {
        let mut watch = AttemptTimer::new(Instant::now(), TICK);
        for _ in 0..3 {
            let bound = Instant::now() + 1_000 * TICK;
            assert_eq!(watch.until(bound, tokio::time::sleep(2 * TICK)).await, Some(()));
        }
    }

    #[tokio::test]
    async fn bounds_without_end_are_far_away() {
        let mut watch = AttemptTimer::new(Instant::now(), Duration::MAX);
        assert_eq!(watch.until(Instant::now() + TICK, pending::<()>()).await, None);
    }
}
