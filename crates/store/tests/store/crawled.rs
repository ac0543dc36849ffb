//! Readings of a record that was crawled.

use mapwright_store::{Cell, Export, JudgeOptions, Renames};
use mapwright_testcrawl::{Crawled, judge_options, url};
use mapwright_verdict::Reason;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;

/// Each URL that is not listed, with its reason and the evidence.
pub(crate) type Excluded = BTreeMap<String, (&'static str, Option<String>)>;

/// Readings of a record.
pub(crate) trait ReadRecord {
    /// Judges the newest run again.
    fn judge(&mut self) {
        self.judge_as(None);
    }

    /// Judges pages that are published under other URLs.
    fn judge_as(&mut self, published: Option<Renames<'_>>);

    /// The URLs that are listed.
    fn listed(&self) -> Vec<String>;

    /// The reason of each URL that is not listed, with its evidence.
    fn excluded(&self) -> Excluded;

    /// The reason for which this URL is not listed; empty where it is.
    fn reason(&self, path: &str) -> &'static str {
        let known = self.excluded().get(path).map(|(reason, _)| *reason);
        known.unwrap_or_else(|| if self.listed().contains(&path.to_owned()) { "" } else { panic!("{path} is unknown") })
    }

    /// The date of a listed page, and its source.
    fn lastmod(&self, path: &str) -> Option<(String, String)> {
        let query = "SELECT lastmod, lastmod_from FROM v_listed WHERE url = ?";
        self.reader()
            .query_row(query, [url(path)], |row| Ok(row.get(0).and_then(|a| Ok((a, row.get(1)?))).ok()))
            .unwrap()
    }

    /// A second connection to the database of the record.
    fn reader(&self) -> Connection;
}

impl ReadRecord for Crawled {
    fn judge_as(&mut self, published: Option<Renames<'_>>) {
        self.record_mut().judge(&JudgeOptions { published, ..judge_options() }).unwrap();
    }

    fn listed(&self) -> Vec<String> {
        let mut urls = Vec::new();
        self.record()
            .listed(|listed| {
                urls.push(short(&listed.url));
                Ok::<_, Failed>(())
            })
            .unwrap();
        urls
    }

    fn excluded(&self) -> Excluded {
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

    fn reader(&self) -> Connection {
        connect(self.folder())
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

fn short(url: &str) -> String {
    url.strip_prefix("http://example.com").unwrap_or(url).to_owned()
}
