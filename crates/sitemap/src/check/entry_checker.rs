//! The protocol's rules for entries.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::BufRead;

use jiff::Timestamp;
use url::Url;

use super::DocumentContext;
use super::decimal::Decimal;
use super::loc::{LocationRule, SitemapLocation};
use crate::read::{Document, EntryKind, Faults, Flaw, RawEntry, Value, quoted, rfc822};
use crate::{ChangeFreq, CheckRule, DocumentKind, Lastmod, LastmodError, MAX_ENTRIES, MAX_LOC_CHARS};

/// The number of locations remembered to detect duplicates. A valid document has no more than 50,000.
const REMEMBERED: usize = 200_000;

pub(super) struct EntryChecker {
    place: SitemapLocation,
    /// The URL of the document.
    own: Option<Url>,
    now: Timestamp,
    /// Hashes of the locations so far, with their lines.
    seen: HashMap<u64, u64>,
    pub(super) remarks: Faults,
}

impl EntryChecker {
    pub(super) fn new(context: &DocumentContext, now: Timestamp, findings: usize) -> Self {
        let place =
            context.url.as_ref().map_or(SitemapLocation::Unknown, |url| SitemapLocation::of(url, context.cross_submit));
        Self { place, own: context.url.clone(), now, seen: HashMap::new(), remarks: Faults::new(findings) }
    }

    /// Checks the `number`th entry.
    pub(super) fn entry(&mut self, entry: &RawEntry, kind: Option<DocumentKind>, number: u64, faults: &mut Faults) {
        if number == MAX_ENTRIES as u64 + 1 {
            faults.add(entry.line, CheckRule::TooMany, || {
                format!("too many entries: the protocol's limit is {MAX_ENTRIES}, and this is one more")
            });
        }
        self.loc(entry, kind, faults);
        self.lastmod(&entry.lastmod, kind, faults);
        changefreq(&entry.changefreq, faults);
        priority(&entry.priority, faults);
    }

    /// Checks the rules that need the complete document.
    pub(super) fn document<R: BufRead>(&self, document: &mut Document<R>) {
        let name = match document.kind() {
            Some(DocumentKind::UrlSet) => "url",
            Some(DocumentKind::Index) => "sitemap",
            _ => return,
        };
        if document.entries() == 0 && !document.is_cut() {
            document.faults.add(1, CheckRule::NoEntries, || format!("there is no <{name}> element at all"));
        }
    }

    fn loc(&mut self, entry: &RawEntry, kind: Option<DocumentKind>, faults: &mut Faults) {
        let loc = &entry.loc;
        if !loc.present {
            faults.add(entry.line, CheckRule::LocMissing, || "the entry has no <loc>".to_owned());
            return;
        }
        match loc.flaw {
            Some(Flaw::TooLong) => {
                faults.add(loc.line, CheckRule::LocLength, || {
                    format!("the URL is far too long: at most {MAX_LOC_CHARS} characters are allowed")
                });
                return;
            }
            // The reference has been reported already.
            Some(Flaw::Unresolved) => return,
            None => {}
        }
        let text = loc.trimmed();
        if text.is_empty() {
            faults.add(loc.line, CheckRule::LocEmpty, || "the <loc> is empty".to_owned());
            return;
        }
        let rule = match (entry.listing, kind) {
            (EntryKind::Sitemap, _) => LocationRule::Site,
            (_, Some(DocumentKind::Rss | DocumentKind::Atom)) => LocationRule::Feed,
            _ => LocationRule::Directory,
        };
        let url = super::loc::check_loc(text, loc.line, &mut self.place, rule, faults, &mut self.remarks);
        if rule == LocationRule::Site && url.is_some() && url == self.own {
            faults.add(loc.line, CheckRule::NestedIndex, || format!("the index lists itself, {}", quoted(text)));
        }
        self.duplicate(text, loc.line);
    }

