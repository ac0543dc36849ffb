//! A site given by a table of responses, crawled into a record of its own.

use mapwright_engine::{Engine, EngineOptions, NoObserver, Reading, Start};
use mapwright_fetch::{Failure, Fetch, Headers, Reply, Request};
use mapwright_frontier::Rules;
use mapwright_model::FailureKind;
use mapwright_store::{
    Cell, Export, JudgeOptions, LocalFrontier, Record, Recrawl, Renames, RunInfo, RunState, RunSummary,
};
use mapwright_verdict::Reason;
use mapwright_web::{PageUrl, Scope, ScopeKind, UrlIdentity};
use rusqlite::Connection;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// The start URL of every crawl.
pub(crate) const START: &str = "http://example.com/";

/// A site with responses by URL; other URLs answer 404.
#[derive(Clone, Default)]
pub(crate) struct Site {
    answers: HashMap<String, Result<Reply, FailureKind>>,
    exclude: Vec<String>,
    max_urls: Option<u64>,
    list: Vec<String>,
    startless: bool,
}

impl Site {
    /// Adds a response with these header fields.
    pub(crate) fn answer(mut self, path: &str, status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let headers = Headers::from_pairs(headers.iter().copied());
        self.answers.insert(url(path), Ok(Reply::of(status, headers, body.as_bytes().to_vec())));
        self
    }

    pub(crate) fn page(self, path: &str, html: &str) -> Self {
        self.answer(path, 200, &[("content-type", "text/html")], html)
    }

    /// Adds a page with unique content and these links.
    pub(crate) fn links(self, path: &str, targets: &[&str]) -> Self {
        let links: String = targets.iter().map(|target| format!("<a href='{target}'>x</a>")).collect();
        self.page(path, &format!("{links} this is {path}"))
    }

    /// Adds a page with unique content and this `Last-Modified`.
    pub(crate) fn dated(self, path: &str, modified: &str) -> Self {
        let headers = [("content-type", "text/html"), ("last-modified", modified)];
        self.answer(path, 200, &headers, &format!("this is {path}"))
    }

    pub(crate) fn redirect(self, path: &str, target: &str) -> Self {
        self.answer(path, 301, &[("location", target)], "")
    }

    pub(crate) fn fails(mut self, path: &str, kind: FailureKind) -> Self {
        self.answers.insert(url(path), Err(kind));
        self
    }

    pub(crate) fn excluding(mut self, pattern: &str) -> Self {
        self.exclude.push(pattern.to_owned());
        self
    }

    /// Sets the URL list of the user.
    pub(crate) fn url_list(self, paths: &[&str]) -> Self {
        Self { list: paths.iter().map(|path| url(path)).collect(), ..self }
    }

    /// Crawls only the list, without a start URL.
    pub(crate) fn startless(self) -> Self {
        Self { startless: true, ..self }
    }

    pub(crate) fn with_budget(self, max_urls: u64) -> Self {
        Self { max_urls: Some(max_urls), ..self }
    }

    /// Crawls and judges the site once.
    pub(crate) fn crawled(&self) -> Crawled {
        let mut crawled = Crawled { folder: TempDir::new().unwrap(), record: None };
        crawled.again(self);
        crawled
    }

    fn engine(&self, record: &Record) -> EngineOptions {
        let reading = Reading { keys: record.keys(), ..Reading::default() };
        EngineOptions { reading, ..EngineOptions::default() }
    }

    fn crawl(&self, mut record: Record) -> Record {
        record
            .begin(&RunInfo { starts: format!("[\"{START}\"]"), settings: "{}".to_owned(), ..RunInfo::default() })
            .unwrap();
        let options = self.engine(&record);
        let rules = Rules { backoff: Duration::from_millis(1), max_urls: self.max_urls, ..Rules::default() };
        let (frontier, writer_handle) = LocalFrontier::start(record, rules, Recrawl::default()).unwrap();
        let list = self.list.iter().map(|url| parse(url)).collect();
        let mut start = Start { urls: vec![parse(START)], list, resumed: None };
        let scope = Scope::new(ScopeKind::Host, start.urls.clone(), Vec::new(), &[], &self.exclude).unwrap();
        if self.startless {
            start.urls.clear();
        }
        let engine = Engine::new(frontier, self.clone(), scope, options, Arc::new(NoObserver));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(engine.run(start, CancellationToken::new())).unwrap();
        drop(runtime);
        writer_handle.take().unwrap()
    }
}

