//! A running crawl, as it is watched.

use super::view::{Live, Phase};
use mapwright_engine::{Event, Observer, Outcome};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Errors that are shown.
const SHOWN_ERRORS: usize = 20;
/// Time between two tellings where nothing is committed.
const TICK: Duration = Duration::from_secs(1);
/// The span over which the rate is taken.
const SPAN: Duration = Duration::from_secs(5);

/// Counts a crawl's events, and shows them to whoever watches, until it is dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    began: Instant,
    shown: watch::Sender<Live>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    live: Live,
    /// When the present span began, and what was done then.
    span: (Instant, u64),
}

impl Watcher {
    /// A watcher, and what it shows.
    pub(crate) fn new() -> (Self, watch::Receiver<Live>) {
        let (shown, seen) = watch::channel(Live::default());
        let now = Instant::now();
        let state = Mutex::new(State { live: Live::default(), span: (now, 0) });
        (Self { began: now, shown, state }, seen)
    }

    /// Shows how time passes, until `work` is done.
    pub(crate) async fn beside<T>(self: Arc<Self>, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(TICK) => {}
            }
            let mut state = self.state();
            // The crawl lets go of its observer when it ends.
            if Arc::strong_count(&self) == 1 {
                state.live.phase = Phase::Finishing;
            }
            self.show(&mut state);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, state: &mut State) {
        let (since, before) = state.span;
        let passed = since.elapsed();
        if passed >= SPAN || state.live.rate == 0.0 {
            let seconds = passed.as_secs_f64().max(0.001);
            state.live.rate = state.live.done.saturating_sub(before) as f64 / seconds;
        }
        if passed >= SPAN {
            state.span = (Instant::now(), state.live.done);
        }
        state.live.elapsed = self.began.elapsed();
        self.shown.send_replace(state.live.clone());
    }
}

impl Observer for Watcher {
    fn see(&self, event: &Event<'_>) {
        let mut state = self.state();
        match event {
            Event::Visited { is_page: true, outcome, status, again: false, url, .. } => {
                state.live.done += u64::from(*outcome != Outcome::Refused);
                let failed = matches!(outcome, Outcome::NoAnswer | Outcome::Broken | Outcome::Failed)
                    || status.is_some_and(|status| status >= 400);
                if failed {
                    state.live.errors += 1;
                    let what = status.map_or_else(|| outcome.as_str().to_owned(), |status| status.to_string());
                    state.live.latest.insert(0, ((*url).to_owned(), what));
                    state.live.latest.truncate(SHOWN_ERRORS);
                }
            }
            Event::Committed { queued } => {
                state.live.queued = *queued;
                self.show(&mut state);
            }
            Event::Visited { .. } | Event::Notice { .. } | Event::ScopeMoved { .. } | Event::StartLeft { .. } => {}
        }
    }
}
