//! The health probe of an origin that may be down: a page that was good before is requested again.

use super::{Stand, Step};
use crate::contract::{Order, Weather};
use crate::outage::Doubt;
use crate::rules::Rules;
use crate::task::Task;
use std::time::Duration;

impl Stand {
    /// What is to be done before anything else where the origin may be down: a page that was good is asked for again,
    /// once all that is under way has been answered.
    /// `idle`: nothing else is left to ask.
    pub(super) fn doubt(&mut self, now: Duration, idle: bool, ticket: u64) -> Option<Step> {
        let url = match self.outage.doubt(now, self.is_exceeded(), idle) {
            Doubt::None => return None,
            Doubt::Wait => return Some(Step::Park),
            Doubt::Until(at) => return Some(Step::Wait(at)),
            Doubt::Ask(_) if self.in_flight > 0 => return Some(Step::Park),
            Doubt::Ask(url) => url,
        };
        self.outage.asked();
        self.in_flight += 1;
        self.unsettled += 1;
        self.pace.start(now, self.in_flight);
        Some(Step::Do(Order::Prove(Task::proof(ticket, url))))
    }

    /// A page that was good has been asked for again. It teaches nothing of the pace: it may come from a part of the
    /// site that bears more than what fails.
    pub(super) fn proven(&mut self, now: Duration, weather: &Weather, rules: &Rules, others: u64) -> bool {
        if weather.first_byte.is_some() {
            self.silence.cleared();
            if self.outage.heard() || !weather.refused {
                self.outage.cleared();
                return false;
            }
        }
        if let Some(wait) = weather.retry_after {
            self.pace.pause(now + wait.min(rules.pace.max_retry_after));
        }
        let went = !self.down && self.outage.confirmed(now, self.queued(), others);
        self.down |= went;
        went
    }
}
