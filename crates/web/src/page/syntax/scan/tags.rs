//! The states of tags and their attributes (HTML 13.2.5.6 to 13.2.5.8, 13.2.5.32 to 13.2.5.40).

use super::{Scanner, Token, is_blank};
use crate::page::syntax::attributes::Attributes;
use memchr::memchr;

impl<'t> Scanner<'t> {
    #[inline]
    pub(super) fn start_tag(&mut self, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        attributes.clear();
        let name = self.tag_name(self.at + 1);
        if self.is_xml {
            return self.xml_start_tag(name, attributes);
        }
        let self_closing = self.tag_rest(|name, value| attributes.add(name, value))?;
        Some(Token::Start { name, self_closing })
    }

    /// The rest of an XML start tag: its own attributes may declare the prefix of its name.
    #[cold]
    fn xml_start_tag(&mut self, written: &'t str, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        let mut prefixes = std::mem::take(&mut self.prefixes);
        let self_closing = self.tag_rest(|name, value| {
            prefixes.declare(name, value);
            attributes.add(name, value);
        });
        let name = prefixes.local(written);
        (self.written, self.prefixes, self.in_prolog) = (written, prefixes, false);
        Some(Token::Start { name, self_closing: self_closing? })
    }

    #[inline]
    pub(super) fn end_tag(&mut self) -> Option<Token<'t>> {
        let name = self.tag_name(self.at + 2);
        self.tag_rest(|_, _| {})?;
        Some(Token::End(if self.is_xml { self.prefixes.local(name) } else { name }))
    }

    /// Tag name state.
    #[inline]
    fn tag_name(&mut self, start: usize) -> &'t str {
        let ends = |byte: &u8| is_blank(*byte) || matches!(byte, b'/' | b'>');
        let length = self.bytes_from(start).iter().position(ends).unwrap_or(self.text.len() - start);
        self.at = start + length;
        self.slice(start, self.at)
    }

    /// The attribute states, up to and including `>`. Returns true for a self-closing tag, or `None` at the end of the
    /// document.
    #[inline]
    fn tag_rest(&mut self, mut take: impl FnMut(&'t str, &'t str)) -> Option<bool> {
        loop {
            match self.byte(self.at) {
                None => return None,
                Some(b'>') => {
                    self.at += 1;
                    return Some(false);
                }
                Some(b'/') if self.byte(self.at + 1) == Some(b'>') => {
                    self.at += 2;
                    return Some(true);
                }
                Some(byte) if byte == b'/' || is_blank(byte) => self.at += 1,
                Some(_) => {
                    let name = self.attribute_name();
                    let value = self.attribute_value()?;
                    take(name, value);
                }
            }
        }
    }

    /// Attribute name state; a leading `=` belongs to the name.
    #[inline]
    fn attribute_name(&mut self) -> &'t str {
        let start = self.at;
        let ends = |byte: &u8| is_blank(*byte) || matches!(byte, b'/' | b'>' | b'=');
        let rest = self.bytes_from(start + 1);
        self.at = start + 1 + rest.iter().position(ends).unwrap_or(rest.len());
        // The first byte may begin a longer character, whose other bytes `position` has skipped.
        self.slice(start, self.at)
    }

    /// After attribute name state and the value states; empty without `=`.
    fn attribute_value(&mut self) -> Option<&'t str> {
        let equals = self.blanks_end(self.at);
        if self.byte(equals) != Some(b'=') {
            self.at = equals;
            return Some("");
        }
        let start = self.blanks_end(equals + 1);
        let quote = self.byte(start)?;
        if matches!(quote, b'"' | b'\'') {
            let length = memchr(quote, self.bytes_from(start + 1));
            self.at = length.map_or(self.text.len(), |length| start + 1 + length + 1);
            return length.map(|length| self.slice(start + 1, start + 1 + length));
        }
        let rest = self.bytes_from(start);
        let length = rest.iter().position(|byte| is_blank(*byte) || *byte == b'>').unwrap_or(rest.len());
        self.at = start + length;
        Some(self.slice(start, self.at))
    }

    #[inline]
    fn blanks_end(&self, from: usize) -> usize {
        let rest = self.bytes_from(from);
        from + rest.iter().position(|byte| !is_blank(*byte)).unwrap_or(rest.len())
    }
}
