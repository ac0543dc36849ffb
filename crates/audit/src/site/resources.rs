//! The images, style sheets, scripts and other files that pages load.

use super::Node;
use super::urls::UrlNo;
use mapwright_model::Via;
use mapwright_store::LinkRow;
use mapwright_web::page::facts::LinkKind;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The kinds of resource, in the order of the bits of [`Resources::kinds`].
const KINDS: [LinkKind; 8] = [
    LinkKind::Image,
    LinkKind::Media,
    LinkKind::Stylesheet,
    LinkKind::Script,
    LinkKind::Icon,
    LinkKind::Manifest,
    LinkKind::Preload,
    LinkKind::Amp,
];

/// The size of a style sheet or script in bytes, decoded.
#[derive(Debug, Clone, Copy, Default)]
pub struct CodeSize {
    /// All of it.
    pub all: u64,
    /// The part that a minifier would leave, at most.
    pub minified: u64,
}

/// The files that pages load.
#[derive(Debug, Default)]
pub struct Resources {
    /// The kinds as which pages load each file, one bit each.
    pub(super) kinds: BTreeMap<UrlNo, u8>,
    /// The media type of those that answered 200, without parameters, in lower case.
    pub(super) media_types: HashMap<UrlNo, Box<str>>,
    /// Frames and files over http, by the link sets that have them.
    pub(super) insecure: HashMap<u32, Vec<UrlNo>>,
    /// The files that no page loads by itself, each with the style sheet that names it.
    pub(super) by_sheet: BTreeMap<UrlNo, UrlNo>,
    /// Those that were sent compressed.
    pub(super) compressed: HashSet<UrlNo>,
    /// The manifests that browsers cannot read.
    pub(super) malformed: HashSet<UrlNo>,
    /// The sizes of style sheets and scripts.
    pub(super) code_sizes: HashMap<UrlNo, CodeSize>,
}

impl Resources {
    /// Adds those of one link set. `text` returns the text of a URL.
    pub(super) fn note_set<'u>(&mut self, set: u32, rows: &[LinkRow], text: impl Fn(UrlNo) -> &'u str) {
        for row in rows {
            let bit = KINDS.iter().position(|kind| *kind == row.kind);
            if let Some(bit) = bit {
                *self.kinds.entry(row.target).or_default() |= 1 << bit;
            }
            let is_loaded = bit.is_some() && row.kind != LinkKind::Amp || row.kind == LinkKind::Frame;
            if is_loaded && text(row.target).starts_with("http:") {
                self.insecure.entry(set).or_default().push(row.target);
            }
        }
    }

    /// Adds those that style sheets name, once the style sheets are known by their media types.
    pub(super) fn note_sheets(&mut self, nodes: &[Node]) {
        for (url, node) in (0..).zip(nodes).filter(|(_, node)| node.via == Some(Via::Resource)) {
            let is_sheet = |on: &UrlNo| self.media_types.get(on).is_some_and(|media_type| &**media_type == "text/css");
            if let Some(sheet) = node.found_on.filter(is_sheet).filter(|_| !self.kinds.contains_key(&url)) {
                self.by_sheet.insert(url, sheet);
            }
        }
    }

    /// Returns the kinds as which pages load a file.
    pub(super) fn kinds(bits: u8) -> impl Iterator<Item = LinkKind> {
        KINDS.into_iter().enumerate().filter(move |(bit, _)| bits & 1 << bit != 0).map(|(_, kind)| kind)
    }
}
