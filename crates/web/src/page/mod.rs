//! [`read`]: reads every fact of a page in one pass over its bytes.
//!
//! The document is decoded ([`crate::charset`]) and tokenized by the rules of HTML without building a tree, in time
//! linear in its length and memory bounded by [`Limits`]. It differs from a browser's tree with scripting off as
//! follows:
//!
//! - a `noscript` in `head` never ends the head, whatever its content: search engines and nearly all visitors run
//!   scripts;
//! - a `frame` counts outside a `frameset` too, and other links inside one;
//! - regions and all order follow the tags, not the corrections of the tree: an element that a browser moves out of a
//!   table keeps its position, including the first `title` or `base`;
//! - HTML elements left open inside `foreignObject` and the like do not invalidate its end tag;
//! - an end tag inside an unclosed `svg` closes it if an HTML element of its name was opened before it and not closed
//!   by an end tag of its own;
//! - SVG and MathML elements more than 512 deep are only counted, so that any end tag closes the innermost;
//! - formatting elements that a browser copies out of a `template` (from a table in it, or from a `col`) do not count.

pub(crate) mod content;
mod dates;
mod document_headers;
mod elements;
pub(crate) mod fact_location;
pub mod facts;
mod found;
mod header;
mod inert;
mod limits;
mod links;
mod markup;
mod meta;
mod noscript;
mod plain;
mod reader;
mod security_headers;
pub(crate) mod syntax;
mod template;

pub use content::block;
pub use document_headers::DocumentHeaders;
pub use facts::*;
pub use inert::is_inert;
pub use limits::Limits;
pub use links::outlinks::{Outlinks, WrittenLink};
pub use noscript::needs_scripts;
pub use security_headers::SecurityHeaders;
pub(crate) use syntax::attributes::blank as is_blank_char;
pub use template::template_of;

use crate::charset::{Decoded, decode, decode_as};
use crate::media::essence;
use crate::page_url::PageUrl;
use crate::select::Selected;
use content::block::Block;
use encoding_rs::Encoding;
use links::resolve::{self, Resolver};
use reader::{Reader, Syntax};

/// Reads an HTML or XHTML document: decodes, scans and resolves. It never fails.
#[must_use]
pub fn read(bytes: &[u8], head: &DocumentHeaders<'_>, url: &PageUrl, limits: &Limits) -> PageFacts {
    let document = Document::decode(bytes, head);
    let (mut facts, links) = document.read(head, url, limits);
    let left_out;
    (facts.links, left_out) = links.resolve();
    facts.leave_links_out(left_out);
    facts
}

/// Returns the text blocks of the parts that `--content-selector` chooses, and the text that is kept of them; `None` if
/// the entire page is its content.
fn content_blocks(text: &str, limits: &Limits) -> Option<(Vec<Block>, Vec<u8>)> {
    limits.content.as_ref()?.blocks(text, [limits.blocks, limits.kept_text], limits.selection_time, limits.clock)
}

/// A document as text.
#[derive(Debug)]
pub struct Document<'b> {
    decoded: Decoded<'b>,
    syntax: Syntax,
    scripts_ran: bool,
}

impl<'b> Document<'b> {
    /// Decodes the bytes of a document.
    #[must_use]
    pub fn decode(bytes: &'b [u8], head: &DocumentHeaders<'_>) -> Self {
        let is_xml = head.content_type.and_then(essence).is_some_and(|essence| essence == "application/xhtml+xml");
        let syntax = if is_xml { Syntax::Xml } else { Syntax::Html };
        let document = Document { decoded: decode(bytes, head.content_type), syntax, scripts_ran: false };
        match document.encoding_declared_late() {
            Some(encoding) => Document { decoded: decode_as(bytes, encoding, EncodingFrom::Meta), ..document },
            None => document,
        }
    }

