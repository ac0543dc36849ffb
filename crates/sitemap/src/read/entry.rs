//! A raw entry of a document, before it is checked.

use super::item::AlternateEntry;
use crate::limits::{is_blank, trimmed};

/// The kind of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EntryKind {
    #[default]
    Page,
    Sitemap,
}

/// The texts of one entry. The value is reused for each entry.
#[derive(Debug, Default)]
pub(crate) struct RawEntry {
    pub(crate) listing: EntryKind,
    pub(crate) line: u64,
    pub(crate) loc: Value,
    pub(crate) lastmod: Value,
    pub(crate) changefreq: Value,
    pub(crate) priority: Value,
    /// Alternates in other languages, their URLs as written.
    pub(crate) alternates: Vec<AlternateEntry>,
}

/// The text of one element.
#[derive(Debug, Default)]
pub(crate) struct Value {
    /// The element is present.
    pub(crate) present: bool,
    pub(crate) line: u64,
    pub(crate) text: String,
    pub(crate) flaw: Option<Flaw>,
}

/// The reason why the text of an element is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It is longer than the reader's limit.
    TooLong,
    /// It contains a reference that cannot be resolved.
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
    pub(crate) fn begin(&mut self, listing: EntryKind, line: u64) {
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

    /// Appends a piece of text, up to the limit.
    pub(crate) fn push(&mut self, piece: &str, limit: usize) {
        // Leading white space does not count towards the limit.
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

    /// The text without surrounding white space.
    pub(crate) fn trimmed(&self) -> &str {
        trimmed(&self.text)
    }

    /// The trimmed text, if the element is present and its text is complete.
    pub(crate) fn sound(&self) -> Option<&str> {
        (self.present && self.flaw.is_none()).then(|| self.trimmed())
    }
}
