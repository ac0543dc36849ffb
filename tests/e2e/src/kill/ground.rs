//! The site on which crawls are cut.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use mapwright_testkit::{Request, Response, Site};

use super::ledger::Ledger;
use super::map::{Map, SPAN};

/// So that requests are in flight at any instant of the crawl.
const LATENCY: Duration = Duration::from_millis(2);
/// Asked for by the test itself, see [`Ground::settle`].
const SETTLED: &str = "/-/settled";

/// A site with links, redirects, a sitemap, a robots.txt, noindex, nofollow, canonicals, dates, pages that are gone
/// and one that is out of order; its [`Ledger`] tells who asked for what.
#[derive(Debug)]
pub struct Ground {
    site: Site,
    map: Map,
    ledger: Arc<Ledger>,
}

impl Ground {
    /// A site of so many URLs, rounded up to whole twenties.
    #[must_use]
    pub fn of(numbers: usize) -> Ground {
        let (site, ledger) = (Site::open(), Arc::<Ledger>::default());
        let map = Map { base: site.base(), numbers: numbers.next_multiple_of(SPAN) };
        let (atlas, log) = (map.clone(), Arc::clone(&ledger));
        site.handler("/*", move |request: &Request| {
            log.note(request.origin_form());
            atlas.answer(request.path())
        });
        site.latency(LATENCY).answer(SETTLED, Response::new(204).closing());
        Ground { site, map, ledger }
    }

    /// The site, to make it slower for instance.
    #[must_use]
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// Where a crawl starts.
    #[must_use]
    pub fn start(&self) -> String {
        self.site.url("/")
    }

    /// The URLs that belong in its sitemap.
    #[must_use]
    pub fn listed(&self) -> BTreeSet<String> {
        self.map.listed().map(|path| self.site.url(&path)).collect()
    }

    /// Who asked for what.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Returns once the site has read all that processes sent which have ended: the request made here comes after
    /// theirs.
    ///
    /// # Panics
    /// Where the site does not answer.
    pub fn settle(&self) {
        let mut stream = TcpStream::connect(self.site.address()).expect("a connection to the site");
        let request = format!("GET {SETTLED} HTTP/1.1\r\nHost: {}\r\n\r\n", self.site.address());
        stream.write_all(request.as_bytes()).expect("a request to the site");
        let read = stream.read_to_end(&mut Vec::new()).expect("an answer of the site");
        assert!(read > 0, "the site gave no answer");
    }
}
