//! One page of a living site.

use super::day::DayKind;
use super::dice::Dice;
use super::dynamic_boilerplate::DynamicBoilerplate;
use super::prose;
use super::section::{Dates, Modified, Section};
use super::text::Text;

/// Number of runs in which a crawler learns the boilerplate of a page, including its first.
pub const LEARNING: u32 = 3;

/// The role of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    /// The start page.
    Home,
    /// The list of a section's pages.
    Hub,
    /// Any other page.
    Leaf,
}

/// The state of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    Here,
    /// The page answers with this status.
    Gone(u16),
    /// The page redirects to this path.
    Moved(String),
}

/// The noindex period of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hidden {
    /// Its last run, unless that is a quiet one.
    pub(super) until: u32,
    /// Sent in `X-Robots-Tag` in place of a `meta` element.
    pub(super) by_header: bool,
}

/// One page. Its times are run numbers, because the facts of a run do not depend on its instant.
#[derive(Debug, Clone)]
pub(super) struct Page {
    pub(super) path: String,
    pub(super) section: &'static Section,
    pub(super) rank: Rank,
    pub(super) number: u32,
    pub(super) title: String,
    pub(super) text: Text,
    /// The second when its text was written, until that changes.
    pub(super) written: i64,
    /// The run before which its text last changed; 0 for none.
    pub(super) changed_in: u32,
    /// The run before which it appeared at this URL.
    pub(super) born_in: u32,
    /// The number of changes of its markup, and the run before the last of them.
    pub(super) marks: u32,
    pub(super) marked_in: u32,
    pub(super) dynamic_boilerplate: Option<DynamicBoilerplate>,
    pub(super) state: State,
    /// The run before which it vanished or moved.
    pub(super) gone_in: u32,
    /// The list of its section links to it.
    pub(super) linked: bool,
    pub(super) hidden: Option<Hidden>,
    pub(super) failing_in: u32,
    /// The number of runs since it appeared in which a crawler can learn its boilerplate.
    pub(super) settled: u32,
}

impl Page {
    /// Creates a page at this path, with a text that is unique for any keys of the dice.
    pub(super) fn new(path: &str, section: &'static Section, rank: Rank, number: u32, dice: &mut Dice) -> Page {
        let (paragraphs, rows) = if rank == Rank::Leaf { (14, if section.tables { 6 } else { 0 }) } else { (4, 0) };
        Page {
            path: path.to_owned(),
            section,
            rank,
            number,
            title: format!("{} {number}", prose::phrase(dice, 3)),
            text: Text::written(dice, paragraphs, rows),
            written: 0,
            changed_in: 0,
            born_in: 1,
            marks: 0,
            marked_in: 0,
            dynamic_boilerplate: None,
            state: State::Here,
            gone_in: 0,
            linked: true,
            hidden: None,
            failing_in: 0,
            settled: 0,
        }
    }

    /// Returns whether it belongs in the sitemap.
    pub(super) fn is_listed(&self) -> bool {
        self.state == State::Here && self.hidden.is_none()
    }

    /// Returns whether it is an ordinary page that exists, to which any event may happen.
    pub(super) fn is_leaf(&self) -> bool {
        self.rank == Rank::Leaf && self.is_listed()
    }

    /// Returns whether its boilerplate cannot be known yet.
    pub(super) fn is_young(&self) -> bool {
        self.settled <= LEARNING
    }

    /// Counts a run. A quiet one restarts the learning, because a crawler learns nothing from it.
    pub(super) fn age(&mut self, kind: DayKind) {
        self.settled = if kind == DayKind::Quiet && self.is_young() { 1 } else { self.settled + 1 };
    }

    /// Returns whether it states a date of its own, which is true.
    pub(super) fn reports_date(&self) -> bool {
        let odd = self.number % 2 == 1;
        self.rank == Rank::Leaf
            && match self.section.dates {
                Dates::Undated => false,
                Dates::SomeJsonLd => odd,
                Dates::JsonLd | Dates::Article => true,
            }
    }

    /// Returns whether its first visit gives a date.
    pub(super) fn has_date(&self) -> bool {
        self.reports_date() || !matches!(self.section.modified, Modified::Missing | Modified::Now)
    }

    /// Returns whether its dynamic boilerplate changes at each fetch.
    pub(super) fn changes_at_each_fetch(&self) -> bool {
        let fits = self.dynamic_boilerplate.is_some_and(DynamicBoilerplate::changes_at_each_fetch);
        fits && self.born_in == 1 && !self.section.answers_304()
    }
}
