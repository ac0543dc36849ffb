//! A record whose lists can be set freely, and the directory that it is published into.

use jiff::Timestamp;
use mapwright_publish::{Directory, Extras, PublishError, PublishOptions, PublishedSet, publish};
use mapwright_sitemap::{Item, ReadLimits, Reader, SeriesLimits, SeriesOptions};
use mapwright_store::{Record, RunInfo};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

pub(crate) struct Fixture {
    state: TempDir,
    out: TempDir,
    pub(crate) record: Record,
    pub(crate) plan: PublishOptions,
    /// Publications so far: each has its own instant.
    pub(crate) count: i64,
}

impl Fixture {
    /// Three URLs to a part.
    pub(crate) fn new() -> Self {
        let state = TempDir::new().unwrap();
        let record = Record::open(state.path()).unwrap();
        let base = url::Url::parse("https://a.example/").unwrap();
        let limits = SeriesLimits { urls: 3, ..SeriesLimits::default() };
        let series = SeriesOptions { limits, ..SeriesOptions::new(base) };
        let plan = PublishOptions {
            series,
            extras: Extras::default(),
            by_host: false,
            rewrite: Vec::new(),
            grace: None,
            now: Timestamp::UNIX_EPOCH,
        };
        Self { state, out: TempDir::new().unwrap(), record, plan, count: 0 }
    }

    /// Begins a run that lists exactly these URLs.
    pub(crate) fn list(&mut self, urls: &[String]) {
        let run = self.record.begin(&RunInfo::default()).unwrap();
        let connection = Connection::open(self.state.path().join("record.sqlite")).unwrap();
        let all = connection.unchecked_transaction().unwrap();
        for url in urls {
            connection.execute("INSERT INTO url (key, text) VALUES (0, ?)", [url]).unwrap();
            let id = connection.last_insert_rowid();
            connection.execute("INSERT INTO verdict (run, url, inlinks) VALUES (?, ?, 0)", [run, id]).unwrap();
        }
        all.commit().unwrap();
    }

    /// Publishes a run that lists these URLs, an hour after the previous one.
    pub(crate) fn publish(&mut self, urls: &[String]) -> PublishedSet {
        self.try_to_publish(urls).unwrap()
    }

    pub(crate) fn try_to_publish(&mut self, urls: &[String]) -> Result<PublishedSet, PublishError> {
        self.list(urls);
        self.count += 1;
        self.plan.now = Timestamp::from_second(1_700_000_000 + 3600 * self.count).unwrap();
        let directory = self.directory();
        publish(&mut self.record, &self.plan, &directory)
    }

    /// Simulates a publication killed after its files became visible, and before the record is updated.
    pub(crate) fn kill_before_record_update(&mut self, urls: &[String]) {
        let connection = Connection::open(self.state.path().join("record.sqlite")).unwrap();
        let trigger = "CREATE TRIGGER kill BEFORE INSERT ON part BEGIN SELECT RAISE(ABORT, 'killed'); END";
        connection.execute_batch(trigger).unwrap();
        self.try_to_publish(urls).unwrap_err();
        connection.execute_batch("DROP TRIGGER kill").unwrap();
    }

    /// Replaces the record by an empty one.
    pub(crate) fn lose_the_record(&mut self) {
        self.state = TempDir::new().unwrap();
        self.record = Record::open(self.state.path()).unwrap();
    }

    pub(crate) fn directory(&self) -> Directory {
        Directory::prepare(self.out.path(), &|_| {}).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.out.path().join(name)
    }

    /// Every file of the directory.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.out.path()).unwrap().map(Result::unwrap);
        entries.map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap())).collect()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.files().into_keys().collect()
    }

    /// The items of a file in the directory.
    pub(crate) fn items(&self, name: &str) -> Vec<Item> {
        let bytes = fs::read(self.path(name)).unwrap();
        Reader::new(bytes.as_slice(), &ReadLimits::default()).collect()
    }

    /// The names of the parts in the set, in order, through any indexes.
    pub(crate) fn parts(&self) -> Vec<String> {
        let mut parts = Vec::new();
        for item in self.items("sitemap.xml") {
            if let Item::Sitemap { loc, .. } = item {
                parts.push(loc.strip_prefix("https://a.example/").unwrap().to_owned());
            }
        }
        parts
    }

    /// The date of a part in the index.
    pub(crate) fn lastmod(&self, part: &str) -> String {
        let dated = self.items("sitemap.xml").into_iter().find_map(|item| match item {
            Item::Sitemap { loc, lastmod } if loc.ends_with(part) => lastmod,
            _ => None,
        });
        dated.unwrap_or_else(|| panic!("{part} has no date")).to_string()
    }

    /// Every URL of the set, as a search engine would collect them.
    pub(crate) fn urls(&self) -> Vec<String> {
        let mut urls = Vec::new();
        let mut waiting = vec!["sitemap.xml".to_owned()];
        while let Some(name) = waiting.pop() {
            for item in self.items(&name) {
                match item {
                    Item::Page(page) => urls.push(page.loc),
                    Item::Sitemap { loc, .. } => waiting.push(loc.rsplit('/').next().unwrap().to_owned()),
                }
            }
        }
        urls.sort();
        urls
    }
}

/// `https://a.example/NNN` for these numbers.
pub(crate) fn urls(numbers: impl IntoIterator<Item = u32>) -> Vec<String> {
    numbers.into_iter().map(|n| format!("https://a.example/{n:03}")).collect()
}
