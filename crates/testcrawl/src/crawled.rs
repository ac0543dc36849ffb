//! A record of crawls of the fake web.

use crate::web::{START, Web, parse};
use mapwright_engine::{Engine, EngineOptions, NoObserver, Reading, Start};
use mapwright_frontier::Rules;
use mapwright_store::{JudgeOptions, LocalFrontier, Record, Recrawl, RunInfo, RunState, RunSummary};
use mapwright_verdict::Reason;
use mapwright_web::{Scope, ScopeKind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A record with its folder, which is removed with it.
pub struct Crawled {
    folder: TempDir,
    record: Option<Record>,
}

impl Crawled {
    /// Crawls and judges a web once.
    #[must_use]
    pub fn of(web: &Web) -> Self {
        let mut crawled = Self { folder: TempDir::new().unwrap(), record: None };
        crawled.again(web);
        crawled
    }

    /// Adds a run.
    pub fn again(&mut self, web: &Web) {
        let record = self.record.take().unwrap_or_else(|| Record::open(self.folder.path()).unwrap());
        let mut record = crawl(web, record);
        record.end(RunState::Complete, &RunSummary { listed: 1, ..RunSummary::default() }).unwrap();
        record.judge(&judge_options()).unwrap();
        self.record = Some(record);
    }

    /// The record.
    #[must_use]
    pub fn record(&self) -> &Record {
        self.record.as_ref().unwrap()
    }

    /// The record, to be changed.
    pub fn record_mut(&mut self) -> &mut Record {
        self.record.as_mut().unwrap()
    }

    /// The folder of the record.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Web {
    /// Crawls and judges the site once, with the plan of this web.
    #[must_use]
    pub fn crawled(&self) -> Crawled {
        Crawled::of(self)
    }
}

/// Crawls the web into a record.
fn crawl(web: &Web, mut record: Record) -> Record {
    let plan = &web.plan;
    begin(&mut record, &plan.settings);
    let reading = Reading { keys: record.keys(), ..Reading::default() };
    let options = EngineOptions { reading, checks: plan.checks, ..EngineOptions::default() };
    let rules = Rules { backoff: Duration::from_millis(1), max_urls: plan.max_urls, ..Rules::default() };
    let (frontier, writer_handle) = LocalFrontier::start(record, rules, Recrawl::default()).unwrap();
    let list = plan.list.iter().map(|url| parse(url)).collect();
    let mut start = Start { urls: vec![parse(START)], list, resumed: None };
    let scope = Scope::new(ScopeKind::Host, start.urls.clone(), Vec::new(), &[], &plan.exclude).unwrap();
    if plan.startless {
        start.urls.clear();
    }
    let engine = Engine::new(frontier, web.clone(), scope, options, Arc::new(NoObserver));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(engine.run(start, CancellationToken::new())).unwrap();
    drop(runtime);
    writer_handle.take().unwrap()
}

/// Begins a run from [`START`] with these settings, as JSON; empty for the defaults.
pub fn begin(record: &mut Record, settings: &str) {
    let settings = if settings.is_empty() { "{}" } else { settings };
    let info = RunInfo { starts: format!("[\"{START}\"]"), settings: settings.to_owned(), ..RunInfo::default() };
    record.begin(&info).unwrap();
}

/// The usual options of judgement. URLs that contain `/nolist` are kept out of the sitemap.
#[must_use]
pub fn judge_options() -> JudgeOptions<'static> {
    JudgeOptions {
        published: None,
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
    }
}
