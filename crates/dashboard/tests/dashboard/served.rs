//! A dashboard on a loopback port, and its clients.

use crate::made::Made;
use mapwright_dashboard::{AccessConfig, ReloadHandle, Server, ServerLimits};
use reqwest::{Client, Method, RequestBuilder, Response, redirect};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";
/// Longest wait for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running dashboard.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) made: Arc<Made>,
    pub(crate) stop: CancellationToken,
    pub(crate) task: JoinHandle<()>,
    pub(crate) reload_handle: ReloadHandle,
    client: Client,
}

impl Served {
    /// A dashboard without authentication.
    pub(crate) async fn open(made: Arc<Made>) -> Served {
        Self::with(made, |_| {}).await
    }

    /// A dashboard with a token.
    pub(crate) async fn closed(made: Arc<Made>) -> Served {
        Self::with(made, |access| access.token = Some(TOKEN.to_owned())).await
    }

    pub(crate) async fn with(made: Arc<Made>, change: impl FnOnce(&mut AccessConfig)) -> Served {
        Self::within(made, ServerLimits::default(), change).await
    }

    pub(crate) async fn within(
        made: Arc<Made>,
        limits: ServerLimits,
        change: impl FnOnce(&mut AccessConfig),
    ) -> Served {
        let mut access = AccessConfig::on("127.0.0.1:0".parse().unwrap());
        change(&mut access);
        let board = Server::bind_within(access, Arc::clone(&made) as _, made.jobs_file.clone(), limits).await.unwrap();
        let (address, reload_handle, stop) = (board.address(), board.reload_handle(), CancellationToken::new());
        let task = tokio::spawn(board.run(stop.clone()));
        let client = Client::builder().redirect(redirect::Policy::none()).no_proxy().timeout(PATIENCE).build().unwrap();
        Served { address, made, stop, task, reload_handle, client }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> RequestBuilder {
        self.client.request(Method::from_bytes(method.as_bytes()).unwrap(), self.url(path))
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.request("GET", path).request().await
    }

    /// Requests a page with the session of a browser.
    pub(crate) async fn visit(&self, browser: &Browser, path: &str) -> Answer {
        self.request("GET", path).header("cookie", &browser.cookie).request().await
    }

    /// Presses a button of a page.
    pub(crate) async fn press(&self, browser: &Browser, path: &str) -> Answer {
        self.press_on(browser, path, "job").await
    }

    /// Presses a button of a given page, such as the list of jobs.
    pub(crate) async fn press_on(&self, browser: &Browser, path: &str, page: &str) -> Answer {
        let form = format!("csrf={}&back={page}", browser.csrf);
        self.request("POST", path).header("cookie", &browser.cookie).of_form(self, form).request().await
    }

    /// The browser that received the session cookie of `answer`.
    pub(crate) async fn browser(&self, answer: &Answer) -> Browser {
        let cookie = answer.cookie().expect("a cookie");
        let page = self.request("GET", "/jobs/shop").header("cookie", &cookie).request().await;
        Browser { csrf: page.csrf().unwrap_or_default(), cookie }
    }

    pub(crate) async fn log_in(&self, form: &str) -> Answer {
        self.request("POST", "/login").of_form(self, form.to_owned()).request().await
    }

    /// Sends raw bytes, and returns the response until the other end closes.
    pub(crate) async fn raw(&self, bytes: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an end");
        read.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A browser with a session.
pub(crate) struct Browser {
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

/// An answer that was read.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    async fn of(response: Response) -> Answer {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, body: String::from_utf8_lossy(&response.bytes().await.unwrap()).into_owned() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn cookie(&self) -> Option<String> {
        self.headers.get("set-cookie").map(|field| field.to_str().unwrap().split(';').next().unwrap().to_owned())
    }

    fn csrf(&self) -> Option<String> {
        let (_, rest) = self.body.split_once("name=\"csrf\" value=\"")?;
        Some(rest.split('"').next().unwrap().to_owned())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{:?}\n{}", self.headers, self.body);
        self
    }
}

pub(crate) trait Requests {
    async fn request(self) -> Answer;
    fn of_form(self, served: &Served, form: String) -> Self;
}

impl Requests for RequestBuilder {
    async fn request(self) -> Answer {
        Answer::of(self.send().await.unwrap()).await
    }

    /// Sends a form as browsers send those of our own pages.
    fn of_form(self, served: &Served, form: String) -> Self {
        self.header("origin", format!("http://{}", served.address))
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form)
    }
}

/// Waits until the condition holds.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
