//! A site that is served, and what is said about it.

use std::ffi::OsString;

use tempfile::TempDir;

use super::label::{Label, LookAlike, Subject};
use super::ports::ClosedPort;
use crate::site::Site;

/// A site on loopback with labels that were written before it was audited.
#[derive(Debug)]
pub struct LabelledSite {
    pub(super) name: &'static str,
    pub(super) site: Site,
    pub(super) base: String,
    pub(super) root: &'static str,
    pub(super) arguments: Vec<OsString>,
    pub(super) about: Vec<&'static str>,
    pub(super) labels: Vec<Label>,
    pub(super) look_alikes: Vec<LookAlike>,
    pub(super) runs: usize,
    pub(super) turn: fn(&LabelledSite, usize),
    /// Holds the files that the arguments name.
    pub(super) folder: TempDir,
    /// Other sites that this one links to.
    pub(super) others: Vec<Site>,
    /// Ports that must stay closed as long as the site is open.
    pub(super) closed: Vec<ClosedPort>,
}

impl LabelledSite {
    /// Its name, unlike that of every other.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The URL that the audit is given.
    #[must_use]
    pub fn start(&self) -> String {
        self.url(self.root)
    }

    /// The words that the audit is given besides.
    #[must_use]
    pub fn arguments(&self) -> &[OsString] {
        &self.arguments
    }

    /// The codes for which the labels are complete.
    #[must_use]
    pub fn about(&self) -> &[&'static str] {
        &self.about
    }

    /// What must be found.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// What seems to be faulty and is not.
    #[must_use]
    pub fn look_alikes(&self) -> &[LookAlike] {
        &self.look_alikes
    }

    /// How often it must be audited, with one record for all runs. The labels hold of the last.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Puts the site into the state that it has in this run, the first being 1.
    pub fn begin_run(&self, number: usize) {
        (self.turn)(self, number);
    }

    /// The URL of a path; a URL stays what it is.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        if path.contains("://") { path.to_owned() } else { format!("{}{path}", self.base) }
    }

    /// The server behind it.
    #[must_use]
    pub fn server(&self) -> &Site {
        &self.site
    }

    pub(super) fn subject(&self, path: &str) -> Subject {
        Subject::Url(self.url(path))
    }

    pub(super) fn group(&self, paths: &[&str]) -> Subject {
        Subject::Urls(paths.iter().map(|path| self.url(path)).collect())
    }
}
