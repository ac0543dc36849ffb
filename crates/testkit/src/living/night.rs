//! What truly happens in a night.

use std::collections::{BTreeMap, BTreeSet};

/// What kind of night it is; night by night the same in every year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The first: nothing has happened yet.
    First,
    /// Some pages change, some appear, vanish, move or fail.
    Plain,
    /// Nothing changes at all, but for what some pages show anew at each fetch where no 304 is to be had.
    Quiet,
    /// As a plain night, and the navigation and the footer of all pages are new.
    Deploy,
}

impl Kind {
    /// The kind of this night, counted from 1.
    #[must_use]
    pub fn of(night: u32) -> Kind {
        match night % 12 {
            _ if night == 1 => Kind::First,
            6 => Kind::Quiet,
            9 => Kind::Deploy,
            _ => Kind::Plain,
        }
    }
}

/// The truth of one night, as paths. Decided by the seed alone, before a page is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Night {
    /// Counted from 1.
    pub number: u32,
    /// What kind of night it is.
    pub kind: Kind,
    /// Pages that belong in the sitemap.
    pub listed: BTreeSet<String>,
    /// Pages whose text changed.
    pub changed: BTreeSet<String>,
    /// Pages of whose text one cell changed from yes to no, or back; not among the changed.
    pub flipped: BTreeSet<String>,
    /// Pages on which boilerplate alone changed, as far as their section shows it; on a deploy, of the whole site, the
    /// others change too.
    pub boilerplate: BTreeSet<String>,
    /// Pages that belong in the sitemap, and did not the night before.
    pub added: BTreeSet<String>,
    /// Pages that belonged in the sitemap the night before, and do no more.
    pub removed: BTreeSet<String>,
    /// Pages that redirect from this night on, with their new places.
    pub moved: BTreeMap<String, String>,
    /// Pages that answer 503 for this night alone.
    pub failing: BTreeSet<String>,
    /// Pages that say noindex.
    pub hidden: BTreeSet<String>,
    /// Pages of which nobody can say whether they changed: lists of pages with another page in them, and pages that are
    /// back.
    pub loose: BTreeSet<String>,
    /// Pages that are too new for their boilerplate to be known.
    pub young: BTreeSet<String>,
}

impl Night {
    pub(super) fn new(number: u32) -> Night {
        Night {
            number,
            kind: Kind::of(number),
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
