//! XML as a stream of tokens, with namespaces, line numbers and limits.

use std::io::BufRead;
use std::mem;

use quick_xml::errors::{Error, IllFormedError};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader as XmlReader;

use super::entry::{EntryKind, RawEntry};
use super::faults::{Faults, quoted, shortened};
use super::limits::ReadLimits;
use super::names::{Names, Ns};
use super::open_tags::{Closing, OpenTags};
use super::plain;
use super::reference::{Dtd, check_text, resolve};
use super::source::Source;
use super::token::{Tag, Token};
use super::xml_name::{is_qualified, is_unqualified};
use super::{attributes, declaration};
use crate::CheckRule;

/// Reads tokens until the document ends or cannot be read further.
pub(super) struct Markup<R> {
    xml: XmlReader<Source<R>>,
    buffer: Vec<u8>,
    open_elements: OpenElements,
}

/// The parts that a document has at most once and that have begun.
#[derive(Default)]
struct SeenParts {
    dtd: Dtd,
    root: bool,
}

/// The open elements and their namespace declarations.
struct OpenElements {
    names: Names,
    open: OpenTags,
    /// The number of end tags to be yielded for elements that had none.
    to_close: usize,
    /// The total size in bytes of the names of the elements that quick-xml counts as open.
    open_bytes: usize,
    limits: ReadLimits,
    seen_parts: SeenParts,
    /// Something has been read.
    begun: bool,
    /// The last token was an end tag, so the parser expects text or a tag next.
    after_end_tag: bool,
    ended: bool,
    /// Reading stopped before the end of the document.
    cut: bool,
}

impl<R: BufRead> Markup<R> {
    pub(super) fn new(source: Source<R>, limits: &ReadLimits) -> Self {
        let mut xml = XmlReader::from_reader(source);
        let config = xml.config_mut();
        config.allow_dangling_amp = true;
        config.expand_empty_elements = true;
        config.check_comments = true;
        // `OpenTags` checks end tags.
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        let names = Names::new(limits.prefixes);
        let open_elements = OpenElements {
            names,
            open: OpenTags::default(),
            to_close: 0,
            open_bytes: 0,
            limits: *limits,
            seen_parts: SeenParts::default(),
            begun: false,
            after_end_tag: false,
            ended: false,
            cut: false,
        };
        Self { xml, buffer: Vec::new(), open_elements }
    }

    pub(super) fn source(&mut self) -> &mut Source<R> {
        self.xml.get_mut()
    }

    /// Returns true if reading stopped before the end of the document.
    pub(super) const fn is_cut(&self) -> bool {
        self.open_elements.cut
    }

    /// Reads the next entry in one step if it has the plain form and begins here; `false` if it must be read as tokens.
    /// Call it only directly in a root whose elements have no prefix.
    pub(super) fn take_plain(&mut self, listing: EntryKind, entry: &mut RawEntry) -> bool {
        /// The depth of a field: root, entry and element.
        const DEPTH: usize = 3;
        if !self.open_elements.after_end_tag || self.open_elements.ended || self.open_elements.limits.depth < DEPTH {
            return false;
        }
        let limit = self.open_elements.limits.text_bytes;
        let source = self.xml.get_mut();
        source.begin_event();
        let line = source.line();
        let taken = plain::take(source.head(), line, listing, limit, entry);
        if let Some(taken) = &taken {
            source.pass(taken.length, taken.line);
        }
        taken.is_some()
    }

