//! The results of a scan before URLs are resolved: the base is known only at the end of the document.

use super::content::blocks::Blocks;
use super::facts::{
    DateFrom, FactLocation, Fields, Heading, LinkKind, MarkupCounts, PageDate, PlacedDirectives, Region, Rel,
};
use super::limits::Limits;
use crate::date::WebDate;
use encoding_rs::Encoding;
use std::borrow::Cow;

/// A link as written.
#[derive(Debug)]
pub(crate) struct FoundLink<'t> {
    pub(crate) href: Cow<'t, str>,
    pub(crate) kind: LinkKind,
    pub(crate) rel: Rel,
    pub(crate) region: Region,
    pub(crate) anchor: Cow<'t, str>,
}

/// A `hreflang` alternate as written.
#[derive(Debug)]
pub(crate) struct FoundHreflang<'t> {
    pub(crate) code: String,
    pub(crate) href: Cow<'t, str>,
    pub(crate) place: FactLocation,
}

/// A meta refresh as written; without a target it reloads the page.
#[derive(Debug)]
pub(crate) struct FoundRefresh {
    pub(crate) seconds: u64,
    pub(crate) target: Option<String>,
    pub(crate) place: FactLocation,
}

/// Everything found in one document.
#[derive(Debug)]
pub(crate) struct Found<'t> {
    /// The encoding of the first `meta` that names one.
    pub(crate) encoding: Option<&'static Encoding>,
    pub(crate) base: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) headings: Vec<Heading>,
    pub(crate) links: Vec<FoundLink<'t>>,
    pub(crate) canonicals: Vec<(Cow<'t, str>, FactLocation)>,
    pub(crate) directives: Vec<PlacedDirectives>,
    pub(crate) hreflang: Vec<FoundHreflang<'t>>,
    pub(crate) refresh: Option<FoundRefresh>,
    pub(crate) dates: Vec<PageDate>,
    pub(crate) json_ld: Vec<&'t str>,
    pub(crate) ids: Vec<String>,
    pub(crate) blocks: Blocks,
    pub(crate) text_bytes: u64,
    pub(crate) prose_bytes: u64,
    pub(crate) fields: Fields,
    pub(crate) markup: MarkupCounts,
    pub(crate) scripts: u32,
    pub(crate) cut: bool,
    /// Links were left out because of their number or the time of their selection.
    pub(crate) links_cut: bool,
}

impl<'t> Found<'t> {
    pub(crate) fn new(limits: &Limits) -> Self {
        Found {
            encoding: None,
            base: None,
            title: None,
            description: None,
            language: None,
            headings: Vec::new(),
            // Most pages have links; the initial capacity avoids a few reallocations.
            links: Vec::with_capacity(limits.links.min(64)),
            canonicals: Vec::new(),
            directives: Vec::new(),
            hreflang: Vec::new(),
            refresh: None,
            dates: Vec::new(),
            json_ld: Vec::new(),
            ids: Vec::new(),
            blocks: Blocks::new(limits.blocks, limits.kept_text),
            text_bytes: 0,
            prose_bytes: 0,
            fields: Fields::default(),
            markup: MarkupCounts::default(),
            scripts: 0,
            cut: false,
            links_cut: false,
        }
    }

    /// Adds a link and returns its index, or `None` if the limit is reached.
    #[inline]
    pub(crate) fn link(&mut self, link: FoundLink<'t>, limits: &Limits) -> Option<usize> {
        if link.href.len() > limits.url_bytes {
            self.cut = true;
            return None;
        }
        push(&mut self.links, link, limits.links, &mut self.links_cut).then(|| self.links.len() - 1)
    }

    /// Adds a date if it can be parsed.
    pub(crate) fn date(&mut self, from: DateFrom, text: &str, limits: &Limits) {
        if let Some(date) = WebDate::parse_loose(text) {
            push(&mut self.dates, PageDate { from, date }, limits.annotations, &mut self.cut);
        }
    }
}

/// Pushes within the limit, otherwise sets `cut`.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T, limit: usize, cut: &mut bool) -> bool {
    let room = list.len() < limit;
    if room {
        list.push(item);
    } else {
        *cut = true;
    }
    room
}
