//! An entry as a document writes it, before anybody judges it.

use super::item::Alternate;
use crate::limits::{is_blank, trimmed};

/// What an entry lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Listing {
    #[default]
    Page,
    Sitemap,
}

/// One entry's texts. The same value is filled again for each entry.
#[derive(Debug, Default)]
pub(crate) struct RawEntry {
    pub(crate) listing: Listing,
    pub(crate) line: u64,
    pub(crate) loc: Value,
    pub(crate) lastmod: Value,
    pub(crate) changefreq: Value,
    pub(crate) priority: Value,
    /// Alternates in other languages, their URLs as written.
    pub(crate) alternates: Vec<Alternate>,
}

/// The text of one element.
#[derive(Debug, Default)]
pub(crate) struct Value {
    /// Whether the element is there at all.
    pub(crate) present: bool,
    pub(crate) line: u64,
    pub(crate) text: String,
    pub(crate) flaw: Option<Flaw>,
}

/// Why the text of an element is not all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It is longer than the reader holds.
    TooLong,
    /// It holds a reference that cannot be resolved.
    Unresolved,
}

/// The elements of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Loc,
    Lastmod,
    ChangeFreq,
    Priority,
}

impl Field {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Loc => "loc",
            Self::Lastmod => "lastmod",
            Self::ChangeFreq => "changefreq",
            Self::Priority => "priority",
        }
    }
}

impl RawEntry {
    pub(crate) fn begin(&mut self, listing: Listing, line: u64) {
        (self.listing, self.line) = (listing, line);
        for value in [&mut self.loc, &mut self.lastmod, &mut self.changefreq, &mut self.priority] {
            value.reset();
        }
        self.alternates.clear();
    }

    pub(crate) const fn field(&mut self, field: Field) -> &mut Value {
        match field {
            Field::Loc => &mut self.loc,
            Field::Lastmod => &mut self.lastmod,
            Field::ChangeFreq => &mut self.changefreq,
            Field::Priority => &mut self.priority,
        }
    }
}

impl Value {
    pub(crate) fn begin(&mut self, line: u64) {
        self.reset();
        (self.present, self.line) = (true, line);
    }

    fn reset(&mut self) {
        (self.present, self.flaw) = (false, None);
        self.text.clear();
    }

    /// Adds a piece of text, unless it gets too long.
    pub(crate) fn push(&mut self, piece: &str, limit: usize) {
        // Blanks in front do not count: they are no part of the value, however many there are.
        let piece = if self.text.is_empty() { piece.trim_start_matches(is_blank) } else { piece };
        if self.text.len() + piece.len() <= limit {
            self.text.push_str(piece);
            return;
        }
        let piece = piece.trim_end_matches(is_blank);
        if self.text.len() + piece.len() <= limit {
            self.text.push_str(piece);
        } else {
            self.flaw.get_or_insert(Flaw::TooLong);
        }
    }

    /// The text without blanks around it.
    pub(crate) fn trimmed(&self) -> &str {
        trimmed(&self.text)
    }

    /// The text without blanks around it, where the element is there and its text is whole.
    pub(crate) fn sound(&self) -> Option<&str> {
        (self.present && self.flaw.is_none()).then(|| self.trimmed())
    }
}
