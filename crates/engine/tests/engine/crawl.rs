//! A crawl of a table of responses, with every setting that tests change.

use crate::memory::{Full, Memory, keys};
use mapwright_engine::{CrawlResult, Engine, EngineError, EngineOptions, Event, Observer, Reading, Start};
use mapwright_frontier::Rules;
use mapwright_testcrawl::Web;
use mapwright_web::{PageUrl, Scope, ScopeKind, UrlIdentity};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

pub(crate) struct Crawl {
    pub(crate) web: Web,
    pub(crate) starts: Vec<&'static str>,
    pub(crate) list: Vec<&'static str>,
    pub(crate) scope: ScopeKind,
    pub(crate) rules: Rules,
    pub(crate) options: EngineOptions,
    /// Commits that succeed before the disk is full.
    pub(crate) commits: usize,
    /// The clock is paused, and jumps to the next timer.
    pub(crate) leaping: bool,
}

/// The result of a crawl.
pub(crate) struct Result {
    pub(crate) web: Web,
    pub(crate) record: Memory,
    pub(crate) events: Vec<String>,
    /// Duration of the crawl by the paused clock: waiting takes no real time.
    pub(crate) took: Duration,
    pub(crate) ended: std::result::Result<CrawlResult, EngineError<Full>>,
}

impl Crawl {
    /// Returns a crawl of the entire host from this start URL.
    pub(crate) fn of(web: Web, start: &'static str) -> Self {
        Self {
            web,
            starts: vec![start],
            list: Vec::new(),
            scope: ScopeKind::Host,
            rules: Rules { backoff: Duration::from_millis(1), ..Rules::default() },
            options: EngineOptions {
                reading: Reading { keys: keys(), ..Reading::default() },
                ..EngineOptions::default()
            },
            commits: usize::MAX,
            leaping: false,
        }
    }

    pub(crate) fn run(self) -> Result {
        let events = Arc::new(Events::default());
        let record = Memory::new(self.rules).that_fills_up(self.commits);
        let start = Start { urls: urls(&self.starts), list: urls(&self.list), resumed: None };
        let scope = Scope::new(self.scope, start.urls.clone(), start.list.clone(), &[], &[]).unwrap();
        let observer = Arc::clone(&events) as Arc<dyn Observer>;
        let clock = &mut tokio::runtime::Builder::new_current_thread();
        let runtime = clock.enable_all().start_paused(self.leaping).build().unwrap();
        let (ended, took) = runtime.block_on(async {
            let began = Instant::now();
            let engine = Engine::new(record.clone(), self.web.clone(), scope, self.options, observer);
            (engine.run(start, self.web.stop.clone()).await, began.elapsed())
        });
        let events = events.0.lock().unwrap().clone();
        Result { web: self.web, record, events, took, ended }
    }
}

impl Result {
    pub(crate) fn ended(&self) -> &CrawlResult {
        self.ended.as_ref().unwrap()
    }
}

pub(crate) fn urls(texts: &[&str]) -> Vec<PageUrl> {
    texts.iter().map(|text| PageUrl::parse(text, &UrlIdentity::default()).unwrap()).collect()
}

/// Events about start URLs, as text.
#[derive(Default)]
struct Events(Mutex<Vec<String>>);

impl Observer for Events {
    fn see(&self, event: &Event<'_>) {
        let text = match event {
            Event::ScopeMoved { from, root, .. } => format!("moved from {from} to {root}"),
            Event::StartOnOtherSite { from, to } => format!("left {from} for {to}"),
            Event::Visited { .. } | Event::Committed { .. } | Event::Ended | Event::Notice { .. } => return,
        };
        self.0.lock().unwrap().push(text);
    }
}
