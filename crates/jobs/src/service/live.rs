//! A running crawl, as it is watched.

use super::view::Live;
use mapwright_engine::{Event, Observer, Outcome};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Errors that are shown.
const SHOWN_ERRORS: usize = 20;
/// The span over which the rate is taken.
const SPAN: Duration = Duration::from_secs(5);

/// Counts a crawl's events, and shows them to whoever watches.
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
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
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
