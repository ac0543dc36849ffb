//! A crawl of a generated site in this process, with the real engine, frontier and record. Only the network is
//! simulated; its answers come in an order drawn from a seed.

use crate::draw::hash;
use crate::frontier::Still;
use crate::model::{Address, Site};
use crate::show::View;
use mapwright_engine::{Engine, EngineOptions, NoObserver, Reading, Start};
use mapwright_frontier::Rules;
use mapwright_store::{
    Cell, Export, JudgeOptions, LocalFrontier, ParameterRow, Record, Recrawl, RunState, RunSummary, StoreError,
};
use mapwright_testcrawl::{Answer, START, Web, begin, judge_options, parse, reply};
use mapwright_verdict::Reason;
use mapwright_web::{Scope, ScopeKind};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

const ORIGIN: &str = "http://example.com";

/// The order of a crawl.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    /// Requests in flight at once.
    pub(crate) concurrency: usize,
    /// The seed of the order of answers.
    pub(crate) seed: u64,
}

/// The result of a crawl.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The URLs that are listed.
    pub(crate) listed: Vec<String>,
    /// The roles of parameters, by pattern.
    pub(crate) roles: BTreeMap<String, Option<String>>,
    /// Notes for people: the reasons for exclusions, and the evidence for roles.
    pub(crate) notes: Notes,
}

/// Notes that do not count for the comparison of outcomes: all are equal.
#[derive(Clone, Default)]
pub(crate) struct Notes(Vec<String>);

impl PartialEq for Notes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Notes {}

impl std::fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "  listed {:?}", self.listed)?;
        self.notes.0.iter().try_for_each(|note| writeln!(formatter, "  {note}"))
    }
}

/// An empty record that is copied for each crawl, since creating one takes longer than a crawl.
pub(crate) struct Blank(TempDir);

impl Blank {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        drop(Record::open(folder.path()).unwrap());
        Self(folder)
    }

    fn copy(&self, to: &Path) -> Record {
        std::fs::copy(self.0.path().join("record.sqlite"), to.join("record.sqlite")).unwrap();
        Record::open(to).unwrap()
    }
}

/// Crawls a site and judges it.
pub(crate) fn crawl(site: &Arc<Site>, blank: &Blank, order: Order) -> Outcome {
    let folder = TempDir::new().unwrap();
    let mut record = blank.copy(folder.path());
    begin(&mut record, "");
    let mut record = run(record, web(Arc::clone(site), order.seed), order);
    record.end(RunState::Complete, &RunSummary::default()).unwrap();
    judge(&mut record);
    let mut listed = Vec::new();
    let take = |page: mapwright_store::Listed| {
        listed.push(page.url.strip_prefix(ORIGIN).unwrap().to_owned());
        Ok::<_, StoreError>(())
    };
    record.listed(take).unwrap();
    let rows = record.parameters().unwrap();
    let mut notes: Vec<String> = rows.iter().map(|row| format!("{row:?}").replace(ORIGIN, "")).collect();
    let note = |row: &[Cell<'_>]| {
        notes.push(format!("{row:?}").replace(ORIGIN, ""));
        Ok::<_, StoreError>(())
    };
    record.export(Export::Excluded, note).unwrap();
    let key = |row: &ParameterRow| format!("{} {}", row.pattern.replace(ORIGIN, ""), row.parameter);
    Outcome { listed, roles: rows.iter().map(|row| (key(row), row.role.clone())).collect(), notes: Notes(notes) }
}

fn run(record: Record, web: Web, order: Order) -> Record {
    let reading = Reading { keys: record.keys(), ..Reading::default() };
    let options =
        EngineOptions { reading, recommended: true, concurrency: order.concurrency, ..EngineOptions::default() };
    let (frontier, writer_handle) = LocalFrontier::start(record, Rules::default(), Recrawl::default()).unwrap();
    let start = Start { urls: vec![parse(START)], list: Vec::new(), resumed: None };
    let scope = Scope::new(ScopeKind::Host, start.urls.clone(), Vec::new(), &[], &[]).unwrap();
    let engine = Engine::new(Still(frontier), web, scope, options, Arc::new(NoObserver));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(engine.run(start, CancellationToken::new())).unwrap();
    drop(runtime);
    writer_handle.take().unwrap()
}

fn judge(record: &mut Record) {
    let options = JudgeOptions { recommended: true, unreached: Reason::NotReached, ..judge_options() };
    record.judge(&options).unwrap();
}

/// The pages of the site, each after a delay that depends on the URL.
fn web(site: Arc<Site>, seed: u64) -> Web {
    Web::default().otherwise(move |url| {
        let text = url.strip_prefix(ORIGIN).unwrap();
        let delay = Duration::from_micros(hash(seed, text) % 100_000);
        let view = Address::parse(&site, text).and_then(|address| View::of(&site, &address));
        let (status, body) = match view {
            Some(view) => (200, view.html(&site)),
            None if site.style.soft_missing && text != "/robots.txt" => {
                (200, "<!doctype html><title>Nothing found</title><p>There is nothing here.</p>".to_owned())
            }
            None => (404, String::new()),
        };
        Answer::Late(delay, reply(status, &[("content-type", "text/html")], &body))
    })
}
