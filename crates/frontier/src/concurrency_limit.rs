//! The adaptive concurrency limit of one origin.

use crate::losses::Losses;
use std::time::Duration;

/// The number of requests that may be in flight at an origin, found by probing as TCP Vegas does.
///
/// It starts from [`START`] and doubles with each round trip while the time to first byte stays near its minimum. When
/// responses come later, the limit is halved for a round. If responses then come sooner, the earlier ones were queued
/// behind each other and the limit stays there; if they take as long, the pages are slow by nature and the limit grows
/// on. A settled limit is probed at times with a few requests more. A round is judged by its median, so that kinds of
/// pages that differ in time do not lower it.
#[derive(Debug)]
pub(crate) struct ConcurrencyLimit {
    ceiling: usize,
    limit: usize,
    /// Time to first byte, in seconds, without queueing.
    base: Option<f64>,
    phase: Phase,
    round: Round,
    /// Earliest time of the next comparison, and the pause before the one after it.
    compare_at: Duration,
    compare_rest: Duration,
    probe_rest: Duration,
    losses: Losses,
}

/// The phase of the search for the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// Slow start: the limit doubles.
    Start,
    /// The limit was halved from `from`, where the median was `slow`, to see whether responses come sooner.
    Compare { from: usize, slow: f64 },
    /// The limit stays fixed until this time.
    Settled { until: Duration },
    /// The limit was raised from `from`, to see whether responses come as soon.
    Probe { from: usize },
}

/// The responses to requests that were sent since the limit last changed.
#[derive(Debug, Default)]
struct Round {
    since: Duration,
    times: Vec<f64>,
    /// Highest number of requests in flight in the round.
    peak: usize,
}

/// Requests in flight at first.
const START: usize = 2;
/// Largest delay, in seconds, that shows no queueing: a busy machine is late by as much.
const JITTER: f64 = 0.05;
/// Largest delay, as a part of the usual time, that shows no queueing.
const NEAR: f64 = 0.3;
/// Responses that take at most this part of the time at half the limit were queued before.
const SOONER: f64 = 0.75;
/// Weight with which a lower median enters the usual time.
const BASE_WEIGHT: f64 = 0.25;
/// Responses that a round needs: fewest in slow start, fewest later, and most.
const MIN_LIMIT: usize = 3;
const FEW: usize = 8;
const MAX_LIMIT: usize = 256;
/// Shortest and longest pause before a settled limit is probed or compared again; doubled each time that the probe or
/// comparison brings nothing.
const REST: Duration = Duration::from_secs(2);
const MAX_REST: Duration = Duration::from_secs(60);
/// A probe raises the limit by this fraction (one in four), and at least by one.
const PROBED: usize = 4;

impl ConcurrencyLimit {
    pub(crate) fn new(ceiling: usize) -> Self {
        Self {
            ceiling,
            limit: START.min(ceiling),
            base: None,
            phase: Phase::Start,
            round: Round::default(),
            compare_at: Duration::ZERO,
            compare_rest: REST,
            probe_rest: REST,
            losses: Losses::default(),
        }
    }

    /// Requests that may be in flight at once now.
    pub(crate) fn get(&self) -> usize {
        self.limit
    }

    /// Notes that a request was sent, with `in_flight` requests in flight.
    pub(crate) fn sent(&mut self, in_flight: usize) {
        self.round.peak = self.round.peak.max(in_flight);
    }

    /// Learns from a response that came `first_byte` after its request. `again`: an earlier request for the URL failed.
    pub(crate) fn answered(&mut self, now: Duration, first_byte: Duration, again: bool) {
        self.losses.answered(again);
        if self.base.is_some() && now.saturating_sub(first_byte) <= self.round.since {
            return;
        }
        if self.base.is_none() {
            self.base = Some(first_byte.as_secs_f64());
            self.begin_round(now);
            return;
        }
        self.round.times.push(first_byte.as_secs_f64());
        if self.round.times.len() >= self.needed() {
            let full = self.round.peak >= self.limit;
            let median = self.round.median();
            self.begin_round(now);
            if full {
                self.judge(now, median);
            }
        }
    }

