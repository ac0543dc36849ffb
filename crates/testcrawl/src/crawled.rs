//! A record of crawls of the fake web.

use crate::web::{Web, parse};
use mapwright_store::{JudgeOptions, Record, RunState, RunSummary};
use mapwright_verdict::Reason;
use std::path::Path;
use tempfile::TempDir;

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
        let mut record = web.plan.crawl(web, record);
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
