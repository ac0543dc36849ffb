//! The findings of a check.

use std::io::BufRead;

use crate::read::{Document, Faults};
use crate::{CheckRule, DocumentKind, Fault};

/// The findings of a check, by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Violations of the protocol: up to 1,000 of each rule.
    pub faults: Vec<Fault>,
    /// Findings that the protocol allows but that are probably mistakes: up to 1,000 of each rule.
    pub remarks: Vec<Fault>,
    /// The number of faults beyond those in `faults`, for each rule that has such.
    pub further_faults: Vec<(CheckRule, u64)>,
    /// The number of remarks beyond those in `remarks`, for each rule that has such.
    pub further_remarks: Vec<(CheckRule, u64)>,
    /// The number of entries read.
    pub entries: u64,
    /// The kind of the document; `None` if it is not a sitemap of any form.
    pub kind: Option<DocumentKind>,
}

impl CheckReport {
    pub(super) fn new<R: BufRead>(document: Document<R>, remarks: Faults) -> Self {
        let (entries, kind) = (document.entries(), document.kind());
        let (faults, further_faults) = document.faults.into_sorted();
        let (remarks, further_remarks) = remarks.into_sorted();
        Self { faults, remarks, further_faults, further_remarks, entries, kind }
    }

    /// Returns true if there are no faults. Remarks do not count.
    pub const fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }
}
