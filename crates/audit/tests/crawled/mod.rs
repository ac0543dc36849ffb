//! A web that is a table, crawled into a record of its own and audited.

use mapwright_audit::item::{RenderedFinding, RenderedFindings};
use mapwright_audit::{Audit, Check, Options, RenderedEvidence, checks};
use mapwright_engine::{Checks, Engine, EngineOptions, NoObserver, Reading, Start};
use mapwright_fetch::{Failure, Fetch, Headers, Reply, Request};
use mapwright_frontier::Rules;
use mapwright_store::{JudgeOptions, LocalFrontier, Record, Recrawl, RunInfo, RunState, RunSummary};
use mapwright_verdict::Reason;
use mapwright_web::{PageUrl, Scope, ScopeKind, UrlIdentity};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// The start URL of every crawl.
pub(crate) const START: &str = "http://example.com/";

/// Answers by URL; a URL without an answer answers 404.
#[derive(Clone, Default)]
pub(crate) struct Web {
    pub(crate) answers: HashMap<String, Reply>,
    /// The answer of URLs without an answer, if not 404.
    pub(crate) lost: Option<Reply>,
    /// The settings of the crawl, as JSON; empty for the defaults.
    pub(crate) settings: String,
    /// The number of other sites' URLs that are requested.
    pub(crate) external: u64,
}

impl Web {
    pub(crate) fn answer(mut self, path: &str, status: u16, media_type: &str, body: &str) -> Self {
        let headers = Headers::from_pairs([("content-type", media_type)]);
        self.answers.insert(url(path), Reply::of(status, headers, body.as_bytes().to_vec()));
        self
    }

    pub(crate) fn page(self, path: &str, html: &str) -> Self {
        self.answer(path, 200, "text/html", &format!("<title>{path}</title>{html}"))
    }

    /// Adds a page that links to these.
    pub(crate) fn links(self, path: &str, targets: &[&str]) -> Self {
        let links: String = targets.iter().map(|target| format!("<a href='{target}'>to {target}</a>")).collect();
        self.page(path, &links)
    }

    pub(crate) fn redirect(self, path: &str, target: &str) -> Self {
        self.redirect_with(301, path, target)
    }

    pub(crate) fn redirect_with(mut self, status: u16, path: &str, target: &str) -> Self {
        let headers = Headers::from_pairs([("location", target)]);
        self.answers.insert(url(path), Reply::of(status, headers, Vec::new()));
        self
    }

    pub(crate) fn sitemap(self, entries: &[&str]) -> Self {
        let entries: String = entries.iter().map(|entry| format!("<url><loc>{}</loc></url>", url(entry))).collect();
        let root = "urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
        self.answer("/sitemap.xml", 200, "application/xml", &format!("<{root}>{entries}</urlset>"))
    }

    /// Returns the record of one complete crawl.
    pub(crate) fn crawled(&self) -> Crawled {
        let folder = TempDir::new().unwrap();
        let record = Record::open(folder.path()).unwrap();
        let mut crawled = Crawled { record: Some(record), _folder: folder };
        crawled.again(self);
        crawled
    }
}

impl Fetch for Web {
    async fn fetch(&self, request: Request) -> Result<Reply, Failure> {
        let known = self.answers.get(request.url.as_str()).or(self.lost.as_ref()).cloned();
        Ok(known.unwrap_or_else(|| Reply::of(404, Headers::default(), Vec::new())))
    }
}

/// A record with its folder.
pub(crate) struct Crawled {
    record: Option<Record>,
    _folder: TempDir,
}

impl Crawled {
    /// Adds a run.
    pub(crate) fn again(&mut self, web: &Web) {
        let mut record = self.record.take().unwrap();
        let settings = if web.settings.is_empty() { "{}".to_owned() } else { web.settings.clone() };
        record.begin(&RunInfo { starts: format!("[\"{START}\"]"), settings, ..RunInfo::default() }).unwrap();
        let reading = Reading { keys: record.keys(), ..Reading::default() };
        let checks = Checks { audit: true, external: web.external, ..Checks::default() };
        let options = EngineOptions { reading, checks, ..EngineOptions::default() };
        let rules = Rules { backoff: Duration::from_millis(1), ..Rules::default() };
        let (frontier, writer_handle) = LocalFrontier::start(record, rules, Recrawl::default()).unwrap();
        let start = Start { urls: vec![parse(START)], list: Vec::new(), resumed: None };
        let scope = Scope::new(ScopeKind::Host, start.urls.clone(), Vec::new(), &[], &[]).unwrap();
        let engine = Engine::new(frontier, web.clone(), scope, options, Arc::new(NoObserver));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(engine.run(start, CancellationToken::new())).unwrap();
        drop(runtime);
        let mut record = writer_handle.take().unwrap();
        record.end(RunState::Complete, &RunSummary::default()).unwrap();
        judge(&mut record);
        self.record = Some(record);
    }

    pub(crate) fn record(&self) -> &Record {
        self.record.as_ref().unwrap()
    }

    /// Audits the newest run, without storing the audit.
    pub(crate) fn audit(&self, options: &Options) -> Audit {
        Audit::of(self.record(), options).unwrap()
    }

    /// Audits the newest run, and stores the audit for later ones.
    pub(crate) fn audited(&mut self, options: &Options) -> Audit {
        let audit = self.audit(options);
        audit.note(self.record.as_mut().unwrap()).unwrap();
        audit
    }

    /// Returns all findings of an audit, with their texts.
    pub(crate) fn items(&self, audit: &Audit) -> Vec<RenderedFinding> {
        let mut items = Vec::new();
        let rendered = RenderedEvidence::of(audit, self.record()).unwrap();
        let take = &mut |item: &RenderedFinding| {
            items.push(item.clone());
            Ok(())
        };
        rendered.each(take).unwrap();
        items
    }

    /// Returns the findings of one kind.
    pub(crate) fn items_of(&self, audit: &Audit, code: &str) -> Vec<RenderedFinding> {
        let check = check(code);
        self.items(audit).into_iter().filter(|item| item.check == check).collect()
    }
}

/// Returns the check with this code.
pub(crate) fn check(code: &str) -> &'static Check {
    checks::named(code).unwrap()
}

fn judge(record: &mut Record) {
    let options = JudgeOptions {
        published: None,
        lists: &|kind| matches!(kind, "html" | "xhtml"),
        no_list: &|_| false,
        duplicate_key: &|url| parse(url).duplicate_key_text(),
        recommended: false,
        unreached: Reason::Budget,
        lastmod: true,
        learns: true,
        remembers: true,
        follows_nofollow: false,
        keep_failing: 0,
    };
    record.judge(&options).unwrap();
}

fn parse(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}

/// Returns the URL of a path.
pub(crate) fn url(path: &str) -> String {
    format!("http://example.com{path}")
}