    fn duplicate(&mut self, text: &str, line: u64) {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let full = self.seen.len() >= REMEMBERED;
        match self.seen.entry(hasher.finish()) {
            Slot::Occupied(first) => {
                let first = *first.get();
                self.remarks.add(line, CheckRule::LocDuplicate, || {
                    format!("{} is a duplicate: it stands on line {first} already", quoted(text))
                });
            }
            Slot::Vacant(slot) if !full => {
                slot.insert(line);
            }
            Slot::Vacant(_) => {}
        }
    }

    fn lastmod(&mut self, value: &Value, kind: Option<DocumentKind>, faults: &mut Faults) {
        let Some(text) = full_text(value, CheckRule::Lastmod, "lastmod", faults) else { return };
        let parsed = text.parse::<Lastmod>();
        let lastmod = match (parsed, kind) {
            (Ok(lastmod), _) => lastmod,
            // A feed has its own date format.
            (Err(error), Some(kind @ (DocumentKind::Rss | DocumentKind::Atom))) => match rfc822(text) {
                Some(lastmod) => lastmod,
                None => {
                    let (form, fix) = date_of_feed(kind);
                    self.remarks.add_with_fix(value.line, CheckRule::Lastmod, fix, || date_message(text, form, &error));
                    return;
                }
            },
            (Err(error), _) => {
                faults.add(value.line, CheckRule::Lastmod, || date_message(text, "a W3C date", &error));
                return;
            }
        };
        if lastmod.earliest() > self.now {
            self.remarks.add(value.line, CheckRule::LastmodFuture, || format!("the lastmod {text} is in the future"));
        }
    }
}

/// The date format of a feed, and the fix for a date in another one: RSS uses RFC 822, except for the `date` of Dublin
/// Core, and Atom uses RFC 3339 (RFC 4287, 3.3).
const fn date_of_feed(kind: DocumentKind) -> (&'static str, &'static str) {
    match kind {
        DocumentKind::Rss => (
            "a date of RFC 822",
            "write a pubDate as RFC 822 has it, \"Mon, 06 May 2024 07:08:09 GMT\", and a dc:date as YYYY-MM-DD, or leave it out",
        ),
        _ => ("a date of RFC 3339", "write it as RFC 3339 has it, \"2024-05-06T07:08:09Z\""),
    }
}

/// The message for a date that is not of this form.
fn date_message(text: &str, form: &str, error: &LastmodError) -> String {
    match error {
        LastmodError::Empty => "the lastmod is empty".to_owned(),
        LastmodError::Form => format!("the lastmod {} is not {form}", quoted(text)),
        LastmodError::Calendar(what) => {
            format!("the lastmod {} is no date of the calendar: {what} is out of range", quoted(text))
        }
    }
}

fn changefreq(value: &Value, faults: &mut Faults) {
    let Some(text) = full_text(value, CheckRule::ChangeFreq, "changefreq", faults) else { return };
    if text.parse::<ChangeFreq>().is_err() {
        faults
            .add(value.line, CheckRule::ChangeFreq, || format!("the changefreq {} is none of the seven", quoted(text)));
    }
}

fn priority(value: &Value, faults: &mut Faults) {
    let Some(text) = full_text(value, CheckRule::Priority, "priority", faults) else { return };
    if text.is_empty() {
        faults.add(value.line, CheckRule::Priority, || "the priority is empty".to_owned());
        return;
    }
    match Decimal::of(text) {
        None => {
            faults.add(value.line, CheckRule::Priority, || {
                format!("the priority {} is not a decimal number", quoted(text))
            });
        }
        Some(number) if !number.is_within_one() => {
            faults
                .add(value.line, CheckRule::Priority, || format!("the priority {text:.80} is not between 0.0 and 1.0"));
        }
        Some(_) => {}
    }
}

/// The text of an element, or `None` if there is nothing to check.
fn full_text<'v>(value: &'v Value, rule: CheckRule, name: &str, faults: &mut Faults) -> Option<&'v str> {
    if value.flaw == Some(Flaw::TooLong) {
        faults.add(value.line, rule, || format!("the text of <{name}> is far too long"));
    }
    value.sound()
}