    /// Returns the document as its scripts made it, serialized with its shadow roots as declarative templates.
    #[must_use]
    pub fn after_scripts<'r>(&self, text: &'r str) -> Document<'r> {
        let decoded = Decoded { text: text.into(), ..self.decoded };
        Document { decoded, syntax: self.syntax, scripts_ran: true }
    }

    /// The encoding that a `meta` after the prescanned bytes names, if the encoding was only guessed: the document is
    /// then read again from its beginning ("changing the encoding while parsing", HTML 13.2.3.5).
    fn encoding_declared_late(&self) -> Option<&'static Encoding> {
        let text = &*self.decoded.text;
        let may_be_published = self.decoded.from == EncodingFrom::Detected && self.syntax == Syntax::Html;
        if !may_be_published || !names_charset(text.as_bytes()) {
            return None;
        }
        Reader::new(text, self.syntax, &Limits::default(), None).read().encoding
    }

    /// Reads all facts except the links, which are returned as written.
    #[must_use]
    pub fn read<'t>(
        &'t self,
        head: &DocumentHeaders<'_>,
        url: &'t PageUrl,
        limits: &'t Limits,
    ) -> (PageFacts, Outlinks<'t>) {
        let decoded = &self.decoded;
        let selected = limits.links_in.as_ref().map(|parts| Selected::of(&decoded.text, parts, limits));
        let reader = Reader::new(&decoded.text, self.syntax, limits, selected).after_scripts(self.scripts_ran);
        let mut found = reader.read();
        let tag_refresh = found.refresh.take();

        let mut facts = header::facts(head, url, limits);
        let mut resolver = Resolver::of_document(url, decoded.encoding, decoded.text.len(), limits);
        if let Some(base) = &found.base {
            resolver.set_base(base);
        }
        facts.refresh = match header::refresh(head) {
            Some(refresh) => Resolver::new(url, encoding_rs::UTF_8, limits).refresh(refresh),
            None => tag_refresh.and_then(|refresh| resolver.refresh(refresh)),
        };
        facts.links.extend(facts.refresh.as_ref().and_then(resolve::refresh_link));
        let written = resolve::document(&mut facts, found, &resolver, decoded.from);
        if let Some(blocks) = content_blocks(&decoded.text, limits) {
            (facts.blocks, facts.kept_text) = blocks;
        }
        let resolved = std::mem::take(&mut facts.links);
        let (links, cut) = Outlinks::new(resolved, written, resolver.into_joiner(), limits);
        facts.leave_links_out(cut);
        (facts, links)
    }
}

fn names_charset(bytes: &[u8]) -> bool {
    let mut candidates = memchr::memchr2_iter(b'c', b'C', bytes).filter_map(|at| bytes.get(at..at + "charset".len()));
    candidates.any(|word| word.eq_ignore_ascii_case(b"charset"))
}

/// The facts of the header, and its links separately.
#[must_use]
pub fn read_header<'t>(head: &DocumentHeaders<'_>, url: &'t PageUrl, limits: &'t Limits) -> (PageFacts, Outlinks<'t>) {
    let mut facts = header_facts(head, url, limits);
    let joiner = Resolver::new(url, encoding_rs::UTF_8, limits).into_joiner();
    let (links, _) = Outlinks::new(std::mem::take(&mut facts.links), Vec::new(), joiner, limits);
    (facts, links)
}

/// The facts of the header only, for bodies that are not read: `Link`, `X-Robots-Tag` and `Refresh`.
#[must_use]
pub fn header_facts(head: &DocumentHeaders<'_>, url: &PageUrl, limits: &Limits) -> PageFacts {
    let mut facts = header::facts(head, url, limits);
    let resolver = Resolver::new(url, encoding_rs::UTF_8, limits);
    facts.refresh = header::refresh(head).and_then(|refresh| resolver.refresh(refresh));
    facts.links.extend(facts.refresh.as_ref().and_then(resolve::refresh_link));
    facts
}
