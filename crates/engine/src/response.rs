//! A response as its head classifies it, before its body is read (RFC 9110 section 15).

use jiff::Timestamp;
use mapwright_fetch::{BodyState, Reply};
use mapwright_model::{FailureKind, FetchMode, Purpose, Task};
use mapwright_web::{PageUrl, Spelling, UrlIdentity};
use std::time::Duration;

/// A classified response, or the failure of a request without one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Response {
    /// The status; 0 without a response.
    pub(crate) status: u16,
    pub(crate) class: ResponseClass,
    /// The wait that the server requests.
    pub(crate) wait: Option<Duration>,
}

/// The classes of responses.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ResponseClass {
    /// 304 Not Modified, to a conditional request.
    NotModified,
    /// A redirect that can be followed.
    Redirect(Box<RedirectTarget>),
    /// Any status of success (2xx).
    Success,
    /// A status of success whose body broke off.
    Broken,
    /// The server throttles the crawler: 429, 503 with a wait, or a wait beyond the limit.
    Throttled,
    /// A firewall sent a challenge instead of the page.
    Challenge,
    /// Any other status.
    Failed,
    /// There was no response.
    Silent(FailureKind),
}

/// The target of a redirect.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RedirectTarget {
    pub(crate) url: PageUrl,
    /// The percent-encoding of the requested URL to which it redirects: browsers follow that redirect, and reach the
    /// page.
    pub(crate) spelling: Option<Spelling>,
    /// The response sets a cookie.
    pub(crate) sets_cookie: bool,
}

/// The rules by which responses are classified.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResponseRules<'a> {
    pub(crate) identity: &'a UrlIdentity,
    /// The longest wait that a server may request before it counts as throttling.
    pub(crate) max_retry_after: Duration,
}

impl Response {
    /// Classifies the response to a task that was requested `at` this time.
    pub(crate) fn of(task: &Task, at: Timestamp, reply: &Reply, rules: ResponseRules<'_>) -> Self {
        let wait = mapwright_fetch::retry_after(&reply.headers, at);
        let is_success = matches!(reply.status, 200..=299);
        let is_limited = reply.status == 429 || (reply.status == 503 && wait.is_some());
        let class = if reply.status == 304 && matches!(task.mode, FetchMode::Conditional(_)) {
            ResponseClass::NotModified
        } else if let Some(redirect) = RedirectTarget::of(task, reply, rules.identity) {
            ResponseClass::Redirect(Box::new(redirect))
        } else if is_challenge(reply) {
            ResponseClass::Challenge
        } else if is_success && matches!(reply.body_state, BodyState::Broken(_)) {
            ResponseClass::Broken
        } else if is_success {
            ResponseClass::Success
        } else if is_limited || wait.is_some_and(|wait| wait > rules.max_retry_after) {
            ResponseClass::Throttled
        } else {
            ResponseClass::Failed
        };
        Self { status: reply.status, class, wait }
    }

    /// Returns the failure of a request without a response.
    pub(crate) fn silent(kind: FailureKind) -> Self {
        Self { status: 0, class: ResponseClass::Silent(kind), wait: None }
    }

    /// Returns the target, if it is a redirect that can be followed.
    pub(crate) fn redirect(&self) -> Option<&RedirectTarget> {
        if let ResponseClass::Redirect(redirect) = &self.class { Some(redirect) } else { None }
    }

    /// Reports whether the server throttles the crawler, or its firewall challenges it: neither is a broken page.
    pub(crate) fn throttles(&self) -> bool {
        matches!(self.class, ResponseClass::Throttled | ResponseClass::Challenge)
    }
}

impl RedirectTarget {
    /// Returns the target of a redirect, if the response is one that can be followed.
    fn of(task: &Task, reply: &Reply, identity: &UrlIdentity) -> Option<Self> {
        let location = reply.headers.location().filter(|_| matches!(reply.status, 300..=303 | 307 | 308))?;
        let url = PageUrl::join(task.url.as_url(), location, encoding_rs::UTF_8, identity).ok()?;
        let is_spelled = !task.tries.to_itself && (task.purpose == Purpose::Page || task.purpose.is_target());
        let spelling = is_spelled.then(|| Spelling::of(location, task.url.as_url(), &task.url, identity)).flatten();
        Some(Self { url, spelling, sets_cookie: reply.set_cookie })
    }

    /// Reports whether the same URL is to be requested again: in another percent-encoding, or with the cookie that the
    /// page sets to see whether it comes back.
    pub(crate) fn leads_back(&self, task: &Task) -> bool {
        let wants_cookie =
            self.url == task.url && self.sets_cookie && !task.tries.to_itself && task.purpose == Purpose::Page;
        wants_cookie || self.spelling.is_some()
    }
}

/// Reports whether a firewall sent a challenge instead of the page, by the headers of Cloudflare and AWS WAF: the page
/// was not served, whatever the status. (401 and 403 count as themselves.)
fn is_challenge(reply: &Reply) -> bool {
    let header = |name: &str| reply.headers.get(name).unwrap_or_default().trim().to_ascii_lowercase();
    let is_challenge_header = header("cf-mitigated") == "challenge"
        || matches!(header("x-amzn-waf-action").as_str(), "challenge" | "captcha");
    is_challenge_header && !matches!(reply.status, 401 | 403)
}
