//! The robots.txt of one origin: the time of the request, and the effect of the response.

use super::{CrawlLimits, OriginQueue};
use crate::contract::RobotsAnswer;
use crate::robots_gate::{Question, RobotsState};
use crate::rules::Rules;
use mapwright_model::{Lane, Purpose, Route, Task, TaskId, Tries, UrlId};
use mapwright_web::PageUrl;
use std::time::Duration;

impl OriginQueue {
    /// Returns a request for robots.txt, once a task here depends on it.
    pub(super) fn request_robots(
        &mut self,
        now: Duration,
        limits: CrawlLimits,
        ticket: u64,
    ) -> Option<Result<Task, Duration>> {
        let RobotsState::Unasked(Question { url, hops, attempt, not_before }) = &self.gate else { return None };
        let wanted = if limits.opening {
            self.lanes.of(Lane::Redirect).front().is_some_and(|t| t.route.seed)
        } else if limits.spent {
            !self.later.is_empty() || !self.last.is_empty() || self.lanes.of(Lane::Check).len() > 0
        } else {
            self.queued() > 0
        };
        // Where the budget will be spent before this origin's pages have their turn, its robots.txt is not requested.
        let is_over_budget = self.lanes.pages() > 0 && !self.reserves_page && !limits.robots && !limits.spent;
        if !wanted || is_over_budget {
            self.held |= is_over_budget;
            return None;
        }
        if *not_before > now {
            return Some(Err(*not_before));
        }
        let own = || self.lanes_url().map(|u| u.with_path("/robots.txt"));
        let target = url.clone().or_else(own)?;
        let task = Task {
            task_id: TaskId::Robots(ticket),
            url_id: None,
            robots_of: Some(self.origin.clone()),
            route: Route { hops: *hops, ..Route::default() },
            tries: Tries { attempt: *attempt, ..Tries::default() },
            ..Task::new(0, UrlId(0), target, Purpose::Robots, Lane::Prerequisite)
        };
        self.reserves_page |= self.lanes.pages() > 0;
        self.gate = RobotsState::Requesting;
        Some(Ok(task))
    }

    /// Returns any URL of this origin.
    fn lanes_url(&self) -> Option<&PageUrl> {
        let waiting = self.later.values().chain(self.last.iter().map(|(_, t)| t));
        self.lanes.fronts().chain(waiting).next().map(|t| &t.url)
    }

    /// Takes the response to a request for robots.txt.
    pub(crate) fn robots(&mut self, answer: RobotsAnswer, task: &Task, retry_at: Duration, rules: &Rules) {
        if let RobotsAnswer::Rules(robots) = &answer
            && let Some(seconds) = robots.crawl_delay(&rules.agent)
        {
            self.pace.crawl_delay(seconds, &rules.pace);
        }
        // An origin that served its rules and pages earlier in this run is down: its queue stays in the record.
        self.down |= matches!(answer, RobotsAnswer::Status(_) | RobotsAnswer::Silent(_)) && self.outage.ever_answered();
        self.gate.answer(answer, task.route.hops, task.tries.attempt, retry_at);
    }
}
