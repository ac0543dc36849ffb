//! Settling leased tasks: done, tried again, or deferred.

use super::{MAX_RULES_HELD, Scheduler, is_first_of_link};
use crate::contract::{RetryCost, RobotsAnswer, Settlement};
use crate::origin_queue::OriginQueue;
use mapwright_model::{FetchMode, Purpose, Task, TaskId};
use std::time::Duration;

/// Highest number of retries of one URL that cost no try, because its origin limits the rate.
const TURNED_AWAY: u8 = 8;

impl Scheduler {
    /// Settles a leased task that was settled in the record.
    pub fn settle(&mut self, now: Duration, task: Task, settlement: Settlement) {
        if matches!(settlement, Settlement::Queued) {
            self.requeue(task);
        } else {
            self.settle_lease(now, task, settlement);
        }
    }

    fn settle_lease(&mut self, now: Duration, task: Task, settlement: Settlement) {
        let before = (self.level(), self.links_unsettled == 0);
        self.unsettled = self.unsettled.saturating_sub(1);
        self.links_unsettled = self.links_unsettled.saturating_sub(u64::from(is_first_of_link(&task)));
        let at = self.queue_of_task(&task);
        let Some(origin_queue) = self.queues.get_mut(at) else { return };
        origin_queue.settled(&task, &self.rules);
        match settlement {
            Settlement::Done => self.leave_level(&task),
            Settlement::Retry { after, cost } => self.again(at, now, task, after, cost),
            Settlement::Robots(answer) => self.robots(at, now, &task, answer),
            Settlement::Deferred => self.defer(&task),
            // Handled by the caller: the task has no lease.
            Settlement::Queued => {}
        }
        // A depth is finished, or sitemap entries have their turn: wake the origins that waited.
        if self.rules.order_matters() && before != (self.level(), self.links_unsettled == 0) {
            self.wake_waiting();
        }
        self.wake(at);
    }

    /// Takes back the lease of a task that was not requested.
    fn defer(&mut self, task: &Task) {
        self.deferred += 1;
        self.pages = self.pages.saturating_sub(u64::from(task.purpose == Purpose::Page && task.is_first()));
        self.leave_level(task);
        if let Some(word) = task.url_id.and_then(|id| self.handed_out.get_mut(id.0 as usize / 64)) {
            *word &= !task.url_id.map_or(0, |id| 1_u64 << (id.0 % 64));
        }
    }

    /// Queues a deferred task again.
    fn requeue(&mut self, task: Task) {
        self.deferred = self.deferred.saturating_sub(1);
        self.enter_level(&task);
        let at = self.queue_of_task(&task);
        if let Some(origin_queue) = self.queues.get_mut(at) {
            origin_queue.lanes.of(task.lane).push_again(task);
        }
        self.wake(at);
    }

    fn again(&mut self, at: usize, now: Duration, mut task: Task, after: Option<Duration>, cost: RetryCost) {
        let exceeded =
            self.queues.get(at).is_some_and(OriginQueue::is_exceeded) && task.tries.rate_limited < TURNED_AWAY;
        let wait = match cost {
            RetryCost::Nothing => {
                task.tries.to_itself = true;
                task.mode = FetchMode::Plain;
                Duration::ZERO
            }
            RetryCost::Timing => {
                task.tries.timed = true;
                Duration::ZERO
            }
            RetryCost::TryUnlessRateLimited if exceeded => {
                task.tries.rate_limited += 1;
                self.wait(task.task_id, task.tries.rate_limited, after)
            }
            RetryCost::Try | RetryCost::TryUnlessRateLimited => {
                task.tries.attempt += 1;
                self.wait(task.task_id, task.tries.attempt, after)
            }
        };
        if let Some(origin_queue) = self.queues.get_mut(at) {
            origin_queue.again(task, now + wait, &self.rules);
        }
    }

    fn robots(&mut self, at: usize, now: Duration, task: &Task, answer: RobotsAnswer) {
        let after = if let RobotsAnswer::Retry(after) = &answer { *after } else { None };
        let retry_at = now + self.wait(task.task_id, task.tries.attempt + 1, after);
        if let Some(origin_queue) = self.queues.get_mut(at) {
            origin_queue.robots(answer, task, retry_at, &self.rules);
            self.rules_held += origin_queue.weight();
            if origin_queue.down {
                self.went_down();
            }
        }
        if self.rules_held > self.too_many_rules {
            self.forget_idle_rules();
        }
    }

    fn forget_idle_rules(&mut self) {
        self.queues.iter_mut().filter(|s| s.holds_rules() && s.is_idle()).for_each(OriginQueue::forget_rules);
        self.rules_held = self.queues.iter().map(OriginQueue::weight).sum();
        // Where all rules are needed, the search is not repeated for each file.
        self.too_many_rules = MAX_RULES_HELD.max(2 * self.rules_held);
    }

    /// Returns the wait before retry number `tries`: doubled each time, spread by up to a quarter either way so that
    /// retries do not coincide, and never shorter than the server requested.
    fn wait(&self, task: TaskId, tries: u8, after: Option<Duration>) -> Duration {
        let doubled = self.rules.backoff * (1 << u32::from(tries.saturating_sub(1)).min(6));
        let spread = 0.75 + (task.number().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as f64 / 512.0;
        doubled.mul_f64(spread).max(after.unwrap_or_default().min(self.rules.pace.max_retry_after))
    }
}
