//! The results of a crawl.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use crate::command::CommandOutput;
use crate::{Entry, Exclusion, Workspace, excluded, record, sitemaps};

/// A crawl that has ended: its exit code and output, the sitemaps on disk, and its record.
#[derive(Debug)]
pub struct Crawled {
    /// The result of the command.
    pub done: CommandOutput,
    /// The workspace of the crawl.
    pub workspace: Workspace,
}

impl Crawled {
    pub(crate) fn new(done: CommandOutput, workspace: Workspace) -> Crawled {
        Crawled { done, workspace }
    }

    /// Asserts the exit code, and returns itself.
    ///
    /// # Panics
    /// When it is another; the message shows what was printed.
    #[track_caller]
    #[must_use]
    pub fn exited(self, code: i32) -> Crawled {
        Crawled { done: self.done.exited(code), workspace: self.workspace }
    }

    /// The exit code; `None` after a signal that killed it.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.done.code
    }

    /// All of standard output.
    #[must_use]
    pub fn stdout(&self) -> &str {
        &self.done.stdout
    }

    /// All of standard error.
    #[must_use]
    pub fn stderr(&self) -> &str {
        &self.done.stderr
    }

    /// The folder of the sitemaps.
    #[must_use]
    pub fn out(&self) -> PathBuf {
        self.workspace.out()
    }

    /// The folder of the record.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.workspace.state()
    }

    /// Returns true if there is a sitemap in the folder.
    #[must_use]
    pub fn has_sitemap(&self) -> bool {
        self.out().join("sitemap.xml").exists()
    }

    /// The set of URLs that the sitemaps on disk list, parts of an index included.
    ///
    /// # Panics
    /// Where there is no sitemap, a part is missing, or a URL is listed twice.
    #[track_caller]
    #[must_use]
    pub fn listed(&self) -> BTreeSet<String> {
        mapwright_testkit::listed(&self.out())
    }

    /// Every entry of the sitemaps on disk, in their order.
    ///
    /// # Panics
    /// Where there is no sitemap, or a part is missing.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        sitemaps::entries(&self.out())
    }

    /// The `lastmod` of each listed URL, as written; `None` where the entry has none.
    ///
    /// # Panics
    /// As [`Crawled::entries`].
    #[must_use]
    pub fn lastmods(&self) -> BTreeMap<String, Option<String>> {
        self.entries().into_iter().map(|entry| (entry.loc, entry.lastmod)).collect()
    }

    /// The URLs that `mapwright export excluded` reports, each with its one reason.
    ///
    /// # Panics
    /// If the command fails, or reports a URL twice.
    #[track_caller]
    #[must_use]
    pub fn excluded(&self) -> BTreeMap<String, Exclusion> {
        excluded::export(&self.workspace)
    }

    /// The reason of one URL's exclusion; `None` where it is not among the excluded.
    ///
    /// # Panics
    /// As [`Crawled::excluded`].
    #[track_caller]
    #[must_use]
    pub fn reason(&self, url: &str) -> Option<String> {
        self.excluded().remove(url).map(|exclusion| exclusion.reason)
    }

    /// Every URL of the record, of all runs.
    ///
    /// # Panics
    /// Where there is no record.
    #[must_use]
    pub fn known(&self) -> BTreeSet<String> {
        record::urls(&self.state())
    }

    /// The rows of a query against the record, each cell as text (null is empty).
    ///
    /// # Panics
    /// Where there is no record, or the query is wrong.
    #[must_use]
    pub fn query(&self, sql: &str) -> Vec<Vec<String>> {
        record::query(&self.state(), sql)
    }

    /// The JSON summary.
    ///
    /// # Panics
    /// Where standard output is not one JSON value.
    #[track_caller]
    #[must_use]
    pub fn summary(&self) -> Value {
        serde_json::from_str(self.stdout())
            .unwrap_or_else(|error| panic!("the summary is no JSON ({error}): {}\n{}", self.stdout(), self.stderr()))
    }
}
