//! The facts of one run: the events before it.

use std::collections::{BTreeMap, BTreeSet};

/// The kind of a run; the sequence is the same in every year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayKind {
    /// The first: nothing has happened yet.
    First,
    /// Some pages change, some appear, vanish, move or fail.
    Plain,
    /// Nothing changes, except for what some pages change at each fetch where there is no 304.
    Quiet,
    /// Like [`DayKind::Plain`], and the navigation and the footer of all pages change.
    Deploy,
}

impl DayKind {
    /// The kind of this run, counted from 1.
    #[must_use]
    pub fn of(day: u32) -> DayKind {
        match day % 12 {
            _ if day == 1 => DayKind::First,
            6 => DayKind::Quiet,
            9 => DayKind::Deploy,
            _ => DayKind::Plain,
        }
    }
}

/// The facts of one run, as paths, which the seed alone determines before a page is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// The number of the run, from 1.
    pub number: u32,
    /// The kind of the run.
    pub kind: DayKind,
    /// Pages that belong in the sitemap.
    pub listed: BTreeSet<String>,
    /// Pages whose text changed.
    pub changed: BTreeSet<String>,
    /// Pages with a table cell that changed from yes to no, or back; they are not among the changed.
    pub flipped: BTreeSet<String>,
    /// Pages on which only boilerplate changed, as far as their section shows it; with a deploy the boilerplate of all
    /// other pages changes, too.
    pub boilerplate: BTreeSet<String>,
    /// Pages that belong in the sitemap, and did not in the previous run.
    pub added: BTreeSet<String>,
    /// Pages that belonged in the sitemap in the previous run, and no longer do.
    pub removed: BTreeSet<String>,
    /// Pages that redirect from this run on, with their targets.
    pub moved: BTreeMap<String, String>,
    /// Pages that answer 503 in this run only.
    pub failing: BTreeSet<String>,
    /// Pages with noindex.
    pub hidden: BTreeSet<String>,
    /// Pages for which it is undefined whether they changed: lists of pages with another page in them, and pages that
    /// are back.
    pub loose: BTreeSet<String>,
    /// Pages that are too new for a crawler to know their boilerplate.
    pub young: BTreeSet<String>,
}

impl Day {
    pub(super) fn new(number: u32) -> Day {
        Day {
            number,
            kind: DayKind::of(number),
            listed: BTreeSet::new(),
            changed: BTreeSet::new(),
            flipped: BTreeSet::new(),
            boilerplate: BTreeSet::new(),
            added: BTreeSet::new(),
            removed: BTreeSet::new(),
            moved: BTreeMap::new(),
            failing: BTreeSet::new(),
            hidden: BTreeSet::new(),
            loose: BTreeSet::new(),
            young: BTreeSet::new(),
        }
    }
}
