//! The robots.txt of the hosts that pages request (RFC 9309): search engines read that of every host.

use mapwright_browser::fetch_in_time;
use mapwright_fetch::{Accept, Conditions, Fetch, Method, Reply, Request};
use mapwright_frontier::{MAX_ROBOTS_HOPS, RobotsAnswer};
use mapwright_model::{FailedReason, FailureKind};
use mapwright_web::media::Kinds;
use mapwright_web::{Origin, PageUrl, Robots, UrlIdentity};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

/// Most hosts that are requested in one run for the sake of pages.
const MAX_HOSTS: usize = 1_000;

/// The rules of one host.
#[derive(Debug, Clone)]
pub(crate) enum HostRules {
    /// These rules apply to this crawler.
    Rules(Arc<Robots>, Option<f64>),
    /// No restrictions.
    Free,
    /// Everything is disallowed.
    Shut,
}

impl HostRules {
    /// The seconds between two requests that the host requires.
    pub(crate) fn crawl_delay(&self) -> Option<f64> {
        if let Self::Rules(_, delay) = self { *delay } else { None }
    }
}

/// The rules of a host, once they are known.
type Rules = Arc<OnceCell<Result<HostRules, FailedReason>>>;

/// The rules of all hosts so far.
#[derive(Debug)]
pub(crate) struct RobotsFiles {
    /// The crawler's product token.
    agent: String,
    ignored: bool,
    max_bytes: u64,
    hosts: Mutex<HashMap<Origin, Rules>>,
}

impl RobotsFiles {
    /// `ignored`: rules are not obeyed. At most `max_bytes` of a file are read.
    pub(crate) fn new(agent: String, ignored: bool, max_bytes: u64) -> Self {
        Self { agent, ignored, max_bytes, hosts: Mutex::default() }
    }

    /// Notes the answer of an origin that the crawl itself has requested.
    pub(crate) fn learn(&self, origin: &Origin, answer: &RobotsAnswer) {
        let rules = match answer {
            RobotsAnswer::Rules(robots) => self.compiled(Robots::clone(robots)),
            RobotsAnswer::Free => HostRules::Free,
            RobotsAnswer::Status(_) | RobotsAnswer::Silent(_) => HostRules::Shut,
            RobotsAnswer::Hop(_) | RobotsAnswer::Retry(_) => return,
        };
        if let Some(cell) = self.cell(origin) {
            // It may be known from the request of a page.
            drop(cell.set(Ok(rules)));
        }
    }

    /// Returns the rules of an origin, which is requested where they are not known.
    pub(crate) async fn of<C: Fetch>(&self, fetcher: &C, origin: &Origin) -> Result<HostRules, FailedReason> {
        let Some(cell) = self.cell(origin) else { return Err(FailedReason::Failure(FailureKind::Guarded)) };
        if self.ignored {
            return Ok(HostRules::Free);
        }
        cell.get_or_init(|| self.request(fetcher, origin)).await.clone()
    }

    /// Reports whether the crawler may request this URL.
    pub(crate) fn allows(&self, rules: &HostRules, url: &PageUrl) -> bool {
        match rules {
            HostRules::Rules(robots, _) => robots.rule_for(&self.agent, url).allowed,
            HostRules::Free => true,
            HostRules::Shut => false,
        }
    }

    fn cell(&self, origin: &Origin) -> Option<Rules> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MAX_HOSTS && !hosts.contains_key(origin) {
            return None;
        }
        Some(Arc::clone(hosts.entry(origin.clone()).or_default()))
    }

    fn compiled(&self, robots: Robots) -> HostRules {
        let delay = robots.crawl_delay(&self.agent);
        HostRules::Rules(Arc::new(robots), delay)
    }

    /// Requests the file and follows its redirects (RFC 9309 section 2.3.1).
    async fn request<C: Fetch>(&self, fetcher: &C, origin: &Origin) -> Result<HostRules, FailedReason> {
        let identity = UrlIdentity::default();
        let Ok(mut url) = PageUrl::parse(&format!("{origin}/robots.txt"), &identity) else {
            return Ok(HostRules::Free);
        };
        for _ in 0..=MAX_ROBOTS_HOPS {
            let reply = fetch_in_time(fetcher, self.request_of(&url)).await?;
            match target(&reply, &url) {
                Some(target) => url = target,
                None => return Ok(self.rules_of(&reply)),
            }
        }
        Ok(HostRules::Free)
    }

    fn rules_of(&self, reply: &Reply) -> HostRules {
        match reply.status {
            200..=299 => self.compiled(Robots::compile(&reply.body)),
            429 | 500..=599 => HostRules::Shut,
            _ => HostRules::Free,
        }
    }

    fn request_of(&self, url: &PageUrl) -> Request {
        Request {
            method: Method::Get,
            url: url.clone(),
            spelling: None,
            conditions: Conditions::default(),
            accept: Accept::Robots,
            max_body: self.max_bytes,
            full_body_kinds: Kinds::ALL,
            cookie_wall: false,
            scripted: None,
        }
    }
}

/// Returns the target of a redirect.
fn target(reply: &Reply, url: &PageUrl) -> Option<PageUrl> {
    let location = reply.headers.location().filter(|_| matches!(reply.status, 300..=303 | 307 | 308))?;
    PageUrl::join(url.as_url(), location, encoding_rs::UTF_8, &UrlIdentity::default()).ok()
}
