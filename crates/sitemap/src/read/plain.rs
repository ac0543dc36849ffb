//! Reads the form that nearly every entry has, without producing tokens.
//!
//! A general parser yields nine events for an entry and costs more than all other work of the reader. An entry that
//! consists only of the protocol's elements, without prefixes, attributes and references beyond XML's own five, is read
//! in one step; any other entry, in particular one with faults, is left to the parser. Both ways produce the same
//! entry.

use super::entry::{EntryKind, Field, RawEntry, Value};
use super::line_ends::LineEnds;

/// The extent of an entry that was read.
pub(super) struct Taken {
    /// The length in bytes, including the white space before it.
    pub(super) length: usize,
    /// The line it ends on.
    pub(super) line: u64,
}

/// Reads the entry that `text` begins with, after white space; `line` is the line that `text` begins on. Returns
/// `None`, with `entry` in any state, if the entry is incomplete or not of the plain form.
pub(super) fn take(text: &[u8], line: u64, listing: EntryKind, limit: usize, entry: &mut RawEntry) -> Option<Taken> {
    let mut rest = Rest { text, line };
    rest.skip_blanks();
    match listing {
        EntryKind::Page => rest.skip(b"<url>")?,
        EntryKind::Sitemap => rest.skip(b"<sitemap>")?,
    }
    entry.begin(listing, rest.line);
    loop {
        rest.skip_blanks();
        if rest.skip_end(listing).is_some() {
            return Some(Taken { length: text.len() - rest.text.len(), line: rest.line });
        }
        let field = rest.skip_start_tag(listing)?;
        let value = entry.field(field);
        if value.present {
            return None;
        }
        value.begin(rest.line);
        rest.content(value, limit)?;
        rest.skip_end_tag(field)?;
    }
}

struct Rest<'t> {
    text: &'t [u8],
    line: u64,
}

impl<'t> Rest<'t> {
    fn skip<const N: usize>(&mut self, what: &[u8; N]) -> Option<()> {
        let (head, rest) = self.text.split_first_chunk()?;
        if head != what {
            return None;
        }
        self.text = rest;
        Some(())
    }

    fn skip_blanks(&mut self) {
        let mut line_ends = LineEnds::default();
        while let [blank @ (b' ' | b'\t' | b'\r' | b'\n'), rest @ ..] = self.text {
            self.line += u64::from(line_ends.ends_at(*blank));
            self.text = rest;
        }
    }

    fn skip_end(&mut self, listing: EntryKind) -> Option<()> {
        match listing {
            EntryKind::Page => self.skip(b"</url>"),
            EntryKind::Sitemap => self.skip(b"</sitemap>"),
        }
    }

    fn skip_start_tag(&mut self, listing: EntryKind) -> Option<Field> {
        match (self.text.get(1)?, self.text.get(2)?, listing) {
            (b'l', b'o', _) => self.skip(b"<loc>").map(|()| Field::Loc),
            (b'l', _, _) => self.skip(b"<lastmod>").map(|()| Field::Lastmod),
            (b'c', _, EntryKind::Page) => self.skip(b"<changefreq>").map(|()| Field::ChangeFreq),
            (b'p', _, EntryKind::Page) => self.skip(b"<priority>").map(|()| Field::Priority),
            _ => None,
        }
    }

    fn skip_end_tag(&mut self, field: Field) -> Option<()> {
        match field {
            Field::Loc => self.skip(b"</loc>"),
            Field::Lastmod => self.skip(b"</lastmod>"),
            Field::ChangeFreq => self.skip(b"</changefreq>"),
            Field::Priority => self.skip(b"</priority>"),
        }
    }

    /// Reads text up to the next tag: on one line, with no references but XML's own, and without `>`, which might end a
    /// `]]>`.
    fn content(&mut self, value: &mut Value, limit: usize) -> Option<()> {
        loop {
            let length = memchr::memchr3(b'<', b'&', b'>', self.text)?;
            let (piece, rest) = self.text.split_at_checked(length)?;
            if memchr::memchr2(b'\n', b'\r', piece).is_some() {
                return None;
            }
            value.push(std::str::from_utf8(piece).ok()?, limit);
            self.text = rest;
            match rest.first()? {
                b'<' => return Some(()),
                b'&' => value.push(self.reference()?, limit),
                _ => return None,
            }
        }
    }

    /// The character of one of XML's own five references. URLs contain many of one of them.
    fn reference(&mut self) -> Option<&'static str> {
        match self.text.get(1)? {
            b'a' if self.text.get(2)? == &b'm' => self.skip(b"&amp;").map(|()| "&"),
            b'a' => self.skip(b"&apos;").map(|()| "'"),
            b'l' => self.skip(b"&lt;").map(|()| "<"),
            b'g' => self.skip(b"&gt;").map(|()| ">"),
            b'q' => self.skip(b"&quot;").map(|()| "\""),
            _ => None,
        }
    }
}
