//! The speed of a crawl, and whether it waits for its site, shown while it runs.

use mapwright_engine::Event;
use mapwright_model::Outcome;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The shortest and the longest span over which the rate is taken.
const RATE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5));
/// The span over which a crawl is judged to wait for its site.
const JUDGED: Duration = Duration::from_secs(20);
/// The time between two samples, which bounds their number.
const SAMPLED: Duration = Duration::from_millis(250);
/// Answers a second of a crawl that works. A crawl with fewer uses less than a hundredth of a processor.
const MIN_ANSWERS_PER_SECOND: u64 = 2;
/// A queue that changes by this many URLs in the span is work too, such as the reading of sitemaps.
const MOVED: u64 = 1_000;
/// A silence shorter than this is not reported.
const SILENCE: Duration = Duration::from_secs(10);

/// The counts of a crawl over time.
#[derive(Debug)]
pub struct CrawlSpeed {
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
    /// Pages whose scripts run, or wait for that.
    rendering: u64,
    /// The sum of all changes of the queue's length.
    moved: u64,
}

impl CrawlSpeed {
    /// Builds the counts of a crawl that begins at `now`.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        let samples = VecDeque::from([(now, Counts::default())]);
        Self { began: now, answered: now, now: Counts::default(), samples }
    }

    /// Counts an event. Returns whether it is a page that ended with an error.
    pub fn see(&mut self, event: &Event<'_>, at: Instant) -> bool {
        let mut failed = false;
        match event {
            Event::Visited { is_page, outcome, status, will_retry, .. } => {
                if status.is_some() {
                    (self.now.answers, self.answered) = (self.now.answers + 1, at);
                }
                if *is_page && !will_retry {
                    self.now.pages += u64::from(*outcome != Outcome::Refused);
                    failed = matches!(outcome, Outcome::NoAnswer | Outcome::Broken | Outcome::Failed)
                        || status.is_some_and(|status| status >= 400);
                    self.now.errors += u64::from(failed);
                }
            }
            Event::Committed { queued, rendering } => {
                self.now.rendering = *rendering;
                self.now.moved += queued.abs_diff(self.now.queued);
                self.now.queued = *queued;
            }
            Event::Ended | Event::Notice { .. } | Event::ScopeMoved { .. } | Event::StartOnOtherSite { .. } => {}
        }
        self.sample(at);
        failed
    }

    /// Takes a sample, if the last one is old enough.
    pub fn sample(&mut self, at: Instant) {
        if self.samples.back().is_some_and(|(last, _)| at.saturating_duration_since(*last) < SAMPLED) {
            return;
        }
        self.samples.push_back((at, self.now));
        // One sample that is older than the span stays, as the base of the difference.
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

    /// Returns the number of pages whose scripts run, or wait for that.
    #[must_use]
    pub fn rendering(&self) -> u64 {
        self.now.rendering
    }

    /// Returns the number of URLs in the queue.
    #[must_use]
    pub fn queued(&self) -> u64 {
        self.now.queued
    }

    /// Time since the beginning.
    #[must_use]
    pub fn elapsed(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.began)
    }

    /// Returns the pages a second over the last five seconds, or over the time since the beginning, at least a second.
    #[must_use]
    pub fn rate(&self, at: Instant) -> f64 {
        let (least, most) = RATE;
        let (since, before) = self.before(at, most);
        (self.now.pages - before.pages) as f64 / at.saturating_duration_since(since).max(least).as_secs_f64()
    }

    /// Returns the time since the last answer of the site, if it is ten seconds or more.
    #[must_use]
    pub fn silence(&self, at: Instant) -> Option<Duration> {
        Some(at.saturating_duration_since(self.answered)).filter(|silence| *silence >= SILENCE)
    }

    /// Returns whether the crawl mostly waits for its site: over the last 20 seconds, few answers came, and the queue
    /// hardly changed.
    #[must_use]
    pub fn waits_for_site(&self, at: Instant) -> bool {
        let (_, before) = self.before(at, JUDGED);
        let few = self.now.answers - before.answers < MIN_ANSWERS_PER_SECOND * JUDGED.as_secs();
        self.elapsed(at) >= JUDGED && few && self.now.moved - before.moved < MOVED
    }

    /// Returns the newest sample that is at least `span` old, or else the oldest.
    fn before(&self, at: Instant, span: Duration) -> (Instant, Counts) {
        let old = |(taken, _): &&(Instant, Counts)| at.saturating_duration_since(*taken) >= span;
        let found = self.samples.iter().rev().find(old).or(self.samples.front());
        found.copied().unwrap_or((self.began, Counts::default()))
    }
}

#[cfg(test)]
mod tests;
