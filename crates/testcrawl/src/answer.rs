//! One answer of the fake web.

use mapwright_fetch::{Failure, Headers, Reply};
use mapwright_model::FailureKind;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// One answer of the fake web.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Arrives at once.
    Reply(Reply),
    /// Does not arrive, for this reason.
    Fails(FailureKind),
    /// Arrives after this time.
    Late(Duration, Reply),
    /// The code that reads it panics.
    Panics,
    /// Never arrives.
    Never,
    /// Stops the crawl, and arrives nevertheless.
    Stops(Reply),
    /// Stops the crawl, and never arrives.
    StopsForever,
}

impl Answer {
    /// Behaves as the answer says; `stop` stops the crawl.
    pub(crate) async fn arrive(self, url: &str, stop: &CancellationToken) -> Result<Reply, Failure> {
        match self {
            Self::Reply(reply) => Ok(reply),
            Self::Fails(kind) => {
                let detail = format!("{url}: {kind}");
                Err(Failure { kind, detail, after: Duration::from_millis(1), head_seen: false })
            }
            Self::Late(wait, reply) => {
                tokio::time::sleep(wait).await;
                Ok(reply)
            }
            Self::Panics => panic!("a page that no reader survives"),
            Self::Never => std::future::pending().await,
            Self::Stops(reply) => {
                stop.cancel();
                tokio::task::yield_now().await;
                Ok(reply)
            }
            Self::StopsForever => {
                stop.cancel();
                std::future::pending().await
            }
        }
    }
}

/// Returns a response.
#[must_use]
pub fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    Reply::of(status, Headers::from_pairs(headers.iter().copied()), body.as_bytes().to_vec())
}

/// Returns a page.
#[must_use]
pub fn page(html: &str) -> Reply {
    reply(200, &[("content-type", "text/html; charset=utf-8")], html)
}
