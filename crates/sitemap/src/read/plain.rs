//! The shape that nearly every entry has, read without making tokens of it.
//!
//! A general parser hands over nine events for an entry and costs more than everything else here. An entry that
//! consists of nothing but the protocol's elements, without prefixes, attributes and references, is taken in
//! one go; anything else, faults above all, is left to the parser. Both ways give the same entry.

use super::entry::{Field, Listing, RawEntry};

/// Takes the entry that `text` begins with, after blanks, and returns how many bytes it takes. `None`, with `entry`
/// in any state, where it is not wholly there or not of the plain shape. `line` is the line `text` begins on.
pub(super) fn take(text: &[u8], line: u64, listing: Listing, limit: usize, entry: &mut RawEntry) -> Option<usize> {
    let (begin, end): (&[u8], &[u8]) = match listing {
        Listing::Page => (b"<url>", b"</url>"),
        Listing::Sitemap => (b"<sitemap>", b"</sitemap>"),
    };
    let mut rest = Rest { text, line };
    rest.skip_blanks();
    rest.skip(begin)?;
    entry.begin(listing, rest.line);
    loop {
        rest.skip_blanks();
        if rest.skip(end).is_some() {
            return Some(text.len() - rest.text.len());
        }
        let field = rest.open(listing)?;
        let content = rest.content()?;
        rest.skip(closing(field))?;
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
    fn skip(&mut self, what: &[u8]) -> Option<()> {
        self.text = self.text.strip_prefix(what)?;
        Some(())
    }

    fn skip_blanks(&mut self) {
        while let [blank @ (b' ' | b'\t' | b'\r' | b'\n'), rest @ ..] = self.text {
            self.line += u64::from(*blank == b'\n');
            self.text = rest;
        }
    }

    fn open(&mut self, listing: Listing) -> Option<Field> {
        let fields: &[(&[u8], Field)] = match listing {
            Listing::Page => &[
                (b"<loc>", Field::Loc),
                (b"<lastmod>", Field::Lastmod),
                (b"<changefreq>", Field::ChangeFreq),
                (b"<priority>", Field::Priority),
            ],
            Listing::Sitemap => &[(b"<loc>", Field::Loc), (b"<lastmod>", Field::Lastmod)],
        };
        fields.iter().find_map(|(tag, field)| self.skip(tag).map(|()| *field))
    }

    /// Text up to the next tag: on one line, without references and without `>`, which might end a `]]>`.
    fn content(&mut self) -> Option<&'t str> {
        let length = memchr::memchr3(b'<', b'&', b'>', self.text)?;
        let (content, rest) = self.text.split_at_checked(length)?;
        if rest.first() != Some(&b'<') || memchr::memchr(b'\n', content).is_some() {
            return None;
        }
        self.text = rest;
        std::str::from_utf8(content).ok()
    }
}

const fn closing(field: Field) -> &'static [u8] {
    match field {
        Field::Loc => b"</loc>",
        Field::Lastmod => b"</lastmod>",
        Field::ChangeFreq => b"</changefreq>",
        Field::Priority => b"</priority>",
    }
}
