//! The requests that pages make while their scripts run: by the robots.txt of every host, in its turn, each asset once.

mod asset_cache;
mod robots;

use crate::visit::signal_of;
use asset_cache::AssetCache;
use jiff::Timestamp;
use mapwright_browser::{PageFetch, fetch_in_time};
use mapwright_fetch::{Fetch, Reply, Request};
use mapwright_frontier::Frontier;
use mapwright_model::{FailedReason, FailureKind};
use mapwright_web::{Origin, PageUrl};
use robots::HostRules;
pub(crate) use robots::RobotsFiles;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// Requests of pages in flight at one host, beside those of the crawl: browsers open as many connections.
const AT_ONCE: usize = 6;
/// Wait before a request that failed for now is sent once more.
const RETRY_WAIT: Duration = Duration::from_millis(500);

/// Sends the requests of pages.
#[derive(Debug)]
pub struct PageRequests<F, C> {
    fetcher: C,
    frontier: Arc<F>,
    began: Instant,
    robots: Arc<RobotsFiles>,
    assets: AssetCache,
    places: Mutex<HashMap<Origin, Arc<Semaphore>>>,
}

impl<F: Frontier, C: Fetch> PageRequests<F, C> {
    pub(crate) fn new(fetcher: C, frontier: Arc<F>, began: Instant, robots: Arc<RobotsFiles>) -> Self {
        let (assets, places) = (AssetCache::default(), Mutex::default());
        Self { fetcher, frontier, began, robots, assets, places }
    }

    /// Sends a request in the turn of its host, and once more if it fails for now.
    async fn send(&self, request: Request, rules: &HostRules) -> Result<Reply, FailedReason> {
        let reply = self.send_once(request.clone(), rules).await;
        if !is_transient(&reply) {
            return reply;
        }
        tokio::time::sleep(RETRY_WAIT).await;
        self.send_once(request, rules).await
    }

    async fn send_once(&self, request: Request, rules: &HostRules) -> Result<Reply, FailedReason> {
        let origin = request.url.origin();
        let places = Arc::clone(
            self.places
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(origin.clone())
                .or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE))),
        );
        // The semaphore is never closed.
        let _place = places.acquire().await;
        let at = self.frontier.turn(self.began.elapsed(), &origin, rules.crawl_delay());
        tokio::time::sleep_until(self.began + at).await;
        let reply = fetch_in_time(&self.fetcher, request).await;
        let signal = reply.as_ref().map(|reply| signal_of(reply, Timestamp::now()));
        if let Some(signal) = signal.ok().filter(|signal| signal.throttled) {
            self.frontier.throttled(self.began.elapsed(), &origin, &signal);
        }
        reply
    }
}

/// Reports whether a request is worth a second try: the server is overloaded, or the connection broke.
fn is_transient(reply: &Result<Reply, FailedReason>) -> bool {
    match reply {
        Ok(reply) => matches!(reply.status, 429 | 500 | 502..=504),
        Err(FailedReason::Failure(kind)) => matches!(kind, FailureKind::Reset | FailureKind::Refused),
        Err(_) => false,
    }
}

impl<F: Frontier, C: Fetch> PageFetch for PageRequests<F, C> {
    async fn fetch_for(&self, _page: &PageUrl, request: Request) -> Result<Reply, FailedReason> {
        let rules = self.robots.of(&self.fetcher, &request.url.origin()).await?;
        if !self.robots.allows(&rules, &request.url) {
            return Err(FailedReason::Robots);
        }
        self.assets.get(request, |request| self.send(request, &rules)).await
    }
}
