//! The lenient reader.

use std::io::BufRead;
use std::mem;

use url::Url;

use super::document::Document;
use super::entry::{EntryKind, Flaw};
use super::faults::quoted;
use super::feed::rfc822;
use super::item::{AlternateEntry, DocumentKind, Item, PageEntry};
use super::limits::ReadLimits;
use crate::limits::{after_web_scheme, is_xml_char, trimmed};
use crate::{ChangeFreq, CheckRule, DocumentContext, Fault, Lastmod};

/// Reads a sitemap, index, feed or list of URLs of any form, as far as possible.
///
/// It never fails: an error becomes a [`Fault`], the entry concerned is left out, and if the document cannot be read
/// further, the previous entries remain valid. It never opens a file or URL that a document names.
///
/// ```
/// use mapwright_sitemap::{DocumentKind, ReadLimits, Reader};
///
/// let text = "https://www.example.com/a\nnot a URL\nhttps://www.example.com/b\n";
/// let mut reader = Reader::new(text.as_bytes(), &ReadLimits::default());
/// assert_eq!(reader.by_ref().count(), 2);
/// assert_eq!(reader.kind(), Some(DocumentKind::Text));
/// assert_eq!(reader.faults()[0].line, 2);
/// ```
pub struct Reader<R> {
    document: Document<R>,
}

impl<R: BufRead> Reader<R> {
    /// Starts reading: the first window is read at once, to detect encoding and form.
    pub fn new(input: R, limits: &ReadLimits) -> Self {
        Self::of(input, limits, &DocumentContext::default())
    }

    /// As [`new`](Self::new), for a document fetched from `url`, which the links of a feed are resolved against.
    pub fn of_url(input: R, limits: &ReadLimits, url: &Url) -> Self {
        Self::of(input, limits, &DocumentContext { url: Some(url.clone()), ..DocumentContext::default() })
    }

    /// As [`new`](Self::new), for a document with a known URL and served encoding.
    pub fn of(input: R, limits: &ReadLimits, context: &DocumentContext) -> Self {
        Self { document: Document::new(input, limits, context) }
    }

    /// The faults in the order of detection: up to [`ReadLimits::faults`] of each rule. Complete once the iteration has
    /// ended.
    pub fn faults(&self) -> &[Fault] {
        self.document.faults.as_slice()
    }

    /// The number of faults beyond those in [`faults`](Self::faults).
    pub fn further_faults(&self) -> u64 {
        self.document.faults.further().iter().map(|(_, count)| count).sum()
    }

    /// The kind of the document; known after the first item, `None` until it is detected.
    pub fn kind(&self) -> Option<DocumentKind> {
        self.document.kind()
    }

    /// Returns true if the document was not read to its end: it is truncated or malformed, or a limit was reached.
    /// Known once the iteration has ended.
    pub const fn truncated(&self) -> bool {
        self.document.is_cut()
    }

    /// The entry just read, or `None` if its location is unusable, which is reported.
    fn item(&mut self) -> Option<Item> {
        let kind = self.document.kind();
        let loc = self.location()?;
        let entry = &mut self.document.entry;
        let lastmod_text = entry.lastmod.sound().filter(|text| !text.is_empty());
        let lastmod = lastmod_text.and_then(|text| date(text, kind));
        if entry.listing == EntryKind::Sitemap {
            return Some(Item::Sitemap { loc, lastmod });
        }
        Some(Item::Page(PageEntry {
            loc,
            lastmod,
            lastmod_text: lastmod_text.map(str::to_owned),
            changefreq: entry.changefreq.sound().and_then(|text| text.parse::<ChangeFreq>().ok()),
            priority: entry.priority.sound().and_then(priority),
            alternates: mem::take(&mut entry.alternates).into_iter().filter_map(usable).collect(),
            line: entry.line,
        }))
    }

    fn location(&mut self) -> Option<String> {
        let (entry, faults) = (&mut self.document.entry, &mut self.document.faults);
        let loc = &mut entry.loc;
        if !loc.present {
            faults.add(entry.line, CheckRule::LocMissing, || "an entry without <loc> is left out".to_owned());
            return None;
        }
        match loc.flaw {
            Some(Flaw::TooLong) => {
                faults.add(loc.line, CheckRule::LocLength, || "a URL that is far too long is left out".to_owned());
                return None;
            }
            // The reference has been reported already.
            Some(Flaw::Unresolved) => return None,
            None => {}
        }
        if let Some((rule, what)) = tidy(&mut loc.text) {
            faults.add(loc.line, rule, || what.to_owned());
        }
        match unusable(&loc.text) {
            Some((rule, what)) => {
                let text = &loc.text;
                faults.add(loc.line, rule, || format!("{} {what} and is left out", quoted(text)));
                None
            }
            None => Some(mem::take(&mut loc.text)),
        }
    }
}

/// An alternate with a tidied URL; `None` if it cannot be fetched.
fn usable(mut alternate: AlternateEntry) -> Option<AlternateEntry> {
    tidy(&mut alternate.loc);
    unusable(&alternate.loc).is_none().then_some(alternate)
}

/// Removes what the URL standard removes: white space around a URL, and line ends and tabs in it, which are reported.
fn tidy(loc: &mut String) -> Option<(CheckRule, &'static str)> {
    if trimmed(loc).len() != loc.len() {
        *loc = trimmed(loc).to_owned();
    }
    if !loc.bytes().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r')) {
        return None;
    }
    loc.retain(|c| !matches!(c, '\t' | '\n' | '\r'));
    Some((CheckRule::LocEscape, "line ends and tabs inside a URL are removed"))
}

/// The reason why a URL cannot be fetched.
fn unusable(loc: &str) -> Option<(CheckRule, &'static str)> {
    if loc.is_empty() {
        return Some((CheckRule::LocEmpty, "is empty"));
    }
    if after_web_scheme(loc).is_none() {
        return Some((CheckRule::LocRelative, "is not an absolute http URL"));
    }
    if loc.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
        return None;
    }
    let forbidden = loc.chars().any(|c| c.is_control() || !is_xml_char(c));
    forbidden.then_some((CheckRule::LocEscape, "holds a control character"))
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while self.document.next() {
            if let Some(item) = self.item() {
                return Some(item);
            }
        }
        None
    }
}

fn date(text: &str, kind: Option<DocumentKind>) -> Option<Lastmod> {
    let w3c = text.parse().ok();
    if kind == Some(DocumentKind::Rss) { w3c.or_else(|| rfc822(text)) } else { w3c }
}

fn priority(text: &str) -> Option<f32> {
    text.parse().ok().filter(|priority| (0.0..=1.0).contains(priority))
}
