//! The walk through `urlset` and `sitemapindex`.

use super::alternate;
use super::entry::{Field, Flaw, Listing, RawEntry};
use super::faults::{Faults, quoted};
use super::line_ends::LineEnds;
use super::markup::{Tag, Token};
use super::names::Ns;
use super::walk::Step;
use crate::Rule;
use crate::limits::{is_blank, trimmed};

/// Follows the tokens of a sitemap whose root has been opened.
pub(super) struct SitemapWalk {
    /// What the root lists.
    listing: Listing,
    /// The root's namespace, whatever it is: its elements have the same.
    ns: Ns,
    /// Whether elements of this namespace have no prefix.
    plain: bool,
    place: Place,
    /// The line on which an entry began while the one before it, which was not closed, is taken.
    begun: Option<u64>,
    text_limit: usize,
}

/// Where in the document the walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Directly in the root.
    Root,
    Entry,
    Field(Field),
    /// So many elements deep in something of no interest, after which `back` is the place.
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
    pub(super) fn new(listing: Listing, root: &Tag<'_>, text_limit: usize) -> Self {
        Self { listing, ns: root.ns, plain: !root.is_prefixed(), place: Place::Root, begun: None, text_limit }
    }

    /// What the next entry lists, where it may be taken whole.
    pub(super) fn plain_listing(&self) -> Option<Listing> {
        (self.plain && self.place == Place::Root).then_some(self.listing)
    }

    pub(super) fn take(&mut self, token: Token<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Step {
        if let Some(line) = self.begun.take() {
            entry.begin(self.listing, line);
        }
        match token {
            Token::Open(tag) if tag.follows_unclosed && self.place == Place::Entry => {
                self.begun = Some(line);
                return Step::Entry;
            }
            Token::Open(tag) => self.open(&tag, line, entry, faults),
            Token::Close => return self.close(),
            Token::Text { piece, whole } => self.text(&piece, whole, line, entry, faults),
            Token::Char(c) => self.text(c.encode_utf8(&mut [0; 4]), true, line, entry, faults),
            Token::Unresolved => {
                if let Place::Field(field) = self.place {
                    entry.field(field).flaw = Some(Flaw::Unresolved);
                }
            }
            Token::Doctype | Token::Skip | Token::End => {}
        }
        Step::On
    }

    fn open(&mut self, tag: &Tag<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) {
        let ours = tag.ns == self.ns || tag.ns == Ns::Sitemap;
        self.place = match self.place {
            Place::Foreign { depth, back } => Place::Foreign { depth: depth + 1, back },
            Place::Root => self.open_in_root(tag, ours, line, entry, faults),
            Place::Entry if ours => open_in_entry(tag, line, entry, faults),
            Place::Entry => {
                alternate::take(tag, entry, self.text_limit);
                Place::Foreign { depth: 1, back: Back::Entry }
            }
            Place::Field(field) => {
                faults.add(line, Rule::UnknownElement, || {
                    format!("the element {} inside <{}>, where only text belongs", quoted(tag.local()), field.name())
                });
                Place::Foreign { depth: 1, back: Back::Field(field) }
            }
        };
    }

    fn open_in_root(&self, tag: &Tag<'_>, ours: bool, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Place {
        let listing = match tag.local() {
            "url" if ours => Listing::Page,
            "sitemap" if ours => Listing::Sitemap,
            local => {
                if ours {
                    faults.add(line, Rule::UnknownElement, || {
                        format!("the element {} in <{}> is unknown", quoted(local), root_name(self.listing))
                    });
                }
                return Place::Foreign { depth: 1, back: Back::Root };
            }
        };
        if listing != self.listing {
            faults.add(line, Rule::UnknownElement, || {
                format!("the element <{}> inside <{}>", tag.local(), root_name(self.listing))
            });
        }
        entry.begin(listing, line);
        Place::Entry
    }

    fn text(&self, piece: &str, whole: bool, line: u64, entry: &mut RawEntry, faults: &mut Faults) {
        match self.place {
            Place::Field(field) => {
                let value = entry.field(field);
                value.push(piece, self.text_limit);
                if !whole {
                    value.flaw.get_or_insert(Flaw::TooLong);
                }
            }
            Place::Foreign { .. } => {}
            Place::Root | Place::Entry => {
                // Bytes first: nearly all of this text is a line end.
                if !piece.bytes().all(|byte| byte.is_ascii_whitespace()) {
                    // Lines were counted up to the end of the text; most of it is the line end before the next tag.
                    let after = LineEnds::default().count(piece.trim_start_matches(is_blank).as_bytes());
                    faults.add(line.saturating_sub(after), Rule::StrayText, || {
                        format!("unexpected text {} between the elements", quoted(trimmed(piece)))
                    });
                }
            }
        }
    }

    const fn close(&mut self) -> Step {
        let (place, step) = match self.place {
            Place::Foreign { depth: 1, back } => (back.place(), Step::On),
            Place::Foreign { depth, back } => (Place::Foreign { depth: depth - 1, back }, Step::On),
            Place::Field(_) => (Place::Entry, Step::On),
            Place::Entry => (Place::Root, Step::Entry),
            Place::Root => (Place::Root, Step::Closed),
        };
        self.place = place;
        step
    }
}

impl Back {
    const fn place(self) -> Place {
        match self {
            Self::Root => Place::Root,
            Self::Entry => Place::Entry,
            Self::Field(field) => Place::Field(field),
        }
    }
}

fn open_in_entry(tag: &Tag<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Place {
    const FOREIGN: Place = Place::Foreign { depth: 1, back: Back::Entry };
    let field = match (tag.local(), entry.listing) {
        ("loc", _) => Field::Loc,
        ("lastmod", _) => Field::Lastmod,
        ("changefreq", Listing::Page) => Field::ChangeFreq,
        ("priority", Listing::Page) => Field::Priority,
        (local, listing) => {
            faults.add(line, Rule::UnknownElement, || {
                format!("the element {} in <{}> is unknown", quoted(local), entry_name(listing))
            });
            return FOREIGN;
        }
    };
    if entry.field(field).present {
        let listing = entry.listing;
        faults.add(line, Rule::Repeated, || {
            format!("a second <{}> in one <{}>; only the first counts", field.name(), entry_name(listing))
        });
        return FOREIGN;
    }
    entry.field(field).begin(line);
    Place::Field(field)
}

pub(super) const fn root_name(listing: Listing) -> &'static str {
    match listing {
        Listing::Page => "urlset",
        Listing::Sitemap => "sitemapindex",
    }
}

const fn entry_name(listing: Listing) -> &'static str {
    match listing {
        Listing::Page => "url",
        Listing::Sitemap => "sitemap",
    }
}
