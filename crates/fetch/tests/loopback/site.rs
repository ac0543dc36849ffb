//! Servers that send whatever a test wants, and helpers to request them.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mapwright_fetch::{Accept, Conditions, Failure, Fetch, FetchOptions, HttpFetch, Method, Reply, Request};
use mapwright_web::media::Kinds;
use mapwright_web::{Origin, PageUrl, UrlIdentity};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A listener on a free loopback port that records the request heads it got.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
}

/// One connection to a site.
pub(crate) struct Talk {
    pub(crate) socket: TcpStream,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Passes each connection to `talk`.
    pub(crate) async fn talking<F, Fut>(talk: F) -> Site
    where
        F: Fn(Talk) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let site =
            Site { address: listener.local_addr().unwrap(), requests: Arc::default(), connections: Arc::default() };
        let (requests, connections) = (site.requests.clone(), site.connections.clone());
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(talk(Talk { socket, requests: requests.clone() }));
            }
        });
        site
    }

    /// Gives every request on every connection the same answer.
    pub(crate) async fn answering(answer: impl Into<Vec<u8>>) -> Site {
        let answer = Arc::new(answer.into());
        Site::talking(move |mut talk| {
            let answer = answer.clone();
            async move {
                while talk.request().await.is_some() {
                    talk.say(&*answer).await;
                }
            }
        })
        .await
    }

    /// Gives one answer and closes the connection.
    pub(crate) async fn answering_once(answer: impl Into<Vec<u8>>) -> Site {
        let answer = Arc::new(answer.into());
        Site::talking(move |mut talk| {
            let answer = answer.clone();
            async move {
                talk.request().await;
                talk.say(&*answer).await;
            }
        })
        .await
    }

    /// `http://127.0.0.1:PORT` and the path.
    pub(crate) fn url(&self, path: &str) -> PageUrl {
        url(&format!("http://{}{path}", self.address))
    }

    pub(crate) fn origin(&self) -> Origin {
        self.url("/").origin()
    }

    /// The heads of the requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// The head of the only request so far.
    pub(crate) fn request(&self) -> String {
        let requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:?}");
        requests[0].clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Options for a crawl that starts here.
    pub(crate) fn options(&self) -> FetchOptions {
        FetchOptions { first_party: vec![self.origin()], ..FetchOptions::default() }
    }

    /// One fetch of `/` in a crawl that starts here.
    pub(crate) async fn get(&self) -> Result<Reply, Failure> {
        self.get_with(self.options()).await
    }

    pub(crate) async fn get_with(&self, options: FetchOptions) -> Result<Reply, Failure> {
        get(&fetcher(options), &self.url("/")).await
    }
}

impl Talk {
    /// The head of the next request; `None` when the client is gone.
    pub(crate) async fn request(&mut self) -> Option<String> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.socket.read_u8().await.ok()?);
        }
        let head = String::from_utf8(head).unwrap();
        self.requests.lock().unwrap().push(head.clone());
        Some(head)
    }

    /// Sends bytes; a client that is gone does not matter.
    pub(crate) async fn say(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.socket.write_all(bytes.as_ref()).await;
        let _ = self.socket.flush().await;
    }

    /// Sends nothing until the client goes away.
    pub(crate) async fn hold(mut self) {
        while self.request().await.is_some() {}
    }

    /// Sends the same bytes over and over, with a pause before each time, until the client goes away.
    pub(crate) async fn drip(mut self, bytes: &[u8], pause: Duration) {
        loop {
            tokio::time::sleep(pause).await;
            if self.socket.write_all(bytes).await.is_err() {
                return;
            }
        }
    }
}

/// A complete response: status line, these header lines, the length, the body.
pub(crate) fn answer(status: &str, header_lines: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let lines: String = header_lines.iter().map(|line| format!("{line}\r\n")).collect();
    let head = format!("HTTP/1.1 {status}\r\n{lines}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

pub(crate) fn ok(body: impl AsRef<[u8]>) -> Vec<u8> {
    answer("200 OK", &["Content-Type: text/html"], body)
}

pub(crate) fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}

pub(crate) fn fetcher(options: FetchOptions) -> HttpFetch {
    HttpFetch::new(options).unwrap()
}

pub(crate) fn request(url: &PageUrl) -> Request {
    Request {
        method: Method::Get,
        url: url.clone(),
        spelling: None,
        conditions: Conditions::default(),
        accept: Accept::Page,
        max_body: 1 << 20,
        full_body_kinds: Kinds::PAGES,
        cookie_wall: false,
    }
}

pub(crate) async fn get(fetch: &HttpFetch, url: &PageUrl) -> Result<Reply, Failure> {
    fetch.fetch(request(url)).await
}

/// The value of a header line of a request head.
pub(crate) fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().find_map(|line| {
        let (known, value) = line.split_once(": ")?;
        known.eq_ignore_ascii_case(name).then_some(value)
    })
}
