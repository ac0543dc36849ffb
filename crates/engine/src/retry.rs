//! Decides whether a task is requested again.

use crate::response::{Response, ResponseClass};
use mapwright_frontier::{RetryCost, RobotsAnswer, Settlement};
use mapwright_model::{FailureKind, Purpose, Task};
use std::time::Duration;

/// The limits of retries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RetryPolicy {
    /// The retries of a task that fails.
    pub(crate) retries: u8,
    /// The longest wait that a server may request: beyond it, the task is not requested again.
    pub(crate) max_retry_after: Duration,
    /// An audit follows, which reports errors that a second try confirms.
    pub(crate) audits: bool,
}

/// Returns the retry of a task, if it is to be requested again.
pub(crate) fn decide(task: &Task, response: &Response, policy: &RetryPolicy) -> Option<Settlement> {
    let is_first = task.tries.attempt == 0;
    // Firewalls and expired sessions reject a request once, so 401 and 403 need a second try, too.
    let confirms = policy.audits && is_first && task.purpose == Purpose::Page;
    let has_tries = task.tries.attempt < policy.retries;
    let is_soon = response.wait.is_none_or(|wait| wait <= policy.max_retry_after);
    let repeats = match (&response.class, task.purpose) {
        (ResponseClass::Redirect(redirect), _) if redirect.leads_back(task) => return Some(at_once()),
        // A target that answers HEAD with an error is requested again by GET.
        (ResponseClass::Silent(_), purpose) if purpose.is_target() => is_first,
        (ResponseClass::Failed, purpose) if purpose.is_target() => is_first && response.status >= 400,
        (_, purpose) if purpose.is_target() => false,
        (ResponseClass::Silent(kind), _) => kind.transient() && has_tries || confirms,
        _ if confirms && is_error(response.status) => is_soon,
        (ResponseClass::Broken, _) => has_tries && is_soon,
        _ => is_failing_for_now(response.status) && has_tries && is_soon,
    };
    repeats.then(|| again(task, response))
}

/// Returns a retry that costs nothing, because the site itself requests it.
fn at_once() -> Settlement {
    Settlement::Retry { after: None, cost: RetryCost::Nothing }
}

fn again(task: &Task, response: &Response) -> Settlement {
    match task.purpose {
        Purpose::Robots => Settlement::Robots(RobotsAnswer::Retry(response.wait)),
        purpose if purpose.is_target() => Settlement::Retry { after: None, cost: cost(task, response) },
        _ => Settlement::Retry { after: response.wait, cost: cost(task, response) },
    }
}

/// Returns the cost of a retry: servers that limit their clients answer 429 or, as nginx does by default, 503, or close
/// connections.
fn cost(task: &Task, response: &Response) -> RetryCost {
    let is_limited = match response.class {
        ResponseClass::Silent(kind) => is_cut_off(kind),
        _ => !task.purpose.is_target() && matches!(response.status, 429 | 503),
    };
    if is_limited { RetryCost::TryUnlessRateLimited } else { RetryCost::Try }
}

/// Reports whether a failure is a refused or reset connection, as from a server with too many connections.
pub(crate) fn is_cut_off(kind: FailureKind) -> bool {
    matches!(kind, FailureKind::Refused | FailureKind::Reset)
}

/// Reports whether a status is an error other than throttling.
fn is_error(status: u16) -> bool {
    matches!(status, 400..=599) && status != 429
}

