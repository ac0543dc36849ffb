//! A dashboard on a loopback port, and those who ask it.

use crate::made::Made;
use mapwright_dashboard::{Board, Door, Keeper, Limits};
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

/// A dashboard that answers.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) made: Arc<Made>,
    pub(crate) stop: CancellationToken,
    pub(crate) task: JoinHandle<()>,
    pub(crate) keeper: Keeper,
    client: Client,
}

impl Served {
    /// Open to everybody on this machine.
    pub(crate) async fn open(made: Arc<Made>) -> Served {
        Self::with(made, |_| {}).await
    }

    /// With the token.
    pub(crate) async fn closed(made: Arc<Made>) -> Served {
        Self::with(made, |door| door.token = Some(TOKEN.to_owned())).await
    }

    pub(crate) async fn with(made: Arc<Made>, change: impl FnOnce(&mut Door)) -> Served {
        Self::within(made, Limits::default(), change).await
    }

    pub(crate) async fn within(made: Arc<Made>, limits: Limits, change: impl FnOnce(&mut Door)) -> Served {
        let mut door = Door::on("127.0.0.1:0".parse().unwrap());
        change(&mut door);
        let board = Board::bind_within(door, Arc::clone(&made) as _, limits).await.unwrap();
        let (address, keeper, stop) = (board.address(), board.keeper(), CancellationToken::new());
        let task = tokio::spawn(board.run(stop.clone()));
        let client = Client::builder().redirect(redirect::Policy::none()).no_proxy().timeout(PATIENCE).build().unwrap();
        Served { address, made, stop, task, keeper, client }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> RequestBuilder {
        self.client.request(Method::from_bytes(method.as_bytes()).unwrap(), self.url(path))
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.request("GET", path).ask().await
    }

    /// As a browser that has a session.
    pub(crate) async fn visit(&self, browser: &Browser, path: &str) -> Answer {
        self.request("GET", path).header("cookie", &browser.cookie).ask().await
    }

    /// Presses a button of a page.
    pub(crate) async fn press(&self, browser: &Browser, path: &str) -> Answer {
        self.press_on(browser, path, "job").await
    }

    /// The same on the list of jobs, say.
    pub(crate) async fn press_on(&self, browser: &Browser, path: &str, page: &str) -> Answer {
        let form = format!("csrf={}&back={page}", browser.csrf);
        self.request("POST", path).header("cookie", &browser.cookie).of_form(self, form).ask().await
    }

    /// The browser of somebody who was let in by `answer`, or who is asked nothing.
    pub(crate) async fn browser(&self, answer: &Answer) -> Browser {
        let cookie = answer.cookie().expect("a cookie");
        let page = self.request("GET", "/jobs/shop").header("cookie", &cookie).ask().await;
        Browser { csrf: page.csrf().unwrap_or_default(), cookie }
    }

    pub(crate) async fn log_in(&self, form: &str) -> Answer {
        self.request("POST", "/login").of_form(self, form.to_owned()).ask().await
    }

    /// Sends bytes as they are, and gives what comes back until the other end closes.
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

pub(crate) trait Asking {
    async fn ask(self) -> Answer;
    fn of_form(self, served: &Served, form: String) -> Self;
}

impl Asking for RequestBuilder {
    async fn ask(self) -> Answer {
        Answer::of(self.send().await.unwrap()).await
    }

    /// As browsers send the forms of our own pages.
    fn of_form(self, served: &Served, form: String) -> Self {
        self.header("origin", format!("http://{}", served.address))
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form)
    }
}

/// Waits until it is so.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
