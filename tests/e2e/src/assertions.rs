//! Assertions about a finished crawl.

use std::collections::BTreeSet;

use crate::Crawled;

impl Crawled {
    /// Asserts that the sitemaps list these URLs, each once, and no others.
    #[track_caller]
    pub fn assert_lists<S: AsRef<str>>(&self, expected: &[S]) {
        mapwright_testkit::assert_listed(&self.out(), expected);
    }

    /// Asserts that this URL is left out for this reason.
    #[track_caller]
    pub fn assert_excluded(&self, url: &str, reason: &str) {
        let output = self.reason(url);
        assert!(output.as_deref() == Some(reason), "{url} is excluded as {output:?}, not as {reason:?}");
    }

    /// Asserts that every URL of the record is either listed or excluded, and none is both. For crawls of one run
    /// that have published.
    #[track_caller]
    pub fn assert_accounts_for_all(&self) {
        let listed = self.listed();
        let excluded: BTreeSet<String> = self.excluded().into_keys().collect();
        let both: Vec<_> = listed.intersection(&excluded).collect();
        assert!(both.is_empty(), "both listed and excluded: {both:#?}");
        let output: BTreeSet<String> = listed.union(&excluded).cloned().collect();
        let known = self.known();
        let silent: Vec<_> = known.difference(&output).collect();
        let invented: Vec<_> = output.difference(&known).collect();
        assert!(silent.is_empty(), "in the record, but neither listed nor excluded: {silent:#?}");
        assert!(invented.is_empty(), "reported, but not in the record: {invented:#?}");
    }

    /// Asserts that the command said this on standard error.
    #[track_caller]
    pub fn assert_says(&self, words: &str) {
        assert!(self.stderr().contains(words), "standard error does not say {words:?}:\n{}", self.stderr());
    }
}