/// Reports whether a status may be another one soon. 501 Not Implemented and 505 HTTP Version Not Supported are server
/// errors that load does not cause.
fn is_failing_for_now(status: u16) -> bool {
    matches!(status, 429 | 500..=599) && !matches!(status, 501 | 505)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::RedirectTarget;
    use ResponseClass::{Broken, Challenge, Failed, NotModified, Silent, Success, Throttled};
    use mapwright_model::{Lane, Tries, UrlId};
    use mapwright_web::{PageUrl, UrlIdentity};

    const POLICY: RetryPolicy = RetryPolicy { retries: 2, max_retry_after: Duration::from_secs(60), audits: false };

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a.example{path}"), &UrlIdentity::default()).unwrap()
    }

    fn task(purpose: Purpose, attempt: u8) -> Task {
        let tries = Tries { attempt, ..Tries::default() };
        Task { tries, ..Task::new(1, UrlId(1), url("/"), purpose, Lane::Link) }
    }

    /// Returns the cost of the retry, if there is one.
    fn cost_of(purpose: Purpose, attempt: u8, response: &Response, audits: bool) -> Option<RetryCost> {
        match decide(&task(purpose, attempt), response, &RetryPolicy { audits, ..POLICY }) {
            Some(Settlement::Retry { cost, .. }) => Some(cost),
            Some(Settlement::Robots(RobotsAnswer::Retry(_))) => Some(RetryCost::Try),
            Some(other) => panic!("{other:?}"),
            None => None,
        }
    }

    fn response(status: u16, class: ResponseClass) -> Response {
        Response { status, class, wait: None }
    }

    #[test]
    fn responses_that_may_be_another_one_soon_are_requested_again_while_tries_are_left() {
        let (again, limited) = (Some(RetryCost::Try), Some(RetryCost::TryUnlessRateLimited));
        let (refused, unresolved) = (Silent(FailureKind::Refused), Silent(FailureKind::Dns));
        let cases = [
            (response(200, Success), None),
            (response(200, Broken), again),
            (response(304, NotModified), None),
            (response(404, Failed), None),
            (response(429, Throttled), limited),
            (response(500, Failed), again),
            (response(501, Failed), None),
            (response(503, Failed), limited),
            (response(503, Challenge), limited),
            (response(505, Failed), None),
            (response(0, refused.clone()), limited),
            (response(0, unresolved), FailureKind::Dns.transient().then_some(RetryCost::Try)),
        ];
        for (response, expected) in cases {
            for purpose in [Purpose::Page, Purpose::Sitemap, Purpose::Feed, Purpose::Probe] {
                assert_eq!(cost_of(purpose, 0, &response, false), expected, "{purpose:?} {response:?}");
                assert_eq!(cost_of(purpose, 2, &response, false), None, "no try is left: {response:?}");
            }
        }
        assert_eq!(cost_of(Purpose::Robots, 0, &response(500, Failed), false), again);
    }

    #[test]
    fn an_audit_confirms_errors_of_pages_once() {
        for status in [400, 401, 403, 404, 410, 500, 501] {
            let error = response(status, Failed);
            assert!(cost_of(Purpose::Page, 0, &error, true).is_some(), "{status}");
            assert_eq!(cost_of(Purpose::Page, 2, &error, true), None, "{status}");
            assert_eq!(cost_of(Purpose::Sitemap, 0, &response(404, Failed), true), None);
        }
        let unresolved = response(0, Silent(FailureKind::Dns));
        assert!(cost_of(Purpose::Page, 0, &unresolved, true).is_some());
    }

    #[test]
    fn a_wait_beyond_the_limit_is_not_waited_for() {
        let busy = |seconds| Response { wait: Some(Duration::from_secs(seconds)), ..response(503, Throttled) };
        let wait = |response: &Response| match decide(&task(Purpose::Page, 0), response, &POLICY) {
            Some(Settlement::Retry { after, .. }) => after,
            _ => None,
        };
        assert_eq!(wait(&busy(60)), Some(Duration::from_secs(60)));
        assert!(decide(&task(Purpose::Page, 0), &busy(61), &POLICY).is_none());
        assert!(decide(&task(Purpose::Page, 0), &busy(61), &RetryPolicy { audits: true, ..POLICY }).is_none());
    }

    #[test]
    fn an_external_url_is_requested_a_second_time_alone() {
        assert_eq!(cost_of(Purpose::External, 0, &response(404, Failed), false), Some(RetryCost::Try));
        assert_eq!(cost_of(Purpose::External, 0, &response(503, Failed), false), Some(RetryCost::Try));
        assert_eq!(cost_of(Purpose::External, 1, &response(404, Failed), false), None);
        assert_eq!(cost_of(Purpose::External, 0, &response(429, Throttled), false), None);
        assert_eq!(cost_of(Purpose::External, 0, &response(200, Broken), false), None);
        assert_eq!(cost_of(Purpose::External, 0, &response(0, Silent(FailureKind::Dns)), false), Some(RetryCost::Try));
    }

    #[test]
    fn a_page_that_sets_a_cookie_and_redirects_to_itself_is_requested_once_more() {
        let to = |path: &str, sets_cookie| {
            let redirect = RedirectTarget { url: url(path), spelling: None, sets_cookie };
            response(302, ResponseClass::Redirect(Box::new(redirect)))
        };
        assert_eq!(cost_of(Purpose::Page, 0, &to("/", true), false), Some(RetryCost::Nothing));
        assert_eq!(cost_of(Purpose::Page, 0, &to("/", false), false), None);
        assert_eq!(cost_of(Purpose::Page, 0, &to("/other", true), false), None);
        let tries = Tries { to_itself: true, ..Tries::default() };
        let returned = Task { tries, ..task(Purpose::Page, 0) };
        assert!(decide(&returned, &to("/", true), &POLICY).is_none());
    }
}
