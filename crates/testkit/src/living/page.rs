//! One page of a living site.

use super::dice::Dice;
use super::habit::{Dates, Modified, Section};
use super::lively::Lively;
use super::night::Kind;
use super::prose;
use super::text::Text;

/// Nights in which boilerplate is got to know, the first of a page included.
pub const LEARNING: u32 = 3;

/// What a page is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    /// The start page.
    Home,
    /// The list of a section's pages.
    Hub,
    /// Any other page.
    Leaf,
}

/// What has become of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    Here,
    /// It answers with this status.
    Gone(u16),
    /// It redirects to this path.
    Moved(String),
}

/// While a page says noindex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hidden {
    /// The last night of it, unless that is a quiet one.
    pub(super) until: u32,
    /// In `X-Robots-Tag` instead of a `meta` element.
    pub(super) by_header: bool,
}

/// One page. Its dates are nights, for what is true of a night does not depend on when it was.
#[derive(Debug, Clone)]
pub(super) struct Page {
    pub(super) path: String,
    pub(super) section: &'static Section,
    pub(super) rank: Rank,
    pub(super) number: u32,
    pub(super) title: String,
    pub(super) text: Text,
    /// The second of its text, until that changes.
    pub(super) written: i64,
    /// The night of the last change of its text; 0 for none.
    pub(super) changed_in: u32,
    /// The night in which it appeared at this place.
    pub(super) born_in: u32,
    /// How often what is no text has changed, and in which night it last did.
    pub(super) marks: u32,
    pub(super) marked_in: u32,
    pub(super) lively: Option<Lively>,
    pub(super) state: State,
    /// The night in which it vanished or moved.
    pub(super) gone_in: u32,
    /// Whether the list of its section names it.
    pub(super) linked: bool,
    pub(super) hidden: Option<Hidden>,
    pub(super) failing_in: u32,
    /// Nights since it appeared, as far as boilerplate can be got to know in them.
    pub(super) settled: u32,
}

impl Page {
    /// A page at this path, with a text of its own, whatever the keys of the dice.
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
            lively: None,
            state: State::Here,
            gone_in: 0,
            linked: true,
            hidden: None,
            failing_in: 0,
            settled: 0,
        }
    }

    /// Whether it belongs in the sitemap.
    pub(super) fn is_listed(&self) -> bool {
        self.state == State::Here && self.hidden.is_none()
    }

    /// Whether it is a plain page in its place, to which anything may happen.
    pub(super) fn is_leaf(&self) -> bool {
        self.rank == Rank::Leaf && self.is_listed()
    }

    /// Whether its boilerplate cannot be known yet.
    pub(super) fn is_young(&self) -> bool {
        self.settled <= LEARNING
    }

    /// Lets a night pass. A quiet one interrupts the learning: there is nothing to be learnt from it.
    pub(super) fn age(&mut self, kind: Kind) {
        self.settled = if kind == Kind::Quiet && self.is_young() { 1 } else { self.settled + 1 };
    }

    /// Whether it tells a date of its own, which is true.
    pub(super) fn tells_date(&self) -> bool {
        let odd = self.number % 2 == 1;
        self.rank == Rank::Leaf
            && match self.section.dates {
                Dates::Undated => false,
                Dates::SomeJsonLd => odd,
                Dates::JsonLd | Dates::Article => true,
            }
    }

    /// Whether a date can be known of it at its first visit.
    pub(super) fn has_date(&self) -> bool {
        self.tells_date() || !matches!(self.section.modified, Modified::Missing | Modified::Now)
    }

    /// Whether what never rests is another at each fetch.
    pub(super) fn changes_at_each_fetch(&self) -> bool {
        let fits = self.lively.is_some_and(Lively::changes_at_each_fetch);
        fits && self.born_in == 1 && !self.section.answers_304()
    }
}
