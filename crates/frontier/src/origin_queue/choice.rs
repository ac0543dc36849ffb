//! The choice of an origin's next request.

use super::{CrawlLimits, OriginQueue, Step, is_last};
use crate::contract::Order;
use crate::rules::Rules;
use crate::turns::Rest;
use mapwright_model::{Lane, Purpose, Task};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Pages requested for each prerequisite, where both wait.
const PAGES_A_PREREQUISITE: usize = 3;

/// Highest number of sitemaps and feeds that are fetched or wait to be recorded: each may list tens of thousands of
/// URLs, which are in memory until then.
const MAX_FILES: usize = 4;

/// Pauses that an external site may request before its checks are dropped.
const MAX_PAUSES: u32 = 2;

impl CrawlLimits {
    fn holds_back(self, link: &Task) -> bool {
        link.route.depth > self.depth
    }
}

impl OriginQueue {
    /// Chooses the next step.
    pub(crate) fn next(&mut self, now: Duration, rules: &Rules, limits: CrawlLimits, ticket: u64) -> Step {
        if let Some(step) = self.let_go(rules) {
            return step;
        }
        if self.is_full() {
            return Step::Park;
        }
        if self.pace.free_at() > now {
            let nothing = self.queued() == 0 && !self.outage.is_possible() && !self.is_suspect();
            return if nothing { Step::Park } else { Step::Wait(self.pace.free_at()) };
        }
        if let Some(step) = self.probe_action(now, false, ticket) {
            return step;
        }
        let Some(step) = self.choose(now, rules, limits, ticket) else {
            let idle = !self.is_busy() && self.later.is_empty() && (self.last.is_empty() || self.is_suspect());
            if let Some(at) = self.silence.suspect_at().filter(|_| idle && self.outage.ever_answered()) {
                if at > now {
                    return Step::Wait(at);
                }
                self.outage.suspect_silence(now);
            }
            return self.probe_action(now, idle, ticket).unwrap_or_else(|| self.pause());
        };
        match step {
            Ok(task) => Step::Do(self.order(task, now, rules)),
            Err(until) => Step::Wait(until),
        }
    }

    /// Returns the reason why no request follows now, where [`OriginQueue::next`] has none.
    pub(crate) fn rest(&self, now: Duration) -> Rest {
        match () {
            () if !self.is_ours() || !self.is_busy() => Rest::Done,
            () if self.is_full() || self.pace.free_at() > now => Rest::Limited,
            () => Rest::Starved,
        }
    }

    /// Reports whether no request may be sent until one has ended.
    fn is_full(&self) -> bool {
        self.down || self.alone || self.in_flight >= self.pace.places()
    }

    /// Drops the checks of an external site that has requested pauses too often.
    fn let_go(&mut self, rules: &Rules) -> Option<Step> {
        if self.is_ours() || self.pace.left_alone() < MAX_PAUSES {
            return None;
        }
        let last = |last: &mut VecDeque<(Duration, Task)>| last.pop_front().map(|(_, task)| task);
        let later = |later: &mut BTreeMap<_, Task>| later.pop_first().map(|(_, task)| task);
        let task =
            self.lanes.of(Lane::Check).pop().or_else(|| later(&mut self.later)).or_else(|| last(&mut self.last))?;
        self.unsettled += usize::from(!is_last(&task, rules));
        Some(Step::Do(Order::Drop(task)))
    }

    /// Returns the next task, a time before which there is none, or nothing.
    fn choose(
        &mut self,
        now: Duration,
        rules: &Rules,
        limits: CrawlLimits,
        ticket: u64,
    ) -> Option<Result<Task, Duration>> {
        if !self.gate.is_known() {
            if let Some(task) = self.pop_invited(limits) {
                return Some(Ok(task));
            }
            return self.request_robots(now, limits, ticket);
        }
        let fair = self.owed < PAGES_A_PREREQUISITE * self.share();
        if let Some(task) = fair.then(|| self.pop_prerequisite(limits)).flatten() {
            return Some(Ok(task));
        }
        // Where the origin limits the rate, retries come first, so that the site does not pile up in memory. Where the
        // crawl's own load may cause errors, retries show whether it does.
        if let Some(task) = (self.is_exceeded() || self.pace.is_in_doubt()).then(|| self.pop_later(now)).flatten() {
            return Some(Ok(task));
        }
        if let Some(task) = self.pop_page(limits).or_else(|| self.pop_prerequisite(limits)) {
            return Some(Ok(task));
        }
        if let Some(task) = self.pop_later(now) {
            return Some(Ok(task));
        }
        if let Some(task) = self.pop_check(limits) {
            return Some(Ok(task));
        }
        self.pop_last(now, rules, limits)
    }

