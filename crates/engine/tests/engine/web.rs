//! A web that is a table of responses.

use mapwright_fetch::{Failure, Fetch, Headers, Reply, Request};
use mapwright_model::FailureKind;
use mapwright_web::Spelling;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// One response of the table.
#[derive(Clone)]
pub(crate) enum Answer {
    Reply(Reply),
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

/// Responses by URL, the last one repeatedly; URLs outside the table answer 404. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Web {
    answers: Arc<Mutex<HashMap<String, VecDeque<Answer>>>>,
    requested: Arc<Mutex<Vec<(Instant, String)>>>,
    pub(crate) stop: CancellationToken,
}

impl Web {
    /// Adds the next response of `url`.
    pub(crate) fn answers(self, url: &str, answer: Answer) -> Self {
        self.answers.lock().unwrap().entry(url.to_owned()).or_default().push_back(answer);
        self
    }

    pub(crate) fn page(self, url: &str, html: &str) -> Self {
        self.answers(url, Answer::Reply(page(html)))
    }

    /// Adds a page that links to these URLs.
    pub(crate) fn links(self, url: &str, targets: &[&str]) -> Self {
        self.page(url, &links(targets))
    }

    pub(crate) fn redirect(self, url: &str, target: &str) -> Self {
        self.answers(url, Answer::Reply(reply(301, &[("location", target)], "")))
    }

    /// Adds a page that links to these URLs, and takes this time.
    pub(crate) fn late(self, url: &str, wait: Duration, targets: &[&str]) -> Self {
        self.answers(url, Answer::Late(wait, page(&links(targets))))
    }

    pub(crate) fn status(self, url: &str, status: u16) -> Self {
        self.answers(url, Answer::Reply(reply(status, &[("content-type", "text/html")], "<a href='/trap'>x</a>")))
    }

    pub(crate) fn fails(self, url: &str, kind: FailureKind) -> Self {
        self.answers(url, Answer::Fails(kind))
    }

    pub(crate) fn text(self, url: &str, text: &str) -> Self {
        self.answers(url, Answer::Reply(reply(200, &[("content-type", "text/plain")], text)))
    }

    pub(crate) fn sitemap(self, url: &str, locs: &[&str]) -> Self {
        let entries: String = locs.iter().map(|loc| format!("<url><loc>{loc}</loc></url>")).collect();
        self.xml(url, &format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>"))
    }

    pub(crate) fn index(self, url: &str, locs: &[&str]) -> Self {
        let entries: String = locs.iter().map(|loc| format!("<sitemap><loc>{loc}</loc></sitemap>")).collect();
        let open = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
        self.xml(url, &format!("{open}{entries}</sitemapindex>"))
    }

    pub(crate) fn xml(self, url: &str, text: &str) -> Self {
        self.answers(url, Answer::Reply(reply(200, &[("content-type", "application/xml")], text)))
    }

    pub(crate) fn bytes(self, url: &str, content_type: &str, body: &[u8]) -> Self {
        let headers = Headers::from_pairs([("content-type", content_type)]);
        self.answers(url, Answer::Reply(Reply::of(200, headers, body.to_vec())))
    }

    /// Returns every requested URL, in order.
    pub(crate) fn requested(&self) -> Vec<String> {
        self.requested.lock().unwrap().iter().map(|(_, url)| url.clone()).collect()
    }

    /// Returns the time of the first request for a URL with this prefix.
    pub(crate) fn first_requested(&self, start: &str) -> Instant {
        let requested = self.requested.lock().unwrap();
        requested.iter().find(|(_, url)| url.starts_with(start)).expect("one was requested").0
    }

    /// Returns the time of the last request for a URL with this prefix.
    pub(crate) fn last_requested(&self, start: &str) -> Instant {
        let requested = self.requested.lock().unwrap();
        requested.iter().rev().find(|(_, url)| url.starts_with(start)).expect("one was requested").0
    }

    /// Returns the number of requests for this URL.
    pub(crate) fn times(&self, url: &str) -> usize {
        self.requested().iter().filter(|requested| *requested == url).count()
    }

    fn answer(&self, url: &str) -> Answer {
        self.requested.lock().unwrap().push((Instant::now(), url.to_owned()));
        let mut answers = self.answers.lock().unwrap();
        let Some(left) = answers.get_mut(url) else { return Answer::Reply(reply(404, &[], "")) };
        if left.len() > 1 { left.pop_front().unwrap() } else { left[0].clone() }
    }
}

impl Fetch for Web {
    async fn fetch(&self, request: Request) -> Result<Reply, Failure> {
        let spelt = request.spelling.as_ref().map_or(request.url.as_url(), Spelling::as_url);
        match self.answer(spelt.as_str()) {
            Answer::Reply(reply) => Ok(reply),
            Answer::Fails(kind) => {
                let detail = format!("{}: {kind}", request.url);
                Err(Failure { kind, detail, after: Duration::from_millis(1), head_seen: false })
            }
            Answer::Late(wait, reply) => {
                tokio::time::sleep(wait).await;
                Ok(reply)
            }
            Answer::Panics => panic!("a page that no reader survives"),
            Answer::Never => std::future::pending().await,
            Answer::Stops(reply) => {
                self.stop.cancel();
                tokio::task::yield_now().await;
                Ok(reply)
            }
            Answer::StopsForever => {
                self.stop.cancel();
                std::future::pending().await
            }
        }
    }
}

pub(crate) fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    Reply::of(status, Headers::from_pairs(headers.iter().copied()), body.as_bytes().to_vec())
}

fn links(targets: &[&str]) -> String {
    let links: Vec<String> = targets.iter().map(|target| format!("<a href='{target}'>x</a>")).collect();
    links.join("\n")
}

pub(crate) fn page(html: &str) -> Reply {
    reply(200, &[("content-type", "text/html; charset=utf-8")], html)
}
