//! The images, style sheets, scripts and other files that pages load.

use super::urls::UrlNo;
use mapwright_store::LinkRow;
use mapwright_web::page::facts::LinkKind;
use std::collections::{BTreeMap, HashMap};

/// The kinds of resource, in the order of the bits of [`Resources::kinds`].
const KINDS: [LinkKind; 7] = [
    LinkKind::Image,
    LinkKind::Media,
    LinkKind::Stylesheet,
    LinkKind::Script,
    LinkKind::Icon,
    LinkKind::Manifest,
    LinkKind::Preload,
];

/// The files that pages load.
#[derive(Debug, Default)]
pub struct Resources {
    /// The kinds as which pages load each file, one bit each.
    pub(super) kinds: BTreeMap<UrlNo, u8>,
    /// The media type of those that answered 200, without parameters, in lower case.
    pub(super) media_types: HashMap<UrlNo, Box<str>>,
    /// Frames and files over http, by the link sets that have them.
    pub(super) insecure: HashMap<u32, Vec<UrlNo>>,
}

impl Resources {
    /// Adds those of one link set. `text` returns the text of a URL.
    pub(super) fn note_set<'u>(&mut self, set: u32, rows: &[LinkRow], text: impl Fn(UrlNo) -> &'u str) {
        for row in rows {
            let bit = KINDS.iter().position(|kind| *kind == row.kind);
            if let Some(bit) = bit {
                *self.kinds.entry(row.target).or_default() |= 1 << bit;
            }
            let is_loaded = bit.is_some() || row.kind == LinkKind::Frame;
            if is_loaded && text(row.target).starts_with("http:") {
                self.insecure.entry(set).or_default().push(row.target);
            }
        }
    }

    /// Returns the kinds as which pages load a file.
    pub(super) fn kinds(bits: u8) -> impl Iterator<Item = LinkKind> {
        KINDS.into_iter().enumerate().filter(move |(bit, _)| bits & 1 << bit != 0).map(|(_, kind)| kind)
    }
}
