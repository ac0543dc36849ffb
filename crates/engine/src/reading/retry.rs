//! Decides whether a response is to be requested again.

use super::{ResponseReader, location};
use crate::visit;
use mapwright_fetch::Fetch;
use mapwright_frontier::{RetryCost, RobotsAnswer, Settlement};
use mapwright_model::{Purpose, Target};
use mapwright_web::Spelling;
use std::time::Duration;

/// Reports whether a status is a server error that load does not cause: 501 Not Implemented, 505 HTTP Version Not
/// Supported.
fn is_final(status: u16) -> bool {
    matches!(status, 501 | 505)
}

impl<C: Fetch> ResponseReader<'_, C> {
    /// Returns the wait that the server requests.
    fn wait(&self) -> Option<Duration> {
        mapwright_fetch::retry_after(&self.reply.headers, self.at)
    }

    /// Returns the retry of the task, if it is to be retried.
    pub(super) fn retry(&self) -> Option<Settlement> {
        let (context, task) = (self.context, self.task);
        if self.wants_cookie() || self.spelling().is_some() {
            return Some(Settlement::Retry { after: None, cost: RetryCost::Nothing });
        }
        if task.purpose == Purpose::External {
            return self.wants_get_after_head().then_some(Settlement::Retry { after: None, cost: RetryCost::Try });
        }
        let broken = self.is_broken() && matches!(self.reply.status, 200..=299);
        if self.wants_confirmation() {
            return Some(Settlement::Retry { after: self.wait(), cost: self.cost() });
        }
        let failing = matches!(self.reply.status, 429 | 500..=599) && !is_final(self.reply.status) || broken;
        let wait = self.wait();
        let too_long = wait.is_some_and(|wait| wait > context.max_retry_after);
        if !failing || too_long || task.attempt >= context.retries {
            return None;
        }
        Some(match task.purpose {
            Purpose::Robots => Settlement::Robots(RobotsAnswer::Retry(wait)),
            _ => Settlement::Retry { after: wait, cost: self.cost() },
        })
    }

    /// Reports whether the page redirects to itself to see whether a cookie comes back.
    fn wants_cookie(&self) -> bool {
        let task = self.task;
        let to_itself = self.location.as_ref() == Some(&task.url);
        to_itself && self.reply.set_cookie && !task.to_itself && task.purpose == Purpose::Page
    }

    /// Reports whether a redirect hop to a known URL may be a cookie wall that now lets the crawler through: with a
    /// cookie or, on the way from a start URL, by any other state on the server.
    pub(super) fn may_open(&self, target: Option<&Target>) -> bool {
        let task = self.task;
        task.hops > 0 && matches!(target, Some(Target::Known(_))) && (self.reply.set_cookie || task.seed)
    }

    /// Returns the percent-encoding of the URL to which the page redirects itself: browsers follow that redirect, and
    /// reach the page.
    pub(super) fn spelling(&self) -> Option<Spelling> {
        let (task, identity) = (self.task, &self.context.reading.identity);
        if task.to_itself || !matches!(task.purpose, Purpose::Page | Purpose::External) {
            return None;
        }
        Spelling::of(location(self.reply)?, task.url.as_url(), &task.url, identity)
    }

    /// Returns the cost of a retry: servers that limit their clients answer 429 or, as nginx does by default, 503.
    fn cost(&self) -> RetryCost {
        if matches!(self.reply.status, 429 | 503) { RetryCost::TryUnlessRateLimited } else { RetryCost::Try }
    }

    /// Reports whether an error of a page needs a second try before an audit reports it, including 401 and 403:
    /// firewalls and expired sessions reject a request once.
    fn wants_confirmation(&self) -> bool {
        let (context, task, status) = (self.context, self.task, self.reply.status);
        let error = matches!(status, 400..=599) && status != 429;
        let wait = self.wait().unwrap_or_default();
        context.audits && error && task.purpose == Purpose::Page && task.attempt == 0 && wait <= context.max_retry_after
    }

    /// Reports whether an external URL that answers HEAD with an error is requested again by GET.
    fn wants_get_after_head(&self) -> bool {
        visit::is_first_check(self.task) && self.reply.status >= 400 && !self.throttles()
    }

    /// Reports whether the server throttles the crawler, or its firewall challenges it: neither is a broken page.
    pub(super) fn throttles(&self) -> bool {
        let wait = self.wait();
        let status = self.reply.status;
        let is_limited = status == 429 || (status == 503 && wait.is_some());
        is_limited || wait.is_some_and(|w| w > self.context.max_retry_after) || self.is_challenge()
    }

    /// Reports whether a firewall sent a challenge instead of the page, by the headers of Cloudflare and AWS WAF: the
    /// page was not served, whatever the status. (401 and 403 count as themselves.)
    pub(super) fn is_challenge(&self) -> bool {
        let header = |name: &str| self.reply.headers.get(name).unwrap_or_default().trim().to_ascii_lowercase();
        let is_challenge_header = header("cf-mitigated") == "challenge"
            || matches!(header("x-amzn-waf-action").as_str(), "challenge" | "captcha");
        is_challenge_header && !matches!(self.reply.status, 401 | 403)
    }
}
