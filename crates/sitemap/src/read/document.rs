//! One document of any form, entry by entry.

use std::io::BufRead;

use encoding_rs::UTF_8;
use url::Url;

use super::entry::{Listing, RawEntry};
use super::faults::{Faults, quoted};
use super::feed::{Dialect, FeedWalk, unknown_root};
use super::item::DocumentKind;
use super::limits::ReadLimits;
use super::lines::Lines;
use super::markup::{Markup, Tag, Token};
use super::names::Ns;
use super::sitemap::{SitemapWalk, Step, root_name};
use super::source::Source;
use crate::{NAMESPACE, Rule};

/// Reads entries from whatever the input turns out to be.
pub(crate) struct Document<R> {
    form: Form<R>,
    kind: Option<DocumentKind>,
    limits: ReadLimits,
    base: Option<Url>,
    entries: u64,
    ended: bool,
    cut: bool,
    /// The line of a DOCTYPE, told once the root shows that the document is a sitemap.
    doctype: Option<u64>,
    pub(crate) faults: Faults,
    /// The entry read last.
    pub(crate) entry: RawEntry,
}

enum Form<R> {
    Xml(Box<Markup<R>>, Walk),
    Text(Box<Lines<R>>),
}

enum Walk {
    /// Before the root.
    Prolog,
    Sitemap(SitemapWalk),
    Feed(Box<FeedWalk>),
    /// After the root.
    Epilog,
}

impl<R: BufRead> Document<R> {
    pub(crate) fn new(input: R, limits: &ReadLimits, base: Option<Url>) -> Self {
        let mut faults = Faults::new(limits.faults);
        let source = Source::new(input, limits);
        let mut ended = false;
        let form = match sniff(source.head()) {
            Looks::Xml => Form::Xml(Box::new(Markup::new(source, limits)), Walk::Prolog),
            Looks::Text => Form::Text(Box::new(Lines::new(source, limits.text_bytes))),
            Looks::Nothing(what) => {
                ended = true;
                faults.add(1, Rule::Root, || what.to_owned());
                Form::Text(Box::new(Lines::new(source, limits.text_bytes)))
            }
        };
        let entry = RawEntry::default();
        let mut document = Self {
            form,
            kind: None,
            limits: *limits,
            base,
            entries: 0,
            ended,
            cut: false,
            doctype: None,
            faults,
            entry,
        };
        document.gather_faults();
        document
    }

    pub(crate) const fn kind(&self) -> Option<DocumentKind> {
        self.kind
    }

    /// Whether the document was not read to its end.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }

    /// Entries read so far.
    pub(crate) const fn entries(&self) -> u64 {
        self.entries
    }

    /// Goes on to the next entry, which is then in `entry`; `false` at the end.
    pub(crate) fn next(&mut self) -> bool {
        if self.ended {
            return false;
        }
        let found = match self.form {
            Form::Xml(..) => self.next_of_xml(),
            Form::Text(_) => self.next_of_text(),
        };
        if found && self.entries >= self.limits.entries {
            let limit = self.limits.entries;
            self.faults.add(self.entry.line, Rule::ReaderLimit, || {
                format!("there are more than {limit} entries; the rest is not read")
            });
            (self.ended, self.cut) = (true, true);
            return false;
        }
        if found {
            self.entries += 1;
        } else {
            self.finish();
        }
        found
    }

    fn next_of_text(&mut self) -> bool {
        let Form::Text(lines) = &mut self.form else { return false };
        let found = lines.next(&mut self.entry, &mut self.faults);
        if found && self.kind.is_none() {
            self.kind = Some(DocumentKind::Text);
            let encoding = lines.source().encoding();
            require_utf_8(encoding, &mut self.faults);
        }
        found
    }

    fn next_of_xml(&mut self) -> bool {
        let Form::Xml(markup, walk) = &mut self.form else { return false };
        loop {
            if let Walk::Sitemap(sitemap) = walk
                && let Some(listing) = sitemap.plain_listing()
                && markup.take_plain(listing, &mut self.entry)
            {
                return true;
            }
            let (line, token) = markup.next(&mut self.faults);
            if let Token::End = token {
                return false;
            }
            let step = match walk {
                Walk::Sitemap(sitemap) => sitemap.take(token, line, &mut self.entry, &mut self.faults),
                Walk::Feed(feed) => feed.take(token, line, &mut self.entry, &mut self.faults),
                Walk::Epilog => {
                    if !after_root(&token, line, &mut self.faults) {
                        return false;
                    }
                    Step::On
                }
                Walk::Prolog => match token {
                    Token::Open(tag) => {
                        let Some((kind, next)) =
                            enter_root(&tag, line, self.base.take(), &self.limits, &mut self.faults)
                        else {
                            return false;
                        };
                        self.kind = Some(kind);
                        *walk = next;
                        if let DocumentKind::UrlSet | DocumentKind::Index = kind {
                            require_utf_8(markup.source().encoding(), &mut self.faults);
                            say_doctype(self.doctype, &mut self.faults);
                        }
                        Step::On
                    }
                    Token::Doctype => {
                        self.doctype = Some(line);
                        Step::On
                    }
                    other => {
                        before_root(&other, line, &mut self.faults);
                        Step::On
                    }
                },
            };
            match step {
                Step::On => {}
                Step::Entry => return true,
                Step::Closed => *walk = Walk::Epilog,
            }
        }
    }

