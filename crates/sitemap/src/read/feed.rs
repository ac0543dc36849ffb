//! The state machine for RSS and Atom.

use jiff::fmt::rfc2822::DateTimeParser;
use url::Url;

use super::channel::Channel;
use super::entry::{EntryKind, Flaw, RawEntry, Value};
use super::faults::Faults;
use super::names::Ns;
use super::step::Step;
use super::token::{Tag, Token};
use crate::limits::after_web_scheme;
use crate::{CheckRule, Lastmod};

/// The dialect of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// RSS versions with the items in the channel.
    Rss,
    /// RDF versions of RSS, with the items beside the channel.
    Rdf,
    Atom,
}

/// The maximum depth of a link, the root being 1; deeper elements need no base.
const DEEPEST_LINK: usize = 4;

/// Handles the tokens of a feed after its root.
pub(super) struct FeedWalk {
    dialect: Dialect,
    /// The root's namespace.
    ns: Ns,
    channel: Channel,
    /// The number of open elements, the root being 1.
    depth: usize,
    /// The entry being read: its depth and namespace.
    inside: Option<(usize, Ns)>,
    /// The element whose text is collected, and its depth.
    gathering: Option<(Gathered, usize)>,
    text: Value,
    /// The stack of base URLs, each with the depth of the element that set it. The document's own is at depth 0.
    bases: Vec<(usize, Url)>,
    candidates: Candidates,
    text_limit: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gathered {
    Link,
    Guid,
    Date { rank: u8 },
}

/// The candidates for an entry's location and date; the better one is used.
#[derive(Debug, Default)]
struct Candidates {
    link: Option<(String, u64)>,
    /// `link` is an Atom link whose type is not HTML.
    poor: bool,
    guid: Option<(String, u64)>,
    flaw: Option<Flaw>,
    date_rank: u8,
}

impl FeedWalk {
    /// Starts after `root` was opened on `line`.
    pub(super) fn new(dialect: Dialect, root: &Tag<'_>, line: u64, base: Option<Url>, text_limit: usize) -> Self {
        let mut walk = Self {
            dialect,
            ns: root.ns,
            channel: Channel::within(line),
            depth: 1,
            inside: None,
            gathering: None,
            text: Value::default(),
            bases: base.map(|base| (0, base)).into_iter().collect(),
            candidates: Candidates::default(),
            text_limit,
        };
        walk.enter_base(root);
        walk
    }

