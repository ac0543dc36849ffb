//! The health probe of an origin that may be down: a page that responded well before is requested again.

use super::{OriginQueue, Step};
use crate::contract::{Order, ResponseSignal};
use crate::outage::ProbeAction;
use crate::rules::Rules;
use mapwright_model::Task;
use std::time::Duration;

impl OriginQueue {
    /// Returns the step that a suspected outage requires before anything else: once all requests in flight have ended,
    /// a page that was good is requested again. `idle`: nothing else is left to request.
    pub(super) fn probe_action(&mut self, now: Duration, idle: bool, ticket: u64) -> Option<Step> {
        let url = match self.outage.probe_action(now, self.is_exceeded(), idle) {
            ProbeAction::None => return None,
            ProbeAction::Wait => return Some(Step::Park),
            ProbeAction::Until(at) => return Some(Step::Wait(at)),
            ProbeAction::Request(_) if self.in_flight > 0 => return Some(Step::Park),
            ProbeAction::Request(url) => url,
        };
        self.outage.requested();
        self.in_flight += 1;
        self.unsettled += 1;
        self.pace.start(now, self.in_flight);
        Some(Step::Do(Order::HealthProbe(Task::health_probe(ticket, url))))
    }

    /// Handles the response to a health probe. The rate is not adapted to it, because the page may come from a part of
    /// the site that bears more load than the failing one.
    pub(super) fn probe_answered(
        &mut self,
        now: Duration,
        signal: &ResponseSignal,
        rules: &Rules,
        others: u64,
    ) -> bool {
        if signal.first_byte.is_some() {
            self.silence.probe_passed();
            if self.outage.heard() || !signal.rejected {
                self.outage.probe_passed();
                return false;
            }
        }
        if let Some(wait) = signal.retry_after {
            self.pace.pause(now + wait.min(rules.pace.max_retry_after));
        }
        let went = !self.down && self.outage.confirmed(now, self.queued(), others);
        self.down |= went;
        went
    }
}
