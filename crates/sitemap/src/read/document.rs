//! Reads one document of any form, entry by entry.

use std::io::BufRead;

use super::entry::RawEntry;
use super::faults::Faults;
use super::item::DocumentKind;
use super::limits::ReadLimits;
use super::lines::Lines;
use super::markup::Markup;
use super::source::Source;
use super::step::Step;
use super::walk::{Walk, require_utf_8};
use crate::{CheckRule, DocumentContext};

/// A byte-order mark in UTF-8.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Reads entries from an input whose form is detected.
pub(crate) struct Document<R> {
    form: Form<R>,
    limits: ReadLimits,
    entries: u64,
    ended: bool,
    cut: bool,
    pub(crate) faults: Faults,
    /// The entry read last.
    pub(crate) entry: RawEntry,
}

enum Form<R> {
    Xml(Box<Markup<R>>, Box<Walk>),
    Text(Box<Lines<R>>),
}

impl<R: BufRead> Document<R> {
    pub(crate) fn new(input: R, limits: &ReadLimits, context: &DocumentContext) -> Self {
        let mut faults = Faults::new(limits.faults);
        let source = Source::new(input, limits, context.charset.as_deref());
        let (looks, cut) = (sniff(source.head()), source.is_cut());
        let mut ended = false;
        let form = match looks {
            Looks::Xml => {
                if source.head().starts_with(MARK) {
                    faults.add(1, CheckRule::NotWellFormed, || "there is a second byte-order mark".to_owned());
                }
                let walk = Walk::new(source.charset().clone(), context.url.clone(), limits.text_bytes);
                Form::Xml(Box::new(Markup::new(source, limits)), Box::new(walk))
            }
            Looks::Text => Form::Text(Box::new(Lines::new(source, limits.text_bytes))),
            Looks::Nothing(what) => {
                ended = true;
                // An input that failed has been reported already.
                if !cut {
                    faults.add(1, CheckRule::Root, || what.to_owned());
                }
                Form::Text(Box::new(Lines::new(source, limits.text_bytes)))
            }
        };
        let entry = RawEntry::default();
        let mut document = Self { form, limits: *limits, entries: 0, ended, cut, faults, entry };
        document.gather_faults();
        document
    }

    /// The kind of the document, once known.
    pub(crate) fn kind(&self) -> Option<DocumentKind> {
        match &self.form {
            Form::Xml(_, walk) => walk.kind(),
            Form::Text(lines) => lines.any_url().then_some(DocumentKind::Text),
        }
    }

    /// Returns true if the document was not read to its end.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }

    /// The number of entries read so far.
    pub(crate) const fn entries(&self) -> u64 {
        self.entries
    }

    /// Reads the next entry into `entry`; `false` at the end.
    pub(crate) fn next(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if !self.find_entry() {
            self.finish();
            return false;
        }
        if self.entries >= self.limits.entries {
            let limit = self.limits.entries;
            self.faults.add(self.entry.line, CheckRule::ReaderLimit, || {
                format!("there are more than {limit} entries; the rest is not read")
            });
            (self.ended, self.cut) = (true, true);
            return false;
        }
        self.entries += 1;
        true
    }

    fn find_entry(&mut self) -> bool {
        let (markup, walk) = match &mut self.form {
            Form::Text(lines) => return lines.next(&mut self.entry, &mut self.faults),
            Form::Xml(markup, walk) => (markup, walk),
        };
        loop {
            if let Some(listing) = walk.plain_listing()
                && markup.take_plain(listing, &mut self.entry)
            {
                return true;
            }
            let (line, token) = markup.next(&mut self.faults);
            match walk.take(token, line, &mut self.entry, &mut self.faults) {
                Step::Continue | Step::Closed => {}
                Step::Entry => return true,
                Step::Stop => return false,
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
        let known = self.kind().is_some();
        match (&mut self.form, known) {
            (Form::Text(lines), true) => require_utf_8(lines.source().charset(), &mut self.faults),
            (Form::Text(_), false) => {
                self.faults.add(1, CheckRule::Root, || "not a sitemap: neither XML nor a list of URLs".to_owned());
            }
            (Form::Xml(..), false) if self.faults.as_slice().is_empty() => {
                self.faults.add(1, CheckRule::Root, || {
                    "not a sitemap: there is no root element, so this is not well-formed XML".to_owned()
                });
            }
            (Form::Xml(..), _) => {}
        }
    }

    /// Collects the faults of the layers below, which do not know if the document is XML or text.
    fn gather_faults(&mut self) {
        let (source, of_character) = match &mut self.form {
            // XML 1.0, 2.2.
            Form::Xml(markup, _) => (markup.source(), ", so this is not well-formed XML"),
            Form::Text(lines) => (lines.source(), ""),
        };
        for fault in source.take_faults() {
            let more = if fault.rule == CheckRule::ForbiddenCharacter { of_character } else { "" };
            self.faults.add(fault.line, fault.rule, || fault.what + more);
        }
    }
}

/// The form of a document, by its first window.
enum Looks {
    Xml,
    Text,
    /// Not a sitemap of any form, for this reason.
    Nothing(&'static str),
}

fn sniff(head: &[u8]) -> Looks {
    let start = head.trim_ascii_start();
    if start.is_empty() {
        return Looks::Nothing("the document is empty, not a sitemap: it is not well-formed XML and lists no URL");
    }
    if start.starts_with(b"<") {
        return Looks::Xml;
    }
    if memchr::memchr(0, head).is_some() {
        return Looks::Nothing("this is binary data, not a sitemap: no line of text and no XML root element");
    }
    // Some text precedes the document.
    let roots: [&[u8]; 5] = [b"<urlset", b"<sitemapindex", b"<rss", b"<feed", b"<?xml"];
    if roots.iter().any(|root| memchr::memmem::find(head, root).is_some()) { Looks::Xml } else { Looks::Text }
}
