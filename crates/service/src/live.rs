//! The live figures of a running crawl.

use crate::view::{Live, Phase};
use mapwright_crawl::CrawlSpeed;
use mapwright_engine::{Event, Observer};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Errors that are shown.
const SHOWN_ERRORS: usize = 20;
/// The time between two updates if nothing is committed.
const TICK: Duration = Duration::from_secs(1);

/// Counts the events of a crawl, and publishes its figures until it is dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    shown: watch::Sender<Live>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    live: Live,
    speed: CrawlSpeed,
}

impl Watcher {
    /// Builds a watcher, and the receiver of its figures.
    pub(crate) fn new() -> (Self, watch::Receiver<Live>) {
        let (shown, seen) = watch::channel(Live::default());
        let state = Mutex::new(State { live: Live::default(), speed: CrawlSpeed::new(Instant::now()) });
        (Self { shown, state }, seen)
    }

    /// Updates the figures each second until `work` is done.
    pub(crate) async fn beside<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(TICK) => {}
            }
            let mut state = self.state();
            self.show(&mut state);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, state: &mut State) {
        let now = Instant::now();
        let State { live, speed } = state;
        speed.sample(now);
        let crawls = live.phase == Phase::Crawling;
        (live.done, live.queued, live.errors) = (speed.pages(), speed.queued(), speed.errors());
        (live.rate, live.elapsed) = (speed.rate(now), speed.elapsed(now));
        (live.waits, live.silence) = (crawls && speed.waits_for_site(now), speed.silence(now).filter(|_| crawls));
        self.shown.send_replace(live.clone());
    }
}

impl Observer for Watcher {
    fn see(&self, event: &Event<'_>) {
        let mut state = self.state();
        let failed = state.speed.see(event, Instant::now());
        match event {
            Event::Visited { outcome, status, url, .. } if failed => {
                let what = status.map_or_else(|| outcome.as_str().to_owned(), |status| status.to_string());
                state.live.latest.insert(0, ((*url).to_owned(), what));
                state.live.latest.truncate(SHOWN_ERRORS);
            }
            Event::Committed { .. } => self.show(&mut state),
            Event::Ended => {
                state.live.phase = Phase::Finishing;
                self.show(&mut state);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_finishes_once_its_crawl_has_ended() {
        let (watcher, seen) = Watcher::new();
        watcher.see(&Event::Committed { queued: 1, rendering: 0 });
        assert_eq!((seen.borrow().phase, seen.borrow().queued), (Phase::Crawling, 1));
        watcher.see(&Event::Ended);
        assert_eq!(seen.borrow().phase, Phase::Finishing);
    }
}
