//! One site, crawled repeatedly on one record.

use std::collections::BTreeMap;
use std::ops::Deref;

use mapwright_testkit::living::dates;
use mapwright_testkit::{FakeSite, ReceivedRequest};
use rusqlite::Connection;

use crate::{Command, CommandOutput, Crawl, Crawled, Workspace, clock};

/// A site and the workspace in which it is crawled from its root page.
#[derive(Debug)]
pub struct RepeatedCrawls {
    site: FakeSite,
    workspace: Workspace,
}

impl RepeatedCrawls {
    /// An empty site that was never crawled.
    pub fn new() -> RepeatedCrawls {
        RepeatedCrawls { site: FakeSite::open(), workspace: Workspace::new() }
    }

    /// The workspace.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Crawls with these further arguments, completely.
    #[track_caller]
    pub fn crawl_with(&self, arguments: &[&str]) -> CrawlRound {
        let (before, began) = (self.site.requests().len(), clock::millis());
        let crawl = Crawl::of(&self.site).within(&self.workspace).args(arguments);
        let crawled = crawl.run().exited(0);
        let mut requests = self.site.requests();
        requests.drain(..before);
        let dates = dates_of(&crawled);
        CrawlRound { crawled, requests, began, ended: clock::millis(), dates }
    }

    /// Crawls completely.
    #[track_caller]
    pub fn crawl(&self) -> CrawlRound {
        self.crawl_with(&[])
    }

    /// Crawls this number of times, completely each time, and returns the last round.
    #[track_caller]
    pub fn crawls(&self, times: usize) -> CrawlRound {
        assert!(times > 0, "at least one crawl");
        (1..times).for_each(|_| drop(self.crawl()));
        self.crawl()
    }

    /// Moves the first visit of the page at this path back by this number of milliseconds in the record.
    #[track_caller]
    pub fn backdate_first(&self, path: &str, millis: i64) {
        let record = self.record();
        let update = "UPDATE memory SET first = first - ?2 WHERE url = (SELECT id FROM url WHERE text = ?1)";
        assert_eq!(record.execute(update, (self.site.url(path), millis)), Ok(1), "{path} is not known");
    }

    /// Changes the record by SQL in a way that no crawl does.
    #[track_caller]
    pub fn tamper(&self, sql: &str) {
        self.record().execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    #[track_caller]
    fn record(&self) -> Connection {
        Connection::open(self.workspace.path("state/record.sqlite")).expect("a record")
    }

    /// Runs a command that reads the record: these arguments, and `--state`.
    #[track_caller]
    pub fn query(&self, words: &[&str]) -> CommandOutput {
        Command::new(words).arg("--state").arg(self.workspace.state()).within(&self.workspace).run()
    }
}

impl Default for RepeatedCrawls {
    fn default() -> RepeatedCrawls {
        RepeatedCrawls::new()
    }
}

impl Deref for RepeatedCrawls {
    type Target = FakeSite;

    fn deref(&self) -> &FakeSite {
        &self.site
    }
}

/// The `lastmod` of a page, if it has one, and its source (empty without a `lastmod`).
type Date = (Option<String>, String);

/// The date of each listed URL: its `lastmod` from the sitemap, and its source from the record.
fn dates_of(crawled: &Crawled) -> BTreeMap<String, Date> {
    let rows = crawled.query("SELECT url, lastmod_from FROM v_listed");
    let mut sources: BTreeMap<String, String> =
        rows.into_iter().filter_map(|row| <[String; 2]>::try_from(row).ok()).map(<(String, String)>::from).collect();
    let date = |(url, lastmod): (String, Option<String>)| {
        let source = sources.remove(&url).unwrap_or_default();
        (url, (lastmod, source))
    };
    crawled.lastmods().into_iter().map(date).collect()
}

/// One crawl of several.
///
/// [`CrawlRound::crawled`] reads the files when a method is called, possibly after later rounds; the other fields hold
/// the state after this round.
#[derive(Debug)]
pub struct CrawlRound {
    /// The results on disk.
    pub crawled: Crawled,
    /// The requests of this crawl, in order.
    pub requests: Vec<ReceivedRequest>,
    /// Milliseconds since 1970.
    pub began: i64,
    /// Milliseconds since 1970.
    pub ended: i64,
    dates: BTreeMap<String, Date>,
}

impl CrawlRound {
    /// The number of requests of this crawl for a path.
    pub fn hits(&self, path: &str) -> usize {
        self.requests.iter().filter(|request| request.is_for(path)).count()
    }

    /// The conditions of the request for a path: `If-None-Match` and `If-Modified-Since`.
    #[track_caller]
    pub fn conditions(&self, path: &str) -> (Option<&str>, Option<&str>) {
        let requested: Vec<&ReceivedRequest> = self.requests.iter().filter(|request| request.is_for(path)).collect();
        let [request] = requested.as_slice() else { panic!("{path} was requested {} times", requested.len()) };
        (request.header("if-none-match"), request.header("if-modified-since"))
    }

    /// The `lastmod` of a listed URL, as written.
    #[track_caller]
    pub fn lastmod(&self, url: &str) -> Option<String> {
        self.date(url).0.clone()
    }

    /// The source of the `lastmod` of a listed URL; empty without a `lastmod`.
    #[track_caller]
    pub fn source(&self, url: &str) -> String {
        self.date(url).1.clone()
    }

    #[track_caller]
    fn date(&self, url: &str) -> &Date {
        self.dates.get(url).unwrap_or_else(|| panic!("{url} is not listed: {:#?}", self.dates))
    }

    /// Asserts that the page's `lastmod` comes from a change seen after `before`, and in this round at the latest.
    #[track_caller]
    pub fn assert_changed_since(&self, url: &str, before: &CrawlRound) {
        let output = self.lastmod(url).unwrap_or_else(|| panic!("{url} has no lastmod, but has changed"));
        let instant = dates::instant(&output).unwrap_or_else(|| panic!("{output} is no date"));
        // A date without a fraction is the beginning of its second.
        let within = before.began - before.began % 1_000..=self.ended;
        assert!(within.contains(&instant), "{url} changed at {output}, which is not within {within:?}");
        assert_eq!(self.source(url), "change", "{url}");
    }

    /// Asserts that the page has no `lastmod`.
    #[track_caller]
    pub fn assert_undated(&self, url: &str) {
        assert_eq!(self.lastmod(url), None, "{url}, from {}", self.source(url));
    }
}
