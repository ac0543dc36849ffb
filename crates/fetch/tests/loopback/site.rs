//! Sites that give every request one answer, and helpers to request them.

use std::ops::Deref;
use std::time::Duration;

use mapwright_fetch::{Accept, Conditions, Failure, Fetch, FetchOptions, HttpFetch, Method, Reply, Request};
use mapwright_testkit::{Ending, FakeSite, ReceivedRequest, ServerAction};
use mapwright_web::media::Kinds;
use mapwright_web::{Origin, PageUrl, UrlIdentity};

/// A fake site whose paths all have the same answer, with its URLs as the fetcher takes them.
pub(crate) struct Site(pub(crate) FakeSite);

impl Site {
    pub(crate) fn with(answer: impl Into<ServerAction>) -> Site {
        let site = FakeSite::open();
        site.answer("/*", answer);
        Site(site)
    }

    /// Sends exactly these bytes, and keeps the connection open for the next request.
    pub(crate) fn answering(bytes: impl Into<Vec<u8>>) -> Site {
        Site::with(ServerAction::Raw { bytes: bytes.into(), then: Ending::KeepAlive })
    }

    /// Sends the prefix, then the chunk again and again, with a gap before each time.
    pub(crate) fn endless(prefix: impl Into<Vec<u8>>, chunk: impl Into<Vec<u8>>, gap: Duration) -> Site {
        Site::with(ServerAction::Endless { prefix: prefix.into(), chunk: chunk.into(), gap })
    }

    pub(crate) fn url(&self, path: &str) -> PageUrl {
        url(&self.0.url(path))
    }

    pub(crate) fn origin(&self) -> Origin {
        self.url("/").origin()
    }

    /// The only request so far.
    pub(crate) fn request(&self) -> ReceivedRequest {
        let [request] = <[ReceivedRequest; 1]>::try_from(self.requests()).unwrap();
        request
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

impl Deref for Site {
    type Target = FakeSite;

    fn deref(&self) -> &FakeSite {
        &self.0
    }
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
        scripted: None,
    }
}

pub(crate) async fn get(fetch: &HttpFetch, url: &PageUrl) -> Result<Reply, Failure> {
    fetch.fetch(request(url)).await
}
