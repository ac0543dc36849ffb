//! How fast a crawl goes, and whether it waits for its site, as it is shown while it runs.

use mapwright_engine::{Event, Outcome};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The span over which the rate is taken: the last seconds, at least one.
const RATE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5));
/// The span over which a crawl is judged to wait for its site.
const JUDGED: Duration = Duration::from_secs(20);
/// Time between two samples, so that few are kept.
const SAMPLED: Duration = Duration::from_millis(250);
/// Answers a second of a crawl that works. One that gets fewer takes no hundredth of a processor.
const WORKS: u64 = 2;
/// A queue that moves by so many URLs in the span is work too, as where sitemaps are read.
const MOVED: u64 = 1_000;
/// A silence shorter than this is not reported.
const SILENCE: Duration = Duration::from_secs(10);

/// What was counted of a crawl, and when.
#[derive(Debug)]
pub struct Pace {
    began: Instant,
    answered: Instant,
    now: Counts,
    /// Counts of the last seconds, oldest first.
    samples: VecDeque<(Instant, Counts)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    pages: u64,
    errors: u64,
    answers: u64,
    queued: u64,
    /// By how much the queue grew and shrank in all.
    moved: u64,
}

impl Pace {
    /// That of a crawl that begins at `now`.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        let samples = VecDeque::from([(now, Counts::default())]);
        Self { began: now, answered: now, now: Counts::default(), samples }
    }

    /// Counts an event. Whether it is a page that ended with an error.
    pub fn see(&mut self, event: &Event<'_>, at: Instant) -> bool {
        let mut failed = false;
        match event {
            Event::Visited { is_page, outcome, status, again, .. } => {
                if status.is_some() {
                    (self.now.answers, self.answered) = (self.now.answers + 1, at);
                }
                if *is_page && !again {
                    self.now.pages += u64::from(*outcome != Outcome::Refused);
                    failed = matches!(outcome, Outcome::NoAnswer | Outcome::Broken | Outcome::Failed)
                        || status.is_some_and(|status| status >= 400);
                    self.now.errors += u64::from(failed);
                }
            }
            Event::Committed { queued } => {
                self.now.moved += queued.abs_diff(self.now.queued);
                self.now.queued = *queued;
            }
            Event::Notice { .. } | Event::ScopeMoved { .. } | Event::StartLeft { .. } => {}
        }
        self.sample(at);
        failed
    }

    /// Lets time pass.
    pub fn sample(&mut self, at: Instant) {
        if self.samples.back().is_some_and(|(last, _)| at.saturating_duration_since(*last) < SAMPLED) {
            return;
        }
        self.samples.push_back((at, self.now));
        // The newest that is older than the span stays, to count from.
        while self.samples.get(1).is_some_and(|(second, _)| at.saturating_duration_since(*second) >= JUDGED) {
            self.samples.pop_front();
        }
    }

    /// Pages done.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.now.pages
    }

    /// Pages that ended with an error.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.now.errors
    }

    /// URLs that wait.
    #[must_use]
    pub fn queued(&self) -> u64 {
        self.now.queued
    }

    /// Time since the beginning.
    #[must_use]
    pub fn elapsed(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.began)
    }

    /// Pages a second over the last five seconds. In the first second, those of it.
    #[must_use]
    pub fn rate(&self, at: Instant) -> f64 {
        let (least, most) = RATE;
        let (since, before) = self.before(at, most);
        (self.now.pages - before.pages) as f64 / at.saturating_duration_since(since).max(least).as_secs_f64()
    }

    /// How long the site has answered nothing, from ten seconds on.
    #[must_use]
    pub fn silence(&self, at: Instant) -> Option<Duration> {
        Some(at.saturating_duration_since(self.answered)).filter(|silence| *silence >= SILENCE)
    }

    /// Whether it mostly waits for its site: over the last 20 seconds, few answers came, and nothing else moved.
    #[must_use]
    pub fn waits(&self, at: Instant) -> bool {
        let (_, before) = self.before(at, JUDGED);
        let few = self.now.answers - before.answers < WORKS * JUDGED.as_secs();
        self.elapsed(at) >= JUDGED && few && self.now.moved - before.moved < MOVED
    }

    /// The newest sample that is at least so old, else the oldest.
    fn before(&self, at: Instant, span: Duration) -> (Instant, Counts) {
        let old = |(taken, _): &&(Instant, Counts)| at.saturating_duration_since(*taken) >= span;
        let found = self.samples.iter().rev().find(old).or(self.samples.front());
        found.copied().unwrap_or((self.began, Counts::default()))
    }
}

#[cfg(test)]
mod tests;
