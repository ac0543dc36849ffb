//! Shared by the tests: a client, and engines on loopback.

use std::time::Duration;

use mapwright_publish::{AnnounceError, EngineClient, IndexNow, Key, Ping};
use mapwright_testkit::{FakeSite, Response, ServerAction};
use url::Url;

pub(crate) const AGENT: &str = "mapwright/0.1.0 (+https://example.com/bot)";
pub(crate) const KEY: &str = "s3cret-K3Y-of-the-site";

/// A client with a timeout long enough for a busy machine.
pub(crate) fn caller() -> EngineClient {
    EngineClient::new(AGENT, Duration::from_secs(30), None).unwrap()
}

/// A client with a short timeout, for engines that never answer.
pub(crate) fn hasty() -> EngineClient {
    EngineClient::new(AGENT, Duration::from_secs(2), None).unwrap()
}

pub(crate) fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// The stand-in as an engine of IndexNow.
pub(crate) fn engine(site: &FakeSite) -> IndexNow {
    IndexNow { endpoint: url(&site.url("/indexnow")), key: Key::parse(KEY).unwrap(), key_location: None }
}

/// URLs `/0`, `/1` and so on of a host.
pub(crate) fn pages(host: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("https://{host}/{number}")).collect()
}

/// A body that never ends, with this status.
pub(crate) fn endless(status: u16) -> ServerAction {
    let prefix = Response::new(status).until_close().to_bytes();
    ServerAction::Endless { prefix, chunk: b"all work and no play ".to_vec(), gap: Duration::ZERO }
}

pub(crate) async fn ping(site: &FakeSite) -> Result<(), AnnounceError> {
    let ping = Ping::parse(&site.url("/ping?sitemap={sitemap}")).unwrap();
    ping.call(&caller(), &url("https://example.com/sitemap.xml")).await
}
