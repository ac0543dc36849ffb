//! One site, crawled again and again on one record.

use std::collections::BTreeMap;
use std::ops::Deref;

use mapwright_testkit::living::dates;
use mapwright_testkit::{Request, Site};
use rusqlite::Connection;

use crate::command::Done;
use crate::night::clock;
use crate::{Command, Crawl, Crawled, Workspace};

/// A site and the workspace in which it is crawled from its root page.
#[derive(Debug)]
pub struct Rounds {
    site: Site,
    workspace: Workspace,
}

impl Rounds {
    /// An empty site that was never crawled.
    #[must_use]
    pub fn new() -> Rounds {
        Rounds { site: Site::open(), workspace: Workspace::new() }
    }

    /// The workspace.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Crawls with these further arguments, to a whole end.
    ///
    /// # Panics
    /// Where the crawl does not end with 0.
    #[track_caller]
    #[must_use]
    pub fn crawl_with(&self, arguments: &[&str]) -> Round {
        let (before, began) = (self.site.requests().len(), clock::millis());
        let crawl = Crawl::of(&self.site).within(&self.workspace).args(arguments);
        let crawled = crawl.run().exited(0);
        let mut requests = self.site.requests();
        requests.drain(..before);
        let dates = dates_of(&crawled);
        Round { crawled, requests, began, ended: clock::millis(), dates }
    }

    /// Crawls, to a whole end.
    ///
    /// # Panics
    /// Where the crawl does not end with 0.
    #[track_caller]
    #[must_use]
    pub fn crawl(&self) -> Round {
        self.crawl_with(&[])
    }

    /// Crawls so many times, to a whole end each, and gives the last.
    ///
    /// # Panics
    /// Where a crawl does not end with 0, and for no times.
    #[track_caller]
    #[must_use]
    pub fn crawls(&self, times: usize) -> Round {
        assert!(times > 0, "at least one crawl");
        (1..times).for_each(|_| drop(self.crawl()));
        self.crawl()
    }

    /// Lets the record have known the page at this path for so many milliseconds longer than it has.
    ///
    /// # Panics
    /// Where the record does not know it.
    #[track_caller]
    pub fn backdate_first(&self, path: &str, millis: i64) {
        let record = self.record();
        let update = "UPDATE memory SET first = first - ?2 WHERE url = (SELECT id FROM url WHERE text = ?1)";
        assert_eq!(record.execute(update, (self.site.url(path), millis)), Ok(1), "{path} is not known");
    }

    /// Changes the record by SQL, as no crawl would.
    ///
    /// # Panics
    /// Where there is no record, or the SQL fails.
    #[track_caller]
    pub fn tamper(&self, sql: &str) {
        self.record().execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    #[track_caller]
    fn record(&self) -> Connection {
        Connection::open(self.workspace.state().join("record.sqlite")).expect("a record")
    }

    /// Runs a command that asks the record: these words, and `--state`.
    #[track_caller]
    #[must_use]
    pub fn ask(&self, words: &[&str]) -> Done {
        Command::new(words).arg("--state").arg(self.workspace.state()).within(&self.workspace).run()
    }
}

impl Default for Rounds {
    fn default() -> Rounds {
        Rounds::new()
    }
}

impl Deref for Rounds {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

/// The `lastmod` of a page, if it has one, and where that comes from (empty where there is none).
type Date = (Option<String>, String);

/// Of each listed URL, its date as it stands in the sitemap, and its source as it stands in the record.
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
/// What [`Round::crawled`] tells is read when it is asked, after later rounds perhaps; the rest is as it was after this
/// one.
#[derive(Debug)]
pub struct Round {
    /// What it has left behind.
    pub crawled: Crawled,
    /// What it asked for, in order.
    pub requests: Vec<Request>,
    /// Milliseconds since 1970.
    pub began: i64,
    /// Milliseconds since 1970.
    pub ended: i64,
    dates: BTreeMap<String, Date>,
}

impl Round {
    /// How often this crawl asked for a path.
    #[must_use]
    pub fn hits(&self, path: &str) -> usize {
        self.requests.iter().filter(|request| request.is_for(path)).count()
    }

    /// The conditions under which it asked for a path: `If-None-Match` and `If-Modified-Since`.
    ///
    /// # Panics
    /// Where it did not ask for it, or more than once.
    #[track_caller]
    #[must_use]
    pub fn conditions(&self, path: &str) -> (Option<&str>, Option<&str>) {
        let asked: Vec<&Request> = self.requests.iter().filter(|request| request.is_for(path)).collect();
        let [request] = asked.as_slice() else { panic!("{path} was asked for {} times", asked.len()) };
        (request.header("if-none-match"), request.header("if-modified-since"))
    }

    /// The `lastmod` of a listed URL, as written.
    ///
    /// # Panics
    /// Where the URL is not listed.
    #[track_caller]
    #[must_use]
    pub fn lastmod(&self, url: &str) -> Option<String> {
        self.date(url).0.clone()
    }

    /// Where the `lastmod` of a listed URL comes from; empty where it has none.
    ///
    /// # Panics
    /// Where the URL is not listed.
    #[track_caller]
    #[must_use]
    pub fn source(&self, url: &str) -> String {
        self.date(url).1.clone()
    }

    #[track_caller]
    fn date(&self, url: &str) -> &Date {
        self.dates.get(url).unwrap_or_else(|| panic!("{url} is not listed: {:#?}", self.dates))
    }

    /// Asserts that the page is dated by a change that was seen after `before`, and in this round at the latest.
    ///
    /// # Panics
    /// When it is not.
    #[track_caller]
    pub fn assert_changed_since(&self, url: &str, before: &Round) {
        let told = self.lastmod(url).unwrap_or_else(|| panic!("{url} has no lastmod, but has changed"));
        let instant = dates::instant(&told).unwrap_or_else(|| panic!("{told} is no date"));
        // A date without a fraction is that of the second's beginning.
        let within = before.began - before.began % 1_000..=self.ended;
        assert!(within.contains(&instant), "{url} changed at {told}, which is not within {within:?}");
        assert_eq!(self.source(url), "change", "{url}");
    }

    /// Asserts that the page has no `lastmod`.
    ///
    /// # Panics
    /// When it has one.
    #[track_caller]
    pub fn assert_undated(&self, url: &str) {
        assert_eq!(self.lastmod(url), None, "{url}, from {}", self.source(url));
    }
}
