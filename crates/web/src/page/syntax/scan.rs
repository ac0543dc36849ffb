//! The tokenizer (HTML 13.2.5): one pass over a document's text, without copies, in constant memory.
//!
//! Its user reports the decisions of tree construction (raw text after `script`, CDATA sections in foreign content)
//! through [`Scanner::raw_text`] and [`Scanner::cdata`].

mod tags;

use super::attributes::{Attribute, Attributes};
use super::xml::{Prefixes, doctype_length};
use memchr::{memchr, memchr2, memmem};

/// One token; comments and doctypes are skipped.
#[derive(Debug)]
pub(crate) enum Token<'t> {
    /// A start tag; its attributes are in the value passed to the scanner.
    Start {
        /// The name as written.
        name: &'t str,
        /// Written as `<name/>`.
        self_closing: bool,
    },
    /// An end tag's name as written.
    End(&'t str),
    /// A piece of text with undecoded references. A run of text may arrive in several pieces.
    Text(&'t str),
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct StartTag<'a, 't> {
    /// The name as written.
    pub(crate) name: &'t str,
    /// The attributes that facts are read from.
    pub(crate) attributes: &'a Attributes<'t>,
    /// Written as `<name/>`.
    pub(crate) self_closing: bool,
}

impl StartTag<'_, '_> {
    /// Reports whether a `template` declares a shadow root, whose content visitors see (HTML 4.12.3).
    pub(crate) fn declares_shadow_root(&self) -> bool {
        self.attributes.raw(Attribute::Shadowrootmode).is_some()
    }
}

/// The mode of the tokenizer.
#[derive(Debug, Clone, Copy)]
enum Mode<'t> {
    /// Data state.
    Data,
    /// RCDATA and RAWTEXT states: everything up to the end tag of this name.
    Raw(&'t str),
    /// Script data states.
    Script(&'t str),
    /// PLAINTEXT state.
    Plain,
}

/// The tokenizer.
#[derive(Debug)]
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    mode: Mode<'t>,
    /// CDATA sections are text: the adjusted current node is foreign, or the document is XML.
    pub(crate) cdata: bool,
    /// The document is XML.
    is_xml: bool,
    /// XML: a document type declaration may still follow.
    in_prolog: bool,
    /// XML: the prefixes of names.
    prefixes: Prefixes<'t>,
    /// XML: the name of the last start tag, with its prefix.
    written: &'t str,
    /// The complete document, while a part of it is read as a separate document.
    full_text: Option<&'t str>,
}

/// The kind of raw text after a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RawText {
    /// Up to the end tag of the same name.
    Element,
    /// As `Element`, by the rules of scripts.
    Script,
    /// Up to the end of the document.
    Plain,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str, is_xml: bool) -> Self {
        Scanner {
            text,
            at: 0,
            mode: Mode::Data,
            cdata: is_xml,
            is_xml,
            in_prolog: is_xml,
            prefixes: Prefixes::default(),
            written: "",
            full_text: None,
        }
    }

    /// Reads the content of the element `name`, whose start tag was the previous token, as a separate document: no
    /// effect of it extends beyond the end tag. Returns false if there is no end tag.
    #[cold]
    pub(crate) fn confine(&mut self, name: &str) -> bool {
        let mut opens = memchr::memchr_iter(b'<', self.bytes_from(self.at)).map(|open| self.at + open);
        let Some(end) = opens.find(|open| self.closes(*open, name)) else { return false };
        self.full_text = Some(self.text);
        self.text = self.slice(0, end);
        true
    }

    /// Returns true while a part of the document is read as a separate document.
    pub(crate) fn is_confined(&self) -> bool {
        self.full_text.is_some()
    }

    /// Continues after the part that was read as a separate document. Returns false if there was none.
    #[cold]
    pub(crate) fn release(&mut self) -> bool {
        let Some(full_text) = self.full_text.take() else { return false };
        (self.at, self.text, self.mode) = (self.text.len(), full_text, Mode::Data);
        true
    }

    /// Reads the following text as the raw text of the element `name`, whose start tag was the previous token.
    pub(crate) fn raw_text(&mut self, name: &'t str, kind: RawText) {
        let name = if self.is_xml { self.written } else { name };
        self.mode = match kind {
            RawText::Element => Mode::Raw(name),
            RawText::Script => Mode::Script(name),
            RawText::Plain => Mode::Plain,
        };
    }

    /// The next token; the attributes of a start tag replace those in `attributes`.
    #[inline]
    pub(crate) fn next(&mut self, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        match self.mode {
            Mode::Data => self.data(attributes),
            Mode::Raw(name) | Mode::Script(name) if self.is_xml => self.xml_raw(name, attributes),
            Mode::Raw(name) => self.raw(name, attributes),
            Mode::Script(name) => self.script(name, attributes),
            Mode::Plain if self.at < self.text.len() => Some(self.text_to(self.text.len())),
            Mode::Plain => None,
        }
    }

    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn bytes_from(&self, at: usize) -> &'t [u8] {
        self.text.as_bytes().get(at..).unwrap_or_default()
    }

    #[inline]
    fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Advances to `to` and returns the text up to there.
    #[inline]
    fn text_to(&mut self, to: usize) -> Token<'t> {
        let text = self.slice(self.at, to);
        self.at = to;
        Token::Text(text)
    }

    /// Data state.
    #[inline]
    fn data(&mut self, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        loop {
            let open = self.at;
            let rest = self.bytes_from(open);
            // A tag often follows another tag directly.
            if rest.first() != Some(&b'<') {
                if rest.is_empty() {
                    return None;
                }
                return Some(self.text_to(open + memchr(b'<', rest).unwrap_or(rest.len())));
            }
            match self.byte(open + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => return self.start_tag(attributes),
                Some(b'/') => match self.byte(open + 2) {
                    Some(byte) if byte.is_ascii_alphabetic() => return self.end_tag(),
                    Some(b'>') => self.at = open + 3,
                    Some(_) => self.bogus_comment(open + 2),
                    None => return Some(self.text_to(open + 2)),
                },
                Some(b'!') => {
                    if let Some(text) = self.declaration() {
                        return Some(text);
                    }
                }
                Some(b'?') if self.is_xml => self.past(open + 2, b"?>"),
                Some(b'?') => self.bogus_comment(open + 1),
                _ => return Some(self.text_to(open + 1)),
            }
        }
    }

    /// Markup declaration open state; only a CDATA section is a token.
    fn declaration(&mut self) -> Option<Token<'t>> {
        let body = self.at + "<!".len();
        let rest = self.bytes_from(body);
        if rest.starts_with(b"--") {
            if self.is_xml {
                self.past(body + 2, b"-->")
            } else {
                self.comment(body + 2)
            }
            return None;
        }
        if self.in_prolog && rest.starts_with(b"DOCTYPE") {
            self.doctype(body);
            return None;
        }
        if !(self.cdata && rest.starts_with(b"[CDATA[")) {
            // An HTML doctype ends at the first `>`, as a bogus comment does.
            self.bogus_comment(body);
            return None;
        }
        let start = body + "[CDATA[".len();
        let length = memmem::find(self.bytes_from(start), b"]]>");
        let end = length.map_or(self.text.len(), |length| start + length);
        self.at = length.map_or(end, |_| end + "]]>".len());
        Some(Token::Text(self.slice(start, end)))
    }

    /// Skips an XML document type declaration, which precedes the first element.
    #[cold]
    fn doctype(&mut self, body: usize) {
        self.in_prolog = false;
        match doctype_length(self.bytes_from(body)) {
            Some(length) => self.at = body + length,
            // Not well-formed: the text after it is still read.
            None => self.bogus_comment(body),
        }
    }

    /// Skips to the end of the next `end`.
    fn past(&mut self, from: usize, end: &[u8]) {
        let found = memmem::find(self.bytes_from(from), end);
        self.at = found.map_or(self.text.len(), |length| from + length + end.len());
    }

    fn bogus_comment(&mut self, from: usize) {
        self.at = memchr(b'>', self.bytes_from(from)).map_or(self.text.len(), |length| from + length + 1);
    }

    /// Comment states: ends at `-->` or `--!>`; `<!-->` and `<!--->` are complete comments.
    fn comment(&mut self, start: usize) {
        let body = self.bytes_from(start);
        if body.starts_with(b">") {
            self.at = start + 1;
            return;
        }
        if body.starts_with(b"->") {
            self.at = start + 2;
            return;
        }
        let mut from = start;
        while let Some(found) = memmem::find(self.bytes_from(from), b"--") {
            let after = from + found + 2;
            let rest = self.bytes_from(after);
            if rest.starts_with(b">") {
                self.at = after + 1;
                return;
            }
            if rest.starts_with(b"!>") {
                self.at = after + 2;
                return;
            }
            from = after - 1;
        }
        self.at = self.text.len();
    }

    /// RCDATA and RAWTEXT states.
    fn raw(&mut self, name: &'t str, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        let mut from = self.at;
        while let Some(found) = memchr(b'<', self.bytes_from(from)) {
            let open = from + found;
            if self.closes(open, name) {
                return self.raw_ends(open, attributes);
            }
            from = open + 1;
        }
        self.raw_ends(self.text.len(), attributes)
    }

    /// The ignored content of an XML element, up to its end tag; an end tag within a CDATA section or a comment does
    /// not count (XML 1.0, 2.5 and 2.7).
    fn xml_raw(&mut self, name: &'t str, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        let mut from = self.at;
        while let Some(found) = memchr(b'<', self.bytes_from(from)) {
            let open = from + found;
            let rest = self.bytes_from(open);
            let sections: [(&[u8], &[u8]); 2] = [(b"<![CDATA[", b"]]>"), (b"<!--", b"-->")];
            let section = sections.into_iter().find(|(begin, _)| rest.starts_with(begin));
            from = match section {
                Some((begin, end)) => {
                    let body = open + begin.len();
                    memmem::find(self.bytes_from(body), end).map_or(self.text.len(), |length| body + length + end.len())
                }
                None if self.closes(open, name) => return self.raw_ends(open, attributes),
                None => open + 1,
            };
        }
        self.raw_ends(self.text.len(), attributes)
    }

    /// Script data states: an end tag counts unless an unterminated `<!--` and `<script` precede it.
    fn script(&mut self, name: &'t str, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        let (mut escaped, mut double) = (false, false);
        let mut from = self.at;
        while let Some(found) = memchr2(b'<', b'-', self.bytes_from(from)) {
            let at = from + found;
            from = at + 1;
            if self.bytes_from(at).starts_with(b"-->") {
                (escaped, double) = (false, false);
            } else if !escaped && self.bytes_from(at).starts_with(b"<!--") {
                // Stay on the dashes: `<!-->` ends the comment that it begins.
                escaped = true;
                from = at + 2;
            } else if self.closes(at, name) {
                if !double {
                    return self.raw_ends(at, attributes);
                }
                double = false;
            } else if escaped && !double && self.names(at + 1, name) {
                double = true;
            }
        }
        self.raw_ends(self.text.len(), attributes)
    }

    /// Ends raw text at `end`: returns the text before it, or the end tag if there is none.
    fn raw_ends(&mut self, end: usize, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        if end > self.at {
            let text = self.text_to(end);
            return Some(text);
        }
        self.mode = Mode::Data;
        self.data(attributes)
    }

    /// Returns true if an appropriate end tag token begins at `open`.
    fn closes(&self, open: usize, name: &str) -> bool {
        self.bytes_from(open).starts_with(b"</") && self.names(open + 2, name)
    }

    /// Returns true if the tag name at `at` is `name`.
    fn names(&self, at: usize, name: &str) -> bool {
        let rest = self.bytes_from(at);
        let Some((written, rest)) = rest.split_at_checked(name.len()) else { return false };
        let ends = rest.first().is_some_and(|byte| is_blank(*byte) || matches!(byte, b'/' | b'>'));
        ends && written.eq_ignore_ascii_case(name.as_bytes())
    }
}

/// ASCII white space of the tokenizer; it treats a carriage return as a line feed.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}
