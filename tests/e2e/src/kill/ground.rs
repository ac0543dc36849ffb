//! The site whose crawls are interrupted.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use mapwright_testkit::{FakeSite, ReceivedRequest, Response};

use super::map::{Map, SPAN};
use super::request_log::RequestLog;

/// The delay of each response, so that requests are in flight at any time of the crawl.
const LATENCY: Duration = Duration::from_millis(2);
/// The path that the test itself requests, see [`InterruptionSite::settle`].
const SETTLED: &str = "/-/settled";

/// A site with links, redirects, a sitemap, a robots.txt, noindex, nofollow, canonicals, dates, pages that answer 404
/// and one that answers 500; its [`RequestLog`] logs the requests of each process.
#[derive(Debug)]
pub struct InterruptionSite {
    site: FakeSite,
    map: Map,
    request_log: Arc<RequestLog>,
}

impl InterruptionSite {
    /// A site with this number of URLs, rounded up to a multiple of 20.
    pub fn of(numbers: usize) -> InterruptionSite {
        let (site, request_log) = (FakeSite::open(), Arc::<RequestLog>::default());
        let map = Map { base: site.base(), numbers: numbers.next_multiple_of(SPAN) };
        let (atlas, log) = (map.clone(), Arc::clone(&request_log));
        site.handler("/*", move |request: &ReceivedRequest| {
            log.note(request.origin_form());
            atlas.answer(request.path())
        });
        site.latency(LATENCY).answer(SETTLED, Response::new(204).closing());
        InterruptionSite { site, map, request_log }
    }

    /// The site, for example to make it slower.
    pub fn site(&self) -> &FakeSite {
        &self.site
    }

    /// The start URL of a crawl.
    pub fn start(&self) -> String {
        self.site.url("/")
    }

    /// The URLs that belong in its sitemap.
    pub fn listed(&self) -> BTreeSet<String> {
        self.map.listed().map(|path| self.site.url(&path)).collect()
    }

    /// The request log.
    pub fn request_log(&self) -> &RequestLog {
        &self.request_log
    }

    /// Returns once the site has read all requests of processes that have ended: it makes a request that comes after
    /// theirs.
    pub fn settle(&self) {
        let mut stream = TcpStream::connect(self.site.address()).expect("a connection to the site");
        let request = format!("GET {SETTLED} HTTP/1.1\r\nHost: {}\r\n\r\n", self.site.address());
        stream.write_all(request.as_bytes()).expect("a request to the site");
        let read = stream.read_to_end(&mut Vec::new()).expect("an answer of the site");
        assert!(read > 0, "the site gave no answer");
    }
}
