//! The fake web site.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::answer::ServerAction;
use crate::request::ReceivedRequest;
use crate::response::Response;
use crate::routes::{Route, Routes};
use crate::serve::{self, Shared};
use crate::sitemap;

/// Timeout of a request that a test expects.
const PATIENCE: Duration = Duration::from_secs(60);

/// A web site on a loopback port that answers each request by its table, and records it.
///
/// Paths are matched exactly as sent. One with a query matches that target only; one without matches any query. One
/// that ends in `*` is a prefix. One that begins with `//host/` matches that host only (by the `Host` field); the
/// others match every host. A path without an entry answers 404.
///
/// Entries may be added and replaced at any time. The methods that set them return the site, for chaining.
#[derive(Debug)]
pub struct FakeSite {
    address: SocketAddr,
    shared: Arc<Shared>,
    /// Dropped to stop the site.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FakeSite {
    /// Starts an empty site on a free port of 127.0.0.1, like [`FakeSite::open`], for async tests.
    ///
    /// # Panics
    /// When no port is available.
    pub async fn start() -> FakeSite {
        FakeSite::open()
    }

    /// Starts an empty site on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When no port is available.
    #[must_use]
    pub fn open() -> FakeSite {
        FakeSite::at("127.0.0.1:0")
    }

    /// Starts an empty site on this address, such as `127.0.0.2:0` or `[::1]:8080`; port 0 takes a free one.
    ///
    /// # Panics
    /// When the address cannot be bound.
    #[must_use]
    pub fn at(address: impl ToSocketAddrs) -> FakeSite {
        let listener = TcpListener::bind(address).expect("a loopback address for the fake site");
        let address = listener.local_addr().expect("the address of a bound socket");
        let shared = Arc::<Shared>::default();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name(format!("site {address}"))
            .spawn({
                let shared = Arc::clone(&shared);
                move || live(listener, shared, stopped)
            })
            .expect("a thread for the fake site");
        FakeSite { address, shared, stop: Some(stop), thread: Some(thread) }
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Its URL without a path and trailing slash: `http://127.0.0.1:8080`.
    #[must_use]
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base())
    }

    /// The URLs of paths.
    #[must_use]
    pub fn urls(&self, paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| self.url(path)).collect()
    }

    /// Answers with this HTML, as UTF-8.
    pub fn page(&self, path: &str, html: impl Into<Vec<u8>>) -> &FakeSite {
        self.answer(path, Response::html(html))
    }

    /// Answers 200 with a body of this media type.
    pub fn file(&self, path: &str, content_type: &str, body: impl Into<Vec<u8>>) -> &FakeSite {
        self.answer(path, Response::new(200).content_type(content_type).body(body))
    }

    /// Answers with this `robots.txt`.
    pub fn robots(&self, text: impl Into<Vec<u8>>) -> &FakeSite {
        self.answer("/robots.txt", Response::text(text))
    }

    /// Answers with a sitemap that lists these paths of this site.
    pub fn sitemap(&self, path: &str, listed: &[&str]) -> &FakeSite {
        self.answer(path, Response::xml(sitemap::urlset(&self.urls(listed))))
    }

    /// Answers with a sitemap index that names these paths of this site.
    pub fn sitemap_index(&self, path: &str, parts: &[&str]) -> &FakeSite {
        self.answer(path, Response::xml(sitemap::index(&self.urls(parts))))
    }

    /// Redirects with this status to a location, which is sent unchanged.
    pub fn redirect(&self, from: &str, to: &str, status: u16) -> &FakeSite {
        self.answer(from, Response::redirect(status, to))
    }

    /// Answers with this status and a line of HTML.
    pub fn status(&self, path: &str, status: u16) -> &FakeSite {
        self.answer(path, Response::html(format!("<h1>Status {status}</h1>")).status(status))
    }

    /// Sends exactly these bytes, head included, then closes.
    pub fn raw(&self, path: &str, bytes: impl Into<Vec<u8>>) -> &FakeSite {
        self.answer(path, ServerAction::raw(bytes))
    }

    /// Sends exactly these bytes, head included, one by one with a gap before each, then closes.
    pub fn drip(&self, path: &str, bytes: impl Into<Vec<u8>>, gap: Duration) -> &FakeSite {
        self.answer(path, ServerAction::Drip { bytes: bytes.into(), gap })
    }

    /// Reads the request and never answers.
    pub fn stall(&self, path: &str) -> &FakeSite {
        self.answer(path, ServerAction::stall_after([]))
    }

    /// Reads the request and resets the connection.
    pub fn reset(&self, path: &str) -> &FakeSite {
        self.answer(path, ServerAction::reset_after([]))
    }

    /// Reads the request and closes the connection without a response.
    pub fn close(&self, path: &str) -> &FakeSite {
        self.answer(path, ServerAction::raw([]))
    }

    /// Answers with an HTML page without length that repeats this chunk until the client leaves.
    pub fn endless(&self, path: &str, chunk: impl Into<Vec<u8>>) -> &FakeSite {
        let prefix = Response::html([]).until_close().to_bytes();
        self.answer(path, ServerAction::Endless { prefix, chunk: chunk.into(), gap: Duration::ZERO })
    }

    /// Calls this function for every answer.
    pub fn handler<A: Into<ServerAction>>(
        &self,
        path: &str,
        handler: impl Fn(&ReceivedRequest) -> A + Send + Sync + 'static,
    ) -> &FakeSite {
        self.routes().set(path, Route::Handler(Arc::new(move |request| handler(request).into())));
        self
    }

    /// Gives this answer.
    pub fn answer(&self, path: &str, answer: impl Into<ServerAction>) -> &FakeSite {
        self.routes().set(path, Route::Fixed(Arc::new(answer.into())));
        self
    }

    /// Gives this answer to the first `n` requests; after them the answer of a further `first_n` follows, or the path's
    /// usual one.
    pub fn first_n(&self, path: &str, n: usize, answer: impl Into<ServerAction>) -> &FakeSite {
        self.routes().first_n(path, n, answer.into());
        self
    }

    /// Waits this long before every well-formed response.
    pub fn latency(&self, latency: Duration) -> &FakeSite {
        let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        self.shared.latency.store(micros, Ordering::Relaxed);
        self
    }

    /// Every request so far, in the order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.shared.journal.read().requests.clone()
    }

    /// The requests for a path.
    #[must_use]
    pub fn requests_for(&self, path: &str) -> Vec<ReceivedRequest> {
        self.shared.journal.read().requests.iter().filter(|request| request.is_for(path)).cloned().collect()
    }

    /// The number of requests for a path.
    #[must_use]
    pub fn hits(&self, path: &str) -> usize {
        self.shared.journal.hits(path)
    }

    /// The maximum number of simultaneous requests.
    #[must_use]
    pub fn max_in_flight(&self) -> usize {
        self.shared.journal.read().max_in_flight
    }

    /// The number of accepted connections.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.shared.journal.read().connections
    }

    /// The number of bytes sent for a path (without query), heads included. Some of them, a few megabytes at most, may
    /// still be in socket buffers.
    #[must_use]
    pub fn bytes_sent(&self, path: &str) -> u64 {
        self.shared.journal.read().bytes_sent.get(path).copied().unwrap_or(0)
    }

    /// The number of bytes sent in all.
    #[must_use]
    pub fn total_bytes_sent(&self) -> u64 {
        self.shared.journal.read().bytes_sent.values().sum()
    }

    /// Blocks until a path was requested `n` times, which brings a crawl to a known point.
    ///
    /// # Panics
    /// When that does not happen within a minute.
    #[track_caller]
    pub fn wait_for(&self, path: &str, n: usize) {
        let came = self.shared.journal.wait_for(path, n, PATIENCE);
        assert!(came, "{path} was requested {} times within {PATIENCE:?}, not {n} times", self.hits(path));
    }

    /// Does the same as [`FakeSite::wait_for`], without blocking the runtime.
    ///
    /// # Panics
    /// When that does not happen within a minute.
    pub async fn wait_for_requests(&self, path: &str, n: usize) {
        let came = self.shared.journal.wait_for_requests(path, n, PATIENCE).await;
        assert!(came, "{path} was requested {} times within {PATIENCE:?}, not {n} times", self.hits(path));
    }

    fn routes(&self) -> MutexGuard<'_, Routes> {
        self.shared.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FakeSite {
    /// Closes every connection and releases the port before it returns.
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let crashed = thread.join().is_err();
            assert!(!crashed || std::thread::panicking(), "the fake site crashed");
        }
    }
}

/// Serves on a runtime of its own until the other end of `stopped` is dropped.
fn live(listener: TcpListener, shared: Arc<Shared>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        listener.set_nonblocking(true).expect("a socket that does not block");
        let listener = tokio::net::TcpListener::from_std(listener).expect("a socket known to the runtime");
        tokio::select! {
            () = serve::accept(listener, shared) => {}
            _ = stopped => {}
        }
    });
}
