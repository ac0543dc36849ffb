//! What a check found.

use std::io::BufRead;

use crate::read::{Document, Faults};
use crate::{DocumentKind, Fault, Rule};

/// The findings of a check, by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What breaks the protocol: up to 1,000 of each rule.
    pub faults: Vec<Fault>,
    /// What is allowed but hardly meant: up to 1,000 of each rule.
    pub remarks: Vec<Fault>,
    /// Faults beyond those in `faults`, of each rule that has such.
    pub further_faults: Vec<(Rule, u64)>,
    /// Remarks beyond those in `remarks`, of each rule that has such.
    pub further_remarks: Vec<(Rule, u64)>,
    /// Entries that were read.
    pub entries: u64,
    /// What the document is; `None` where it is no sitemap of any form.
    pub kind: Option<DocumentKind>,
}

impl Report {
    pub(super) fn new<R: BufRead>(document: Document<R>, remarks: Faults) -> Self {
        let (entries, kind) = (document.entries(), document.kind());
        let (faults, further_faults) = document.faults.into_sorted();
        let (remarks, further_remarks) = remarks.into_sorted();
        Self { faults, remarks, further_faults, further_remarks, entries, kind }
    }

    /// Whether nothing breaks the protocol. Remarks do not count.
    pub const fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }
}
