//! The requests that pages make while their scripts run: no tasks, in turn with the tasks of their origin.

use super::Scheduler;
use crate::contract::ResponseSignal;
use crate::pace::Pace;
use crate::rate_limit::Try;
use mapwright_web::Origin;
use std::time::Duration;

impl Scheduler {
    /// Takes the next turn at an origin: see [`Frontier::turn`](crate::Frontier::turn). Origins that have no tasks have a
    /// pace of their own.
    pub fn turn(&mut self, now: Duration, origin: &Origin, crawl_delay: Option<f64>) -> Duration {
        if let Some(origin_queue) = self.index.get(origin).and_then(|at| self.queues.get_mut(*at)) {
            return origin_queue.pace.turn(now);
        }
        let pace = self.guests.entry(origin.clone()).or_insert_with(|| Pace::new(&self.rules.pace));
        crawl_delay.into_iter().for_each(|seconds| pace.crawl_delay(seconds, &self.rules.pace));
        pace.turn(now)
    }

    /// Learns from a response: see [`Frontier::throttled`](crate::Frontier::throttled).
    pub fn throttled(&mut self, now: Duration, origin: &Origin, signal: &ResponseSignal) {
        let pace = match self.index.get(origin).and_then(|at| self.queues.get_mut(*at)) {
            Some(origin_queue) => Some(&mut origin_queue.pace),
            None => self.guests.get_mut(origin),
        };
        if let Some(pace) = pace {
            pace.learn(now, Try::First, signal, &self.rules.pace);
        }
    }
}
