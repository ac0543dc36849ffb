//! A served site and its labels.

use std::ffi::OsString;

use tempfile::TempDir;

use super::label::{Label, LabelSubject, LookAlike};
use super::ports::ClosedPort;
use crate::site::FakeSite;

/// A site on loopback with labels written before it was audited.
#[derive(Debug)]
pub struct LabelledSite {
    pub(super) name: &'static str,
    pub(super) site: FakeSite,
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
    pub(super) others: Vec<FakeSite>,
    /// Ports that must stay closed as long as the site is open.
    pub(super) closed: Vec<ClosedPort>,
}

impl LabelledSite {
    /// Its unique name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The start URL of the audit.
    #[must_use]
    pub fn start(&self) -> String {
        self.url(self.root)
    }

    /// The further arguments of the audit.
    #[must_use]
    pub fn arguments(&self) -> &[OsString] {
        &self.arguments
    }

    /// The codes for which the labels are complete.
    #[must_use]
    pub fn about(&self) -> &[&'static str] {
        &self.about
    }

    /// The findings that must be reported.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The subjects that only seem to be faulty.
    #[must_use]
    pub fn look_alikes(&self) -> &[LookAlike] {
        &self.look_alikes
    }

    /// The number of audits, with one record for all runs. The labels apply to the last.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Puts the site into the state that it has in this run, the first being 1.
    pub fn begin_run(&self, number: usize) {
        (self.turn)(self, number);
    }

    /// The URL of a path; a URL is returned unchanged.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        if path.contains("://") { path.to_owned() } else { format!("{}{path}", self.base) }
    }

    /// The server behind it.
    #[must_use]
    pub fn server(&self) -> &FakeSite {
        &self.site
    }

    pub(super) fn subject(&self, path: &str) -> LabelSubject {
        LabelSubject::Url(self.url(path))
    }

    pub(super) fn group(&self, paths: &[&str]) -> LabelSubject {
        LabelSubject::Urls(paths.iter().map(|path| self.url(path)).collect())
    }
}