    fn finish(&mut self) {
        self.ended = true;
        self.gather_faults();
        self.cut |= match &mut self.form {
            Form::Xml(markup, _) => markup.is_cut() || markup.source().is_cut(),
            Form::Text(lines) => lines.source().is_cut(),
        };
        let rootless = matches!(&self.form, Form::Xml(_, Walk::Prolog)) && self.kind.is_none();
        if rootless && self.faults.as_slice().is_empty() {
            self.faults.add(1, Rule::Root, || "not a sitemap: there is no root element".to_owned());
        }
    }

    /// Takes over what the layers below found.
    fn gather_faults(&mut self) {
        let source = match &mut self.form {
            Form::Xml(markup, _) => markup.source(),
            Form::Text(lines) => lines.source(),
        };
        for fault in source.take_faults() {
            self.faults.add(fault.line, fault.rule, || fault.what);
        }
    }
}

/// What the first window of a document looks like.
enum Looks {
    Xml,
    Text,
    /// No sitemap of any form, for this reason.
    Nothing(&'static str),
}

fn sniff(head: &[u8]) -> Looks {
    let start = head.trim_ascii_start();
    if start.is_empty() {
        return Looks::Nothing("the document is empty, not a sitemap");
    }
    if start.starts_with(b"<") {
        return Looks::Xml;
    }
    if memchr::memchr(0, head).is_some() {
        return Looks::Nothing("this is binary data, not a sitemap: no line of text and no XML root element");
    }
    // Something was printed in front of the document.
    let roots: [&[u8]; 5] = [b"<urlset", b"<sitemapindex", b"<rss", b"<feed", b"<?xml"];
    if roots.iter().any(|root| memchr::memmem::find(head, root).is_some()) { Looks::Xml } else { Looks::Text }
}

fn enter_root(
    tag: &Tag<'_>,
    line: u64,
    base: Option<Url>,
    limits: &ReadLimits,
    faults: &mut Faults,
) -> Option<(DocumentKind, Walk)> {
    let feed = |dialect, kind| {
        let walk = FeedWalk::new(dialect, tag, base, limits.text_bytes);
        Some((kind, Walk::Feed(Box::new(walk))))
    };
    let listing = match (tag.local(), tag.ns) {
        ("rss", _) | ("RDF", Ns::Rdf) => return feed(Dialect::Rss, DocumentKind::Rss),
        ("feed", Ns::Atom | Ns::None) => return feed(Dialect::Atom, DocumentKind::Atom),
        (local, _) if local.eq_ignore_ascii_case("urlset") => Listing::Page,
        (local, _) if local.eq_ignore_ascii_case("sitemapindex") => Listing::Sitemap,
        (local, _) => {
            faults.add(line, Rule::Root, || unknown_root(local));
            return None;
        }
    };
    let name = root_name(listing);
    if tag.local() != name {
        faults.add(line, Rule::Root, || format!("the root element {} is not spelt {name}", quoted(tag.local())));
    }
    check_namespace(tag, name, line, faults);
    let kind = match listing {
        Listing::Page => DocumentKind::UrlSet,
        Listing::Sitemap => DocumentKind::Index,
    };
    Some((kind, Walk::Sitemap(SitemapWalk::new(listing, tag, limits.text_bytes))))
}

fn check_namespace(tag: &Tag<'_>, name: &str, line: u64, faults: &mut Faults) {
    match (tag.ns, tag.attribute("xmlns")) {
        (Ns::Sitemap, _) => {}
        (Ns::None, _) => faults.add(line, Rule::Namespace, || format!("<{name}> has no namespace (xmlns is missing)")),
        (_, Some(uri)) => faults.add(line, Rule::Namespace, || {
            format!("<{name}> is in the namespace {}, which is not {NAMESPACE}", quoted(&uri))
        }),
        (_, None) => {
            faults.add(line, Rule::Namespace, || format!("<{name}> is in a namespace that is not {NAMESPACE}"));
        }
    }
}

fn require_utf_8(encoding: &'static encoding_rs::Encoding, faults: &mut Faults) {
    if encoding != UTF_8 {
        faults.add(1, Rule::Encoding, || format!("the encoding is {}, not UTF-8", encoding.name()));
    }
}

fn say_doctype(line: Option<u64>, faults: &mut Faults) {
    if let Some(line) = line {
        faults.add(line, Rule::Doctype, || {
            "there is a DOCTYPE, which is passed over: its entities do not count".to_owned()
        });
    }
}

fn before_root(token: &Token<'_>, line: u64, faults: &mut Faults) {
    match token {
        Token::Text { piece, .. } if !piece.trim().is_empty() => {
            faults.add(line, Rule::NotWellFormed, || {
                format!("not well-formed XML: text before the root element, {}", quoted(piece.trim()))
            });
        }
        _ => {}
    }
}

/// `false` where nothing after this can be read.
fn after_root(token: &Token<'_>, line: u64, faults: &mut Faults) -> bool {
    match token {
        Token::Text { piece, .. } if !piece.trim().is_empty() => {
            faults.add(line, Rule::NotWellFormed, || {
                format!("not well-formed XML: text after the root element, {}", quoted(piece.trim()))
            });
            true
        }
        Token::Open(tag) => {
            faults.add(line, Rule::NotWellFormed, || {
                format!("not well-formed XML: a second root element, {}", quoted(tag.local()))
            });
            false
        }
        _ => true,
    }
}