    /// Takes a retry that is due.
    fn pop_later(&mut self, now: Duration) -> Option<Task> {
        let key = self.later.keys().next().copied().filter(|(at, _)| *at <= now)?;
        self.later.remove(&key)
    }

    /// Takes a sitemap that robots.txt of another origin named: it is read without this origin's robots.txt.
    fn pop_invited(&mut self, limits: CrawlLimits) -> Option<Task> {
        if limits.opening || limits.spent || self.named_by_robots == 0 || self.files >= MAX_FILES {
            return None;
        }
        self.lanes.of(Lane::Prerequisite).pop_first(|t| t.route.named_by_robots)
    }

    /// Returns the number of places that prerequisites may take while pages wait: a quarter.
    fn share(&self) -> usize {
        (self.pace.places() / (PAGES_A_PREREQUISITE + 1)).max(1)
    }

    /// Takes a prerequisite. They come first, within their share of the places and requests while pages wait, so that
    /// they never starve pages, even with one request at a time.
    fn pop_prerequisite(&mut self, limits: CrawlLimits) -> Option<Task> {
        let pages_wait = self.lanes.pages() > 0;
        let enough = self.files >= MAX_FILES || pages_wait && self.prerequisites_in_flight >= self.share();
        if limits.opening || limits.spent || enough {
            return None;
        }
        let task = self.lanes.of(Lane::Prerequisite).pop()?;
        if pages_wait {
            self.owed += PAGES_A_PREREQUISITE;
        }
        Some(task)
    }

    fn pop_page(&mut self, limits: CrawlLimits) -> Option<Task> {
        if limits.spent {
            return None;
        }
        let redirects = self.lanes.of(Lane::Redirect);
        if limits.opening {
            return redirects.pop_first(|t| t.route.seed);
        }
        if let Some(task) = redirects.pop().or_else(|| self.pop_link(limits)) {
            self.owed = self.owed.saturating_sub(1);
            return Some(task);
        }
        None
    }

    /// Takes a link. A page at a lesser depth may be found after deeper ones (by a canonical, for example): it precedes
    /// them.
    fn pop_link(&mut self, limits: CrawlLimits) -> Option<Task> {
        let links = self.lanes.of(Lane::Link);
        if links.front().is_none() {
            return if limits.listed { self.lanes.of(Lane::Listed).pop() } else { None };
        }
        links.pop_first(|link| !limits.holds_back(link))
    }

    /// Takes a check. Sites of which only external links are checked get one request at a time.
    fn pop_check(&mut self, limits: CrawlLimits) -> Option<Task> {
        let checks = self.lanes.of(Lane::Check);
        let waits = limits.opening || checks.front()?.purpose == Purpose::External && !self.ours && self.in_flight > 0;
        if waits { None } else { checks.pop() }
    }

    /// Reports whether many pages got no response, so that the origin may be down: last tries wait until that is known.
    fn is_suspect(&self) -> bool {
        self.silence.suspect_at().is_some() && self.outage.ever_answered()
    }

    /// Takes a last try, once nothing else is left here and nothing is in flight.
    fn pop_last(&mut self, now: Duration, rules: &Rules, limits: CrawlLimits) -> Option<Result<Task, Duration>> {
        let held_back = self.lanes.of(Lane::Link).front().is_some_and(|link| limits.holds_back(link));
        // By depth, sitemap entries wait for links, and links wait for the depth of this try: it precedes them.
        let listed = if limits.listed || !rules.by_depth { 0 } else { self.lanes.of(Lane::Listed).len() };
        let others = if limits.opening || limits.spent || held_back { 0 } else { self.lanes.waiting() - listed };
        let is_alone = self.in_flight == 0 || self.last_tries.go_together(now);
        if others > 0 || !self.later.is_empty() || self.unsettled > 0 || !is_alone || self.is_suspect() {
            return None;
        }
        let (at, _) = self.last.front()?;
        if *at > now { Some(Err(*at)) } else { self.last.pop_front().map(|(_, task)| Ok(task)) }
    }

    /// Returns the pause until the next retry is due, or until an event.
    fn pause(&self) -> Step {
        if !self.gate.is_known() {
            return Step::Park;
        }
        self.later.keys().next().map_or(Step::Park, |(at, _)| Step::Wait(*at))
    }
}
