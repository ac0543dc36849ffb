//! Reads an XML document: prolog, root and epilog.

use encoding_rs::UTF_8;
use url::Url;

use super::channel::require_version;
use super::charset::Charset;
use super::entry::{EntryKind, RawEntry};
use super::faults::{Faults, quoted};
use super::feed::{Dialect, FeedWalk};
use super::item::DocumentKind;
use super::names::Ns;
use super::sitemap::{SitemapWalk, root_name};
use super::step::Step;
use super::token::{Tag, Token};
use crate::limits::trimmed;
use crate::{CheckRule, NAMESPACE};

/// Handles the tokens of a document.
pub(super) struct Walk {
    stage: Stage,
    kind: Option<DocumentKind>,
    charset: Charset,
    /// The address of the document, until a feed needs it.
    base: Option<Url>,
    /// The line of a DOCTYPE, which is reported once the root shows that the document is no feed: some feeds have one.
    doctype: Option<u64>,
    text_limit: usize,
}

enum Stage {
    Prolog,
    Sitemap(SitemapWalk),
    Feed(Box<FeedWalk>),
    Epilog,
}

impl Walk {
    pub(super) const fn new(charset: Charset, base: Option<Url>, text_limit: usize) -> Self {
        Self { stage: Stage::Prolog, kind: None, charset, base, doctype: None, text_limit }
    }

    pub(super) const fn kind(&self) -> Option<DocumentKind> {
        self.kind
    }

    /// The kind of the next entry, if it may be read in one step.
    pub(super) fn plain_listing(&self) -> Option<EntryKind> {
        match &self.stage {
            Stage::Sitemap(sitemap) => sitemap.plain_listing(),
            Stage::Prolog | Stage::Feed(_) | Stage::Epilog => None,
        }
    }

    pub(super) fn take(&mut self, token: Token<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Step {
        let step = match (&mut self.stage, token) {
            (_, Token::End) => Step::Stop,
            (Stage::Sitemap(sitemap), token) => sitemap.take(token, line, entry, faults),
            (Stage::Feed(feed), token) => feed.take(token, line, entry, faults),
            (Stage::Prolog, Token::Open(root)) => self.enter(&root, line, faults),
            (Stage::Prolog, Token::Doctype) => {
                self.doctype = Some(line);
                Step::Continue
            }
            (Stage::Prolog, token) => outside(&token, "before", line, faults),
            (Stage::Epilog, token) => outside(&token, "after", line, faults),
        };
        if step == Step::Closed {
            self.stage = Stage::Epilog;
        }
        step
    }

    fn enter(&mut self, root: &Tag<'_>, line: u64, faults: &mut Faults) -> Step {
        let (kind, stage) = match (root.local(), root.ns) {
            ("rss", _) => {
                require_version(root, line, faults);
                (DocumentKind::Rss, self.feed(Dialect::Rss, root, line))
            }
            ("RDF", Ns::Rdf) => (DocumentKind::Rss, self.feed(Dialect::Rdf, root, line)),
            ("feed", Ns::Atom | Ns::None) => {
                require_atom_namespace(root, line, faults);
                (DocumentKind::Atom, self.feed(Dialect::Atom, root, line))
            }
            (local, _) if local.eq_ignore_ascii_case("urlset") => {
                (DocumentKind::UrlSet, self.sitemap(EntryKind::Page, root, line, faults))
            }
            (local, _) if local.eq_ignore_ascii_case("sitemapindex") => {
                (DocumentKind::Index, self.sitemap(EntryKind::Sitemap, root, line, faults))
            }
            (local, _) => {
                faults.add(line, CheckRule::Root, || unknown_root(local));
                return Step::Stop;
            }
        };
        (self.kind, self.stage) = (Some(kind), stage);
        Step::Continue
    }

    fn feed(&mut self, dialect: Dialect, root: &Tag<'_>, line: u64) -> Stage {
        Stage::Feed(Box::new(FeedWalk::new(dialect, root, line, self.base.take(), self.text_limit)))
    }

    fn sitemap(&self, listing: EntryKind, root: &Tag<'_>, line: u64, faults: &mut Faults) -> Stage {
        require_utf_8(&self.charset, faults);
        if let Some(line) = self.doctype {
            faults.add(line, CheckRule::Doctype, || {
                "there is a DOCTYPE, which is passed over: its entities do not count".to_owned()
            });
        }
        let name = root_name(listing);
        if root.local() != name {
            faults.add(line, CheckRule::Root, || {
                format!("the root element {} is not spelt {name}", quoted(root.local()))
            });
        }
        check_namespace(root, name, line, faults);
        Stage::Sitemap(SitemapWalk::new(listing, root, self.text_limit))
    }
}

/// Checks that a sitemap is in UTF-8 ("Entity escaping").
pub(super) fn require_utf_8(charset: &Charset, faults: &mut Faults) {
    // A charset that only the server states does no harm until a non-ASCII character follows.
    if charset.encoding != UTF_8 && !charset.served {
        faults.add(1, CheckRule::Encoding, || format!("the encoding is {}, not UTF-8", charset.name()));
    }
}

fn check_namespace(root: &Tag<'_>, name: &str, line: u64, faults: &mut Faults) {
    match (root.ns, root.attribute("xmlns")) {
        (Ns::Sitemap, _) => {}
        (Ns::None, _) => {
            faults.add(line, CheckRule::Namespace, || format!("<{name}> has no namespace (xmlns is missing)"))
        }
        (_, Some(uri)) => faults.add(line, CheckRule::Namespace, || {
            format!("<{name}> is in the namespace {}, which is not {NAMESPACE}", quoted(&uri))
        }),
        (_, None) => {
            faults.add(line, CheckRule::Namespace, || format!("<{name}> is in a namespace that is not {NAMESPACE}"));
        }
    }
}

/// Checks that the elements of Atom have its namespace (RFC 4287, 1.2).
fn require_atom_namespace(root: &Tag<'_>, line: u64, faults: &mut Faults) {
    const HINT: &str = "write xmlns=\"http://www.w3.org/2005/Atom\" on the root element, with http";
    if root.ns == Ns::None {
        faults
            .add_with_fix(line, CheckRule::Namespace, HINT, || "<feed> has no namespace (xmlns is missing)".to_owned());
    }
}

/// The message for a root element of no sitemap.
fn unknown_root(local: &str) -> String {
    if local.eq_ignore_ascii_case("html") {
        "this is an HTML page, not a sitemap: the root element is <html>".to_owned()
    } else {
        format!("not a sitemap: the root element is {}, not urlset or sitemapindex", quoted(local))
    }
}

/// Handles a token outside the root, where only comments and white space are allowed.
fn outside(token: &Token<'_>, side: &str, line: u64, faults: &mut Faults) -> Step {
    match token {
        Token::Text { piece, .. } if !trimmed(piece).is_empty() => {
            faults.add(line, CheckRule::NotWellFormed, || {
                format!("not well-formed XML: text {side} the root element, {}", quoted(trimmed(piece)))
            });
            Step::Continue
        }
        Token::Open(tag) => {
            faults.add(line, CheckRule::NotWellFormed, || {
                format!("not well-formed XML: a second root element, {}", quoted(tag.local()))
            });
            Step::Stop
        }
        _ => Step::Continue,
    }
}