    pub(super) fn take(&mut self, token: Token<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Step {
        match token {
            Token::Open(tag) => self.open(&tag, line, entry, faults),
            Token::Close => return self.close(line, entry, faults),
            Token::Text { piece, complete } => self.gather(&piece, complete),
            Token::Char(c) => self.gather(c.encode_utf8(&mut [0; 4]), true),
            Token::Unresolved => self.text.flaw = Some(Flaw::Unresolved),
            Token::Doctype | Token::Skip | Token::End => {}
        }
        Step::Continue
    }

    fn open(&mut self, tag: &Tag<'_>, line: u64, entry: &mut RawEntry, faults: &mut Faults) {
        self.depth += 1;
        self.enter_base(tag);
        if self.depth == 2 {
            self.open_in_root(tag, line, faults);
        }
        match self.inside {
            None if self.begins_entry(tag) => {
                if self.dialect == Dialect::Rss && tag.ns == self.ns {
                    self.channel.require(line, faults);
                }
                self.inside = Some((self.depth, tag.ns));
                self.candidates = Candidates::default();
                entry.begin(EntryKind::Page, line);
            }
            Some((depth, ns)) if self.depth == depth + 1 => match self.dialect {
                Dialect::Rss | Dialect::Rdf => self.open_in_item(tag, ns, line),
                Dialect::Atom => self.open_in_entry(tag, ns, line, faults),
            },
            _ => {}
        }
    }

    fn open_in_root(&mut self, tag: &Tag<'_>, line: u64, faults: &mut Faults) {
        match self.dialect {
            Dialect::Rss => self.channel.enter(tag),
            Dialect::Rdf => {}
            Dialect::Atom if tag.ns == self.ns && tag.local() == "link" && is_alternate(tag) => {
                require_href(tag, line, faults);
            }
            Dialect::Atom => {}
        }
    }

    fn begins_entry(&self, tag: &Tag<'_>) -> bool {
        match self.dialect {
            // RSS 2.0 has its items in the channel, the RDF versions beside it.
            Dialect::Rss | Dialect::Rdf => tag.local() == "item" && tag.ns != Ns::Atom && self.depth <= 3,
            Dialect::Atom => tag.local() == "entry" && self.depth == 2,
        }
    }

    fn open_in_item(&mut self, tag: &Tag<'_>, ns: Ns, line: u64) {
        let gathered = match tag.local() {
            "link" if tag.ns == ns => Gathered::Link,
            "guid" if tag.ns == ns && tag.attribute("isPermaLink").is_none_or(|is| is.trim() != "false") => {
                Gathered::Guid
            }
            "pubDate" if tag.ns == ns => Gathered::Date { rank: 2 },
            "date" if tag.ns == Ns::DublinCore => Gathered::Date { rank: 1 },
            _ => return,
        };
        self.begin_gathering(gathered, line);
    }

    fn open_in_entry(&mut self, tag: &Tag<'_>, ns: Ns, line: u64, faults: &mut Faults) {
        if tag.ns != ns {
            return;
        }
        match tag.local() {
            "link" if is_alternate(tag) => self.take_alternate(tag, line, faults),
            "updated" | "modified" => self.begin_gathering(Gathered::Date { rank: 2 }, line),
            "published" | "issued" => self.begin_gathering(Gathered::Date { rank: 1 }, line),
            _ => {}
        }
    }

    /// RFC 4287, 4.2.7: the page is the `alternate` link.
    fn take_alternate(&mut self, tag: &Tag<'_>, line: u64, faults: &mut Faults) {
        let Some(href) = require_href(tag, line, faults) else { return };
        if href.len() > self.text_limit {
            self.candidates.flaw = Some(Flaw::TooLong);
            return;
        }
        let poor = tag.attribute("type").is_some_and(|kind| !kind.to_ascii_lowercase().contains("html"));
        if self.candidates.link.is_none() || (self.candidates.poor && !poor) {
            self.candidates.link = Some((self.against_base(href.trim()), line));
            self.candidates.poor = poor;
        }
    }

    fn begin_gathering(&mut self, gathered: Gathered, line: u64) {
        self.gathering = Some((gathered, self.depth));
        self.text.begin(line);
    }

    fn gather(&mut self, piece: &str, complete: bool) {
        if self.gathering.is_some_and(|(_, depth)| depth == self.depth) {
            self.text.push(piece, self.text_limit);
            if !complete {
                self.text.flaw.get_or_insert(Flaw::TooLong);
            }
        }
    }

    fn close(&mut self, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Step {
        if let Some((gathered, depth)) = self.gathering
            && depth == self.depth
        {
            self.gathering = None;
            self.keep(gathered, entry);
        }
        let ends_entry = self.inside.is_some_and(|(depth, _)| depth == self.depth);
        let depth = self.depth;
        self.bases.retain(|(set_at, _)| *set_at < depth);
        self.depth = self.depth.saturating_sub(1);
        if ends_entry {
            self.inside = None;
            return self.complete(line, entry, faults);
        }
        if self.depth > 0 {
            return Step::Continue;
        }
        if self.dialect == Dialect::Rss {
            self.channel.require_any(faults);
        }
        Step::Closed
    }

    fn keep(&mut self, gathered: Gathered, entry: &mut RawEntry) {
        let text = self.text.trimmed();
        match gathered {
            Gathered::Link | Gathered::Guid if self.text.flaw.is_some() => self.candidates.flaw = self.text.flaw,
            Gathered::Link if !text.is_empty() => {
                let link = self.against_base(text);
                self.candidates.link.get_or_insert((link, self.text.line));
            }
            Gathered::Guid if after_web_scheme(text).is_some() => {
                self.candidates.guid.get_or_insert((text.to_owned(), self.text.line));
            }
            Gathered::Date { rank } if rank > self.candidates.date_rank && self.text.flaw.is_none() => {
                self.candidates.date_rank = rank;
                entry.lastmod.begin(self.text.line);
                entry.lastmod.push(text, self.text_limit);
            }
            Gathered::Link | Gathered::Guid | Gathered::Date { .. } => {}
        }
    }

    /// Completes an entry. One without a page is skipped: feeds may have such entries.
    fn complete(&mut self, line: u64, entry: &mut RawEntry, faults: &mut Faults) -> Step {
        let candidates = std::mem::take(&mut self.candidates);
        let Some((loc, at)) = candidates.link.or(candidates.guid) else {
            if candidates.flaw.is_some() {
                faults.add(line, CheckRule::LocInvalid, || "an entry whose link cannot be read is left out".to_owned());
            }
            return Step::Continue;
        };
        entry.loc.begin(at);
        entry.loc.push(&loc, self.text_limit);
        Step::Entry
    }

    fn enter_base(&mut self, tag: &Tag<'_>) {
        if self.depth > DEEPEST_LINK {
            return;
        }
        let Some(base) = tag.attribute("xml:base") else { return };
        let joined = match self.bases.last() {
            Some((_, outer)) => outer.join(base.trim()),
            None => Url::parse(base.trim()),
        };
        if let Ok(joined) = joined {
            self.bases.push((self.depth, joined));
        }
    }

    /// Resolves a relative reference if there is a base; absolute ones are unchanged.
    fn against_base(&self, reference: &str) -> String {
        match self.bases.last() {
            Some((_, base)) if after_web_scheme(reference).is_none() => {
                base.join(reference).map_or_else(|_| reference.to_owned(), String::from)
            }
            _ => reference.to_owned(),
        }
    }
}

/// Returns true if this Atom link leads to the page; a link without `rel` does too (RFC 4287, 4.2.7.2).
fn is_alternate(link: &Tag<'_>) -> bool {
    let rel = link.attribute("rel").unwrap_or_default();
    let rel = rel.trim();
    let rel = rel.strip_prefix("http://www.iana.org/assignments/relation/").unwrap_or(rel);
    rel.is_empty() || rel.eq_ignore_ascii_case("alternate")
}

/// The target of an Atom link, which is required (RFC 4287, 4.2.7.1).
fn require_href(link: &Tag<'_>, line: u64, faults: &mut Faults) -> Option<String> {
    let href = link.attribute("href");
    if href.is_none() {
        faults.add_with_fix(line, CheckRule::Feed, "write the URL as its href, or remove the link", || {
            "a <link> to the page has no href".to_owned()
        });
    }
    href
}

/// Parses a date of mail and RSS (RFC 822 and its successors).
pub(crate) fn rfc822(text: &str) -> Option<Lastmod> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    PARSER.parse_timestamp(text).ok().map(Lastmod::at)
}