    /// The next token and the line on which it ends.
    pub(super) fn next(&mut self, faults: &mut Faults) -> (u64, Token<'_>) {
        if self.open_elements.ended {
            return (self.source().line(), Token::End);
        }
        if self.open_elements.to_close > 0 {
            self.open_elements.to_close -= 1;
            return (self.source().line(), Token::Close);
        }
        self.source().begin_event();
        self.buffer.clear();
        let event = self.xml.read_event_into(&mut self.buffer);
        let source = self.xml.get_mut();
        let line = source.line();
        let open_elements = &mut self.open_elements;
        let first = !mem::replace(&mut open_elements.begun, true);
        let complete = !source.event_was_cut();
        open_elements.after_end_tag = matches!(event, Ok(Event::End(_)));
        let token = match event {
            Ok(Event::Start(start)) => open_elements.open(start, line, faults),
            Ok(Event::End(end)) => open_elements.close(end.name().0, line, faults),
            Ok(Event::Text(text)) => {
                let piece = text.into_inner();
                check_text(&piece, line, faults);
                Token::Text { piece, complete }
            }
            Ok(Event::CData(text)) => {
                open_elements.require_root("a CDATA section", line, faults);
                Token::Text { piece: text.into_inner(), complete }
            }
            Ok(Event::GeneralRef(reference)) => {
                open_elements.require_root("a reference", line, faults);
                resolve(reference, open_elements.seen_parts.dtd, line, faults)
            }
            Ok(Event::DocType(_)) => open_elements.doctype(line, faults),
            Ok(Event::Decl(declaration)) => {
                check_declaration(&declaration, first, line, faults);
                Token::Skip
            }
            Ok(Event::PI(instruction)) => {
                check_target(instruction.target(), line, faults);
                Token::Skip
            }
            Ok(Event::Empty(_) | Event::Comment(_)) => Token::Skip,
            Ok(Event::Eof) => open_elements.end(source, line, faults),
            Err(error) => open_elements.fail(&error, source, line, faults),
        };
        (line, token)
    }
}

