//! The options of a crawl of the fake web.

use crate::web::{START, Web, parse, url};
use mapwright_engine::{Checks, Engine, EngineOptions, NoObserver, Reading, Start};
use mapwright_frontier::Rules;
use mapwright_store::{LocalFrontier, Record, Recrawl, RunInfo};
use mapwright_web::{Scope, ScopeKind};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The options of a crawl of [`START`]'s host.
#[derive(Clone, Default)]
pub struct CrawlPlan {
    /// Patterns of URLs that are excluded.
    pub(crate) exclude: Vec<String>,
    /// `--max-urls`.
    pub(crate) max_urls: Option<u64>,
    /// The URL list of the user.
    pub(crate) list: Vec<String>,
    /// Crawls only the list, without a start URL.
    pub(crate) startless: bool,
    /// The settings that the record notes, as JSON; empty for the defaults.
    pub settings: String,
    /// Further requests of the audit.
    pub checks: Checks,
}

impl CrawlPlan {
    /// Crawls the web into a record.
    pub(crate) fn crawl(&self, web: &Web, mut record: Record) -> Record {
        begin(&mut record, &self.settings);
        let reading = Reading { keys: record.keys(), ..Reading::default() };
        let options = EngineOptions { reading, checks: self.checks, ..EngineOptions::default() };
        let rules = Rules { backoff: Duration::from_millis(1), max_urls: self.max_urls, ..Rules::default() };
        let (frontier, writer_handle) = LocalFrontier::start(record, rules, Recrawl::default()).unwrap();
        let list = self.list.iter().map(|url| parse(url)).collect();
        let mut start = Start { urls: vec![parse(START)], list, resumed: None };
        let scope = Scope::new(ScopeKind::Host, start.urls.clone(), Vec::new(), &[], &self.exclude).unwrap();
        if self.startless {
            start.urls.clear();
        }
        let engine = Engine::new(frontier, web.clone(), scope, options, Arc::new(NoObserver));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(engine.run(start, CancellationToken::new())).unwrap();
        drop(runtime);
        writer_handle.take().unwrap()
    }
}

impl Web {
    /// Excludes URLs by a pattern.
    #[must_use]
    pub fn excluding(mut self, pattern: &str) -> Self {
        self.plan.exclude.push(pattern.to_owned());
        self
    }

    /// Sets the URL list of the user.
    #[must_use]
    pub fn url_list(mut self, paths: &[&str]) -> Self {
        self.plan.list = paths.iter().map(|path| url(path)).collect();
        self
    }

    /// Crawls only the list, without a start URL.
    #[must_use]
    pub fn startless(mut self) -> Self {
        self.plan.startless = true;
        self
    }

    /// Sets `--max-urls`.
    #[must_use]
    pub fn with_budget(mut self, max_urls: u64) -> Self {
        self.plan.max_urls = Some(max_urls);
        self
    }
}

/// Begins a run from [`START`] with these settings, as JSON; empty for the defaults.
pub fn begin(record: &mut Record, settings: &str) {
    let settings = if settings.is_empty() { "{}" } else { settings };
    let info = RunInfo { starts: format!("[\"{START}\"]"), settings: settings.to_owned(), ..RunInfo::default() };
    record.begin(&info).unwrap();
}