impl Fetch for Site {
    async fn fetch(&self, request: Request) -> Result<Reply, Failure> {
        match self.answers.get(request.url.as_str()) {
            Some(Ok(reply)) => Ok(reply.clone()),
            None => Ok(Reply::of(404, Headers::default(), Vec::new())),
            Some(Err(kind)) => {
                Err(Failure { kind: *kind, detail: kind.to_string(), after: Duration::ZERO, head_seen: false })
            }
        }
    }
}

/// A record with its folder.
pub(crate) struct Crawled {
    folder: TempDir,
    record: Option<Record>,
}

impl Crawled {
    /// Crawls and judges the site again.
    pub(crate) fn again(&mut self, site: &Site) {
        let record = self.record.take().unwrap_or_else(|| Record::open(self.folder.path()).unwrap());
        let mut record = site.crawl(record);
        record.end(RunState::Complete, &RunSummary { listed: 1, ..RunSummary::default() }).unwrap();
        self.record = Some(record);
        self.judge();
    }

    pub(crate) fn judge(&mut self) {
        self.judge_as(None);
    }

    /// Judges pages that are published under other URLs.
    pub(crate) fn judge_as(&mut self, published: Option<Renames<'_>>) {
        let options = JudgeOptions {
            published,
            lists: &|kind| matches!(kind, "html" | "xhtml"),
            no_list: &|url| url.contains("/nolist"),
            duplicate_key: &|url| parse(url).duplicate_key_text(),
            recommended: false,
            unreached: Reason::Budget,
            lastmod: true,
            learns: true,
            remembers: true,
            follows_nofollow: false,
            keep_failing: 3,
        };
        self.record.as_mut().unwrap().judge(&options).unwrap();
    }

    pub(crate) fn record(&self) -> &Record {
        self.record.as_ref().unwrap()
    }

    pub(crate) fn record_mut(&mut self) -> &mut Record {
        self.record.as_mut().unwrap()
    }

    pub(crate) fn listed(&self) -> Vec<String> {
        let mut urls = Vec::new();
        self.record()
            .listed(|listed| {
                urls.push(short(&listed.url));
                Ok::<_, Failed>(())
            })
            .unwrap();
        urls
    }

    /// The reason of each URL that is not listed, with its evidence.
    pub(crate) fn excluded(&self) -> BTreeMap<String, (&'static str, Option<String>)> {
        let mut reasons = BTreeMap::new();
        let note = |row: &[Cell<'_>]| {
            let [Cell::Text(url), Cell::Text(reason), evidence, ..] = row else { panic!("{row:?}") };
            let evidence = if let Cell::Text(text) = evidence { Some(short(text)) } else { None };
            let reason = Reason::ALL.iter().find(|known| known.as_str() == *reason).unwrap().as_str();
            assert!(reasons.insert(short(url), (reason, evidence)).is_none(), "{url} has two reasons");
            Ok::<_, Failed>(())
        };
        self.record().export(Export::Excluded, note).unwrap();
        reasons
    }

    /// The reason for which this URL is not listed; empty where it is.
    pub(crate) fn reason(&self, path: &str) -> &'static str {
        let known = self.excluded().get(path).map(|(reason, _)| *reason);
        known.unwrap_or_else(|| if self.listed().contains(&path.to_owned()) { "" } else { panic!("{path} is unknown") })
    }

    /// The date of a listed page, and its source.
    pub(crate) fn lastmod(&self, path: &str) -> Option<(String, String)> {
        let query = "SELECT lastmod, lastmod_from FROM v_listed WHERE url = ?";
        self.reader()
            .query_row(query, [url(path)], |row| Ok(row.get(0).and_then(|a| Ok((a, row.get(1)?))).ok()))
            .unwrap()
    }

    /// A second connection to the database of the record.
    pub(crate) fn reader(&self) -> Connection {
        connect(self.folder.path())
    }
}

pub(crate) fn connect(folder: &Path) -> Connection {
    Connection::open(folder.join("record.sqlite")).unwrap()
}

/// An error that never occurs.
#[derive(Debug)]
pub(crate) struct Failed;

impl From<mapwright_store::StoreError> for Failed {
    fn from(error: mapwright_store::StoreError) -> Self {
        panic!("{error}")
    }
}

impl From<Infallible> for Failed {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

pub(crate) fn parse(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}

/// The URL of a path of the site.
pub(crate) fn url(path: &str) -> String {
    if path.contains("://") { path.to_owned() } else { format!("http://example.com{path}") }
}

fn short(url: &str) -> String {
    url.strip_prefix("http://example.com").unwrap_or(url).to_owned()
}