impl OpenElements {
    fn open<'t>(&mut self, start: BytesStart<'t>, line: u64, faults: &mut Faults) -> Token<'t> {
        let limits = self.limits;
        let name = start.name().0;
        let follows_unclosed = self.open.follows_unclosed(name);
        if follows_unclosed {
            self.names.leave(self.open.depth() + 1);
            let name = quoted(name);
            faults.add(line, CheckRule::UnknownElement, || {
                format!("the element {name} in one that is not closed before it")
            });
        }
        self.open.open(name);
        let depth = self.open.depth();
        self.seen_parts.root = true;
        if start.len() > limits.attribute_bytes {
            return self.stop(line, CheckRule::ReaderLimit, faults, || {
                format!("a tag is longer than {} bytes; nothing after it is read", limits.attribute_bytes)
            });
        }
        if depth > limits.depth {
            return self.stop(line, CheckRule::ReaderLimit, faults, || {
                format!("elements are nested more than {} deep; nothing after that is read", limits.depth)
            });
        }
        self.open_bytes += name.len();
        if self.open_bytes > limits.markup_bytes {
            return self.stop(line, CheckRule::ReaderLimit, faults, || {
                format!(
                    "open elements have names of more than {} bytes; nothing after that is read",
                    limits.markup_bytes
                )
            });
        }
        if !name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':')) {
            return self
                .stop(line, CheckRule::NotWellFormed, faults, || format!("{} is no element name", quoted(name)));
        }
        if !name.bytes().all(|byte| byte.is_ascii_alphabetic()) && !is_qualified(name) {
            faults.add(line, CheckRule::NotWellFormed, || format!("{} is no element name", quoted(name)));
        }
        if !start.attributes_raw().is_empty() {
            attributes::read(&start, depth, &mut self.names, line, faults);
        }
        let prefix = start.name().0.split_once(':').map_or("", |(prefix, _)| prefix);
        let ns = self.names.resolve(prefix);
        if ns == Ns::Undeclared {
            faults.add(line, CheckRule::NotWellFormed, || {
                format!("the prefix {} is not declared with xmlns", quoted(prefix))
            });
        }
        Token::Open(Tag { ns, follows_unclosed, start })
    }

    /// Reports markup outside the root: only white space, comments and processing instructions are allowed there (XML
    /// 1.0, 2.1 and 2.8).
    fn require_root(&self, what: &str, line: u64, faults: &mut Faults) {
        if self.open.depth() == 0 {
            faults.add(line, CheckRule::NotWellFormed, || format!("{what} stands outside the root element"));
        }
    }

    /// Checks a DOCTYPE: one is allowed, before the root (XML 1.0, 2.8).
    fn doctype(&mut self, line: u64, faults: &mut Faults) -> Token<'static> {
        if self.seen_parts.root || self.seen_parts.dtd == Dtd::Present {
            faults.add(line, CheckRule::NotWellFormed, || {
                "a DOCTYPE stands elsewhere than once before the root".to_owned()
            });
            return Token::Skip;
        }
        self.seen_parts.dtd = Dtd::Present;
        Token::Doctype
    }

    /// Handles an end tag. After a missing or extra end tag of an entry, reading continues.
    fn close(&mut self, name: &str, line: u64, faults: &mut Faults) -> Token<'static> {
        let depth = self.open.depth();
        let innermost = self.open.innermost().to_owned();
        let crossed = || format!("crossed tags, <{}> is closed by </{}>", shortened(&innermost), shortened(name));
        let nothing = || format!("the end tag </{}> closes nothing", shortened(name));
        let ill_formed = |what: String| format!("the document is not well-formed XML: {what}");
        match self.open.close(name) {
            Closing::Innermost => {
                self.open_bytes = self.open_bytes.saturating_sub(name.len());
                self.names.leave(depth);
                Token::Close
            }
            Closing::Root(open) => {
                let what = || format!("an entry is not closed before </{}>", shortened(name));
                faults.add(line, CheckRule::NotWellFormed, || ill_formed(what()));
                (1..=open).rev().for_each(|depth| self.names.leave(depth));
                self.to_close = open.saturating_sub(1);
                Token::Close
            }
            Closing::Followed => Token::Skip,
            Closing::Spare => {
                faults.add(line, CheckRule::NotWellFormed, || ill_formed(nothing()));
                Token::Skip
            }
            Closing::Crossed => self.stop(line, CheckRule::NotWellFormed, faults, || {
                let what = if innermost.is_empty() { nothing() } else { crossed() };
                ill_formed(what) + "; nothing after it is read"
            }),
        }
    }

    fn end<R: BufRead>(&mut self, source: &Source<R>, line: u64, faults: &mut Faults) -> Token<'static> {
        self.ended = true;
        if source.is_cut() {
            self.cut = true;
            if source.event_was_cut() {
                self.say_too_long(line, faults);
            }
        } else if self.open.depth() > 0 {
            self.cut = true;
            let open = self.open.depth();
            faults.add(line, CheckRule::NotWellFormed, || {
                format!("the document ends before its end tags: {open} unclosed element(s), so it is truncated")
            });
        }
        Token::End
    }

    fn fail<R: BufRead>(
        &mut self,
        error: &Error,
        source: &Source<R>,
        line: u64,
        faults: &mut Faults,
    ) -> Token<'static> {
        if let Error::IllFormed(IllFormedError::DoubleHyphenInComment) = error {
            faults.add(line, CheckRule::NotWellFormed, || "a comment holds --".to_owned());
            return Token::Skip;
        }
        (self.ended, self.cut) = (true, true);
        if source.event_was_cut() {
            self.say_too_long(line, faults);
        } else if !source.is_cut() {
            faults.add(line, CheckRule::NotWellFormed, || {
                format!("the document is not well-formed XML: {error}; nothing after it is read")
            });
        }
        Token::End
    }

    fn say_too_long(&self, line: u64, faults: &mut Faults) {
        let limit = self.limits.markup_bytes;
        faults.add(line, CheckRule::ReaderLimit, || {
            format!("one piece of markup is longer than {limit} bytes; nothing after it is read")
        });
    }

    fn stop(
        &mut self,
        line: u64,
        rule: CheckRule,
        faults: &mut Faults,
        what: impl FnOnce() -> String,
    ) -> Token<'static> {
        (self.ended, self.cut) = (true, true);
        faults.add(line, rule, what);
        Token::End
    }
}

/// Checks an XML declaration, which must be the `first` token of the document (XML 1.0, 2.8).
fn check_declaration(content: &str, first: bool, line: u64, faults: &mut Faults) {
    let flaw = if first { declaration::flaw(content) } else { Some("something stands before it") };
    if let Some(why) = flaw {
        faults.add(line, CheckRule::NotWellFormed, || format!("the XML declaration is none: {why}"));
    }
}

/// Checks the name of a processing instruction, which must not be `xml` in any case (XML 1.0, 2.6).
fn check_target(target: &str, line: u64, faults: &mut Faults) {
    if !is_unqualified(target) || target.eq_ignore_ascii_case("xml") {
        faults.add(line, CheckRule::NotWellFormed, || format!("{} names no processing instruction", quoted(target)));
    }
}
