//! The state machine for `urlset` and `sitemapindex`.

use super::alternate;
use super::entry::{EntryKind, Field, Flaw, RawEntry};
use super::faults::{Faults, quoted};
use super::line_ends::LineEnds;
use super::names::Ns;
use super::step::Step;
use super::token::{Tag, Token};
use crate::CheckRule;
use crate::limits::{is_blank, trimmed};

/// Handles the tokens of a sitemap after its root.
pub(super) struct SitemapWalk {
    /// The kind of the root's entries.
    listing: EntryKind,
    /// The root's namespace, whatever it is: its elements must have the same one.
    ns: Ns,
    /// Elements of this namespace have no prefix.
    plain: bool,
    place: Position,
    /// The line on which an entry began while the previous one, which was not closed, is completed.
    begun: Option<u64>,
    text_limit: usize,
}

/// The position in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// Directly in the root.
    Root,
    Entry,
    Field(Field),
    /// Inside an ignored element, at this depth; its end leads to `back`.
    Foreign {
        depth: usize,
        back: Back,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Back {
    Root,
    Entry,
    Field(Field),
}

impl SitemapWalk {
    pub(super) fn new(listing: EntryKind, root: &Tag<'_>, text_limit: usize) -> Self {
        Self { listing, ns: root.ns, plain: !root.is_prefixed(), place: Position::Root, begun: None, text_limit }
    }

    /// The kind of the next entry, if it may be read in one step.
    pub(super) fn plain_listing(&self) -> Option<EntryKind> {
        (self.plain && self.place == Position::Root).then_some(self.listing)
    }

    pub(super) fn take(&mut self, token: Token<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Step {
        if let Some(line) = self.begun.take() {
            entry.begin(self.listing, line);
        }
        match token {
            Token::Open(tag) if tag.follows_unclosed && self.place == Position::Entry => {
                self.begun = Some(line);
                return Step::Entry;
            }
            Token::Open(tag) => self.open(&tag, line, entry, faults),
            Token::Close => return self.close(),
            Token::Text { piece, complete } => self.text(&piece, complete, line, entry, faults),
            Token::Char(c) => self.text(c.encode_utf8(&mut [0; 4]), true, line, entry, faults),
            Token::Unresolved => {
                if let Position::Field(field) = self.place {
                    entry.field(field).flaw = Some(Flaw::Unresolved);
                }
            }
            Token::Doctype | Token::Skip | Token::End => {}
        }
        Step::Continue
    }

    fn open(&mut self, tag: &Tag<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) {
        let ours = tag.ns == self.ns || tag.ns == Ns::Sitemap;
        self.place = match self.place {
            Position::Foreign { depth, back } => Position::Foreign { depth: depth + 1, back },
            Position::Root => self.open_in_root(tag, ours, line, entry, faults),
            Position::Entry if ours => open_in_entry(tag, line, entry, faults),
            Position::Entry => {
                alternate::take(tag, entry, self.text_limit);
                Position::Foreign { depth: 1, back: Back::Entry }
            }
            Position::Field(field) => {
                faults.add(line, CheckRule::UnknownElement, || {
                    format!("the element {} inside <{}>, where only text belongs", quoted(tag.local()), field.name())
                });
                Position::Foreign { depth: 1, back: Back::Field(field) }
            }
        };
    }

    fn open_in_root(
        &self,
        tag: &Tag<'_>,
        ours: bool,
        line: u64,
        entry: &mut RawEntry,
        faults: &mut Faults,
    ) -> Position {
        let listing = match tag.local() {
            "url" if ours => EntryKind::Page,
            "sitemap" if ours => EntryKind::Sitemap,
            local => {
                if ours {
                    faults.add(line, CheckRule::UnknownElement, || {
                        format!("the element {} in <{}> is unknown", quoted(local), root_name(self.listing))
                    });
                }
                return Position::Foreign { depth: 1, back: Back::Root };
            }
        };
        if listing != self.listing {
            faults.add(line, CheckRule::UnknownElement, || {
                format!("the element <{}> inside <{}>", tag.local(), root_name(self.listing))
            });
        }
        entry.begin(listing, line);
        Position::Entry
    }

    fn text(&self, piece: &str, complete: bool, line: u64, entry: &mut RawEntry, faults: &mut Faults) {
        match self.place {
            Position::Field(field) => {
                let value = entry.field(field);
                value.push(piece, self.text_limit);
                if !complete {
                    value.flaw.get_or_insert(Flaw::TooLong);
                }
            }
            Position::Foreign { .. } => {}
            Position::Root | Position::Entry => {
                // Bytes first: most of this text is a line end.
                if !piece.bytes().all(|byte| byte.is_ascii_whitespace()) {
                    // Lines are counted up to the end of the text; most of it is the line end before the next tag.
                    let after = LineEnds::default().count(piece.trim_start_matches(is_blank).as_bytes());
                    faults.add(line.saturating_sub(after), CheckRule::StrayText, || {
                        format!("unexpected text {} between the elements", quoted(trimmed(piece)))
                    });
                }
            }
        }
    }

    const fn close(&mut self) -> Step {
        let (place, step) = match self.place {
            Position::Foreign { depth: 1, back } => (back.place(), Step::Continue),
            Position::Foreign { depth, back } => (Position::Foreign { depth: depth - 1, back }, Step::Continue),
            Position::Field(_) => (Position::Entry, Step::Continue),
            Position::Entry => (Position::Root, Step::Entry),
            Position::Root => (Position::Root, Step::Closed),
        };
        self.place = place;
        step
    }
}

impl Back {
    const fn place(self) -> Position {
        match self {
            Self::Root => Position::Root,
            Self::Entry => Position::Entry,
            Self::Field(field) => Position::Field(field),
        }
    }
}

fn open_in_entry(tag: &Tag<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Position {
    const FOREIGN: Position = Position::Foreign { depth: 1, back: Back::Entry };
    let field = match (tag.local(), entry.listing) {
        ("loc", _) => Field::Loc,
        ("lastmod", _) => Field::Lastmod,
        ("changefreq", EntryKind::Page) => Field::ChangeFreq,
        ("priority", EntryKind::Page) => Field::Priority,
        (local, listing) => {
            faults.add(line, CheckRule::UnknownElement, || {
                format!("the element {} in <{}> is unknown", quoted(local), entry_name(listing))
            });
            return FOREIGN;
        }
    };
    if entry.field(field).present {
        let listing = entry.listing;
        faults.add(line, CheckRule::Repeated, || {
            format!("a second <{}> in one <{}>; only the first counts", field.name(), entry_name(listing))
        });
        return FOREIGN;
    }
    entry.field(field).begin(line);
    Position::Field(field)
}

pub(super) const fn root_name(listing: EntryKind) -> &'static str {
    match listing {
        EntryKind::Page => "urlset",
        EntryKind::Sitemap => "sitemapindex",
    }
}

const fn entry_name(listing: EntryKind) -> &'static str {
    match listing {
        EntryKind::Page => "url",
        EntryKind::Sitemap => "sitemap",
    }
}