    /// Learns from a 429, a server error or a reset. `began`: the time when the request was sent, if known; `again`: an
    /// earlier request for the URL failed.
    pub(crate) fn lost(&mut self, now: Duration, began: Option<Duration>, again: bool) {
        if self.losses.lost(now, began, self.limit, again) {
            self.phase = Phase::Settled { until: now };
            self.set(now, self.limit / 2);
        } else if !self.losses.are_ours() && matches!(self.phase, Phase::Settled { .. }) {
            self.phase = Phase::Start;
        }
    }

    /// Learns from a request that timed out. It says nothing about the load, and in slow start does not hold up the
    /// others.
    pub(crate) fn stalled(&mut self, now: Duration) {
        if self.phase == Phase::Start {
            self.set(now, self.limit + 1);
        }
    }

    /// Reports whether a failed URL is worth an early retry.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.losses.are_in_doubt()
    }

    /// Returns the number of responses that this round needs.
    fn needed(&self) -> usize {
        match self.phase {
            Phase::Start => self.limit,
            Phase::Compare { .. } if self.probe_rest == REST && self.compare_rest == REST => MIN_LIMIT,
            _ => self.limit.max(FEW),
        }
        .clamp(MIN_LIMIT, MAX_LIMIT)
    }

    fn judge(&mut self, now: Duration, median: f64) {
        let base = self.base.unwrap_or(median);
        let is_near = median <= base + JITTER.max(NEAR * base);
        if median < base {
            self.base = Some(base + BASE_WEIGHT * (median - base));
        }
        match self.phase {
            Phase::Compare { from, slow } => self.compared(now, from, slow, median, is_near),
            Phase::Probe { from } if !is_near => {
                self.probe_rest = (self.probe_rest * 2).min(MAX_REST);
                self.phase = Phase::Settled { until: now + self.probe_rest };
                self.set(now, from);
            }
            Phase::Probe { .. } => {
                self.probe_rest = REST;
                self.phase = Phase::Settled { until: now };
            }
            _ if !is_near => self.compare(now, median),
            Phase::Start => self.set(now, self.limit * 2),
            Phase::Settled { until } if now >= until && self.limit < self.highest(now) => {
                self.phase = Phase::Probe { from: self.limit };
                self.set(now, self.limit + (self.limit / PROBED).max(1));
            }
            Phase::Settled { .. } => {}
        }
    }

    /// Halves the limit because responses come later than usual, to see whether half as many in flight are faster.
    fn compare(&mut self, now: Duration, median: f64) {
        if self.limit == 1 {
            self.base = Some(median);
        } else if now >= self.compare_at {
            self.phase = Phase::Compare { from: self.limit, slow: median };
            self.set(now, self.limit / 2);
        }
    }

    /// Judges the round with half as many in flight.
    fn compared(&mut self, now: Duration, from: usize, slow: f64, median: f64, is_near: bool) {
        if median > SOONER * slow {
            // Slow by nature: the usual time from now on.
            self.base = Some(median.max(slow));
            self.compare_at = now + self.compare_rest;
            self.compare_rest = (self.compare_rest * 2).min(MAX_REST);
            self.phase = Phase::Start;
            self.set(now, from);
        } else if is_near || self.limit == 1 {
            self.base = self.base.filter(|_| is_near).or(Some(median));
            self.phase = Phase::Settled { until: now + self.probe_rest };
        } else {
            self.phase = Phase::Compare { from: self.limit, slow: median };
            self.set(now, self.limit / 2);
        }
    }

    fn highest(&self, now: Duration) -> usize {
        self.ceiling.min(self.losses.below(now))
    }

    fn set(&mut self, now: Duration, limit: usize) {
        let limit = limit.min(self.highest(now)).max(1);
        if limit != self.limit {
            self.limit = limit;
            self.begin_round(now);
        }
    }

    fn begin_round(&mut self, now: Duration) {
        self.round.since = now;
        self.round.times.clear();
        self.round.peak = 0;
    }
}

impl Round {
    fn median(&mut self) -> f64 {
        let middle = self.times.len() / 2;
        if self.times.is_empty() { 0.0 } else { *self.times.select_nth_unstable_by(middle, f64::total_cmp).1 }
    }
}

#[cfg(test)]
mod tests;
