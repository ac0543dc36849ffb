//! Blocking work, outside the runtime.

use mapwright_crawl::CrawlError;

/// Runs blocking work on a thread outside the runtime.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CrawlError> + Send + 'static,
) -> Result<T, CrawlError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| CrawlError::panicked(&error))?
}
