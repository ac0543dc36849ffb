//! The adaptive concurrency limit of one origin.

use crate::losses::Losses;
use std::time::Duration;

/// The number of requests that may be in flight at an origin: found by trying, as TCP Vegas does.
///
/// It starts from [`START`] and doubles with each round trip while the time to first byte stays near its minimum.
/// Where answers come later, the limit is halved for a round: answers that come sooner then have waited behind each
/// other, and the limit stays there; answers that take as long are slow by nature, and it grows on. A settled limit is
/// probed now and then by a few requests more. A round is judged by its median, so that kinds of pages that differ in
/// time do not lower it.
#[derive(Debug)]
pub(crate) struct Limit {
    ceiling: usize,
    limit: usize,
    /// Time to first byte, in seconds, where requests do not wait behind each other.
    base: Option<f64>,
    phase: Phase,
    round: Round,
    /// Earliest time of the next comparison, and the pause before the one after it.
    compare_at: Duration,
    compare_rest: Duration,
    probe_rest: Duration,
    losses: Losses,
}

/// How the limit is being found.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// Slow start: it doubles.
    Start,
    /// It was halved from `from`, where the median was `slow`, to see whether answers come sooner.
    Compare { from: usize, slow: f64 },
    /// It stays until then.
    Settled { until: Duration },
    /// It was raised from `from`, to see whether answers come as soon.
    Probe { from: usize },
}

/// The answers to requests that were sent since the limit last changed.
#[derive(Debug, Default)]
struct Round {
    since: Duration,
    times: Vec<f64>,
    /// Most requests in flight in it.
    peak: usize,
}

/// Requests in flight at first.
const START: usize = 2;
/// Later by less than this is no queue: a busy machine is late by as much.
const JITTER: f64 = 0.05;
/// Later by less than this part of the usual time is none either.
const NEAR: f64 = 0.3;
/// At half the limit, answers that take at most this part of the time have waited behind each other before.
const SOONER: f64 = 0.75;
/// How much of a lower median the usual time takes over.
const BASE_WEIGHT: f64 = 0.25;
/// Answers by which a round is judged, at least: in slow start, and later; and at most.
const FEWEST: usize = 3;
const FEW: usize = 8;
const MOST: usize = 256;
/// Pause before a settled limit is probed, and before it is compared again; doubled each time that it was in vain.
const REST: Duration = Duration::from_secs(2);
const LONGEST_REST: Duration = Duration::from_secs(60);
/// A probe raises the limit by one of so many, and at least by one.
const PROBED: usize = 4;

impl Limit {
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

    /// A request was sent; with it so many are in flight.
    pub(crate) fn sent(&mut self, in_flight: usize) {
        self.round.peak = self.round.peak.max(in_flight);
    }

    /// Learns from an answer that came so long after its request. `again`: one failed for the same URL before it.
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

    /// Learns from a 429, a server error or a reset. `began`: when the request was sent, if known; `again`: one failed
    /// for the same URL before it.
    pub(crate) fn lost(&mut self, now: Duration, began: Option<Duration>, again: bool) {
        if self.losses.lost(now, began, self.limit, again) {
            self.phase = Phase::Settled { until: now };
            self.set(now, self.limit / 2);
        } else if !self.losses.are_ours() && matches!(self.phase, Phase::Settled { .. }) {
            self.phase = Phase::Start;
        }
    }

    /// Learns from a request that got no answer in time. It says nothing of the load, and in slow start does not hold
    /// up the others.
    pub(crate) fn stalled(&mut self, now: Duration) {
        if self.phase == Phase::Start {
            self.set(now, self.limit + 1);
        }
    }

    /// Whether a URL that failed tells more when it is requested again soon.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.losses.are_in_doubt()
    }

    /// Answers by which this round is judged.
    fn needed(&self) -> usize {
        match self.phase {
            Phase::Start => self.limit,
            Phase::Compare { .. } if self.probe_rest == REST && self.compare_rest == REST => FEWEST,
            _ => self.limit.max(FEW),
        }
        .clamp(FEWEST, MOST)
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
                self.probe_rest = (self.probe_rest * 2).min(LONGEST_REST);
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

    /// Answers come later than usual: are they sooner with half as many in flight?
    fn compare(&mut self, now: Duration, median: f64) {
        if self.limit == 1 {
            self.base = Some(median);
        } else if now >= self.compare_at {
            self.phase = Phase::Compare { from: self.limit, slow: median };
            self.set(now, self.limit / 2);
        }
    }

    /// The round with half as many in flight is over.
    fn compared(&mut self, now: Duration, from: usize, slow: f64, median: f64, is_near: bool) {
        if median > SOONER * slow {
            // Slow by nature: the usual time from now on.
            self.base = Some(median.max(slow));
            self.compare_at = now + self.compare_rest;
            self.compare_rest = (self.compare_rest * 2).min(LONGEST_REST);
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
