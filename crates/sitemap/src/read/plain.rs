//! The shape that nearly every entry has, read without making tokens of it.
//!
//! A general parser hands over nine events for an entry and costs more than everything else here. An entry that
//! consists of nothing but the protocol's elements, without prefixes, attributes and references, is taken in
//! one go; anything else, faults above all, is left to the parser. Both ways give the same entry.

use super::entry::{Field, Listing, RawEntry};

/// An entry that was taken.
pub(super) struct Taken {
    /// How many bytes it takes, with the blanks before it.
    pub(super) length: usize,
    /// The line it ends on.
    pub(super) line: u64,
}

/// Takes the entry that `text` begins with, after blanks, where `line` is the line that `text` begins on. `None`, with
/// `entry` in any state, where the entry is not wholly there or not of the plain shape.
pub(super) fn take(text: &[u8], line: u64, listing: Listing, limit: usize, entry: &mut RawEntry) -> Option<Taken> {
    let mut rest = Rest { text, line };
    rest.skip_blanks();
    match listing {
        Listing::Page => rest.skip(b"<url>")?,
        Listing::Sitemap => rest.skip(b"<sitemap>")?,
    }
    entry.begin(listing, rest.line);
    loop {
        rest.skip_blanks();
        if rest.skip_end(listing).is_some() {
            return Some(Taken { length: text.len() - rest.text.len(), line: rest.line });
        }
        let (field, content) = rest.element(listing)?;
        let value = entry.field(field);
        if value.present {
            return None;
        }
        value.begin(rest.line);
        value.push(content, limit);
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
        while let [blank @ (b' ' | b'\t' | b'\r' | b'\n'), rest @ ..] = self.text {
            self.line += u64::from(*blank == b'\n');
            self.text = rest;
        }
    }

    fn skip_end(&mut self, listing: Listing) -> Option<()> {
        match listing {
            Listing::Page => self.skip(b"</url>"),
            Listing::Sitemap => self.skip(b"</sitemap>"),
        }
    }

    fn element(&mut self, listing: Listing) -> Option<(Field, &'t str)> {
        let (field, content) = match (self.text.get(1)?, self.text.get(2)?, listing) {
            (b'l', b'o', _) => (Field::Loc, self.enclosed(b"<loc>", b"</loc>")?),
            (b'l', _, _) => (Field::Lastmod, self.enclosed(b"<lastmod>", b"</lastmod>")?),
            (b'c', _, Listing::Page) => (Field::ChangeFreq, self.enclosed(b"<changefreq>", b"</changefreq>")?),
            (b'p', _, Listing::Page) => (Field::Priority, self.enclosed(b"<priority>", b"</priority>")?),
            _ => return None,
        };
        Some((field, content))
    }

    fn enclosed<const N: usize, const M: usize>(&mut self, begin: &[u8; N], end: &[u8; M]) -> Option<&'t str> {
        self.skip(begin)?;
        let content = self.content()?;
        self.skip(end)?;
        Some(content)
    }

    /// Text up to the next tag: on one line, without references and without `>`, which might end a `]]>`.
    fn content(&mut self) -> Option<&'t str> {
        let length = memchr::memchr3(b'<', b'&', b'>', self.text)?;
        let (content, rest) = self.text.split_at_checked(length)?;
        if rest.first() != Some(&b'<') || content.contains(&b'\n') {
            return None;
        }
        self.text = rest;
        std::str::from_utf8(content).ok()
    }
}
