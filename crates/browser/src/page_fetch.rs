//! The requests that pages make while their scripts run.

use mapwright_fetch::{Fetch, Reply, Request};
use mapwright_model::FailedReason;
use mapwright_web::PageUrl;
use std::future::Future;
use std::time::Duration;

/// Longest wait for the answer to a request of a page, its turn not counted. The page's clock stands meanwhile, so that
/// without a limit it would stand for ever.
const REQUEST_LIMIT: Duration = Duration::from_secs(10);

/// An implementation that answers the requests of pages.
///
/// The rules for them are those of the crawl: address guard, robots.txt of every host, pace, limits, secrets.
pub trait PageFetch: Send + Sync + 'static {
    /// Sends a request that `page` makes, and reads the response within [`fetch_in_time`]'s limit. Redirects are
    /// returned.
    fn fetch_for(&self, page: &PageUrl, request: Request) -> impl Future<Output = Result<Reply, FailedReason>> + Send;
}

/// A fetcher alone: robots.txt is not read, and there is no pace.
impl<F: Fetch> PageFetch for F {
    async fn fetch_for(&self, _page: &PageUrl, request: Request) -> Result<Reply, FailedReason> {
        fetch_in_time(self, request).await
    }
}

/// Sends one request of a page, for ten seconds at most.
pub async fn fetch_in_time<F: Fetch>(fetch: &F, request: Request) -> Result<Reply, FailedReason> {
    match tokio::time::timeout(REQUEST_LIMIT, fetch.fetch(request)).await {
        Ok(reply) => reply.map_err(|failure| FailedReason::Failure(failure.kind)),
        Err(_) => Err(FailedReason::TimedOut),
    }
}
