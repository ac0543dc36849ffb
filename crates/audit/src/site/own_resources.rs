//! The files that pages load from the site's own hosts, and those that they load over http.

use super::resources::{CodeSize, Resources};
use super::{Node, NodeStatus, Site, UrlNo};
use mapwright_web::origin_of;
use mapwright_web::page::facts::LinkKind;
use std::collections::{BTreeSet, HashSet};

/// A file of the site's own hosts.
#[derive(Debug, Clone, Copy)]
pub struct OwnResource<'s> {
    /// Its URL.
    pub url: UrlNo,
    /// The kinds as which pages load it, one bit each.
    kinds: u8,
    /// The result of the request for it; none if it was not requested.
    pub node: Option<&'s Node>,
    /// The media type of its response, if that was 200 and has one.
    pub media_type: Option<&'s str>,
    /// The style sheet that names it, if no page loads it by itself.
    pub sheet: Option<UrlNo>,
    /// It was sent compressed; its size is that of what was sent.
    pub is_compressed: bool,
    /// The size of a style sheet or script.
    pub code_size: Option<CodeSize>,
    /// It is a manifest that browsers cannot read.
    pub is_malformed: bool,
}

impl OwnResource<'_> {
    /// Returns the kinds as which pages load it.
    pub fn kinds(&self) -> impl Iterator<Item = LinkKind> {
        Resources::kinds(self.kinds)
    }
}

impl Site {
    /// Returns the file with which pages load a URL: its style sheet, if that alone names it, or else itself.
    pub(crate) fn loaded_with(&self, url: UrlNo) -> UrlNo {
        self.resources.by_sheet.get(&url).copied().unwrap_or(url)
    }

    /// Returns the files that pages, and their style sheets, load from the hosts of the site's pages. One that turned out
    /// to be a page is a page.
    pub fn own_resources(&self) -> impl Iterator<Item = OwnResource<'_>> {
        let own: HashSet<&str> = self.page_origins();
        let by_pages = self.resources.kinds.iter().map(|(url, kinds)| (url, *kinds, None));
        let by_sheets = self.resources.by_sheet.iter().map(|(url, sheet)| (url, 0, Some(*sheet)));
        by_pages.chain(by_sheets).filter_map(move |(url, kinds, sheet)| {
            let is_file = matches!(self.node(*url).fetch_status, NodeStatus::Refused(_));
            (is_file && own.contains(origin_of(self.text(*url)))).then(|| OwnResource {
                url: *url,
                kinds,
                sheet,
                is_compressed: self.resources.compressed.contains(url),
                is_malformed: self.resources.malformed.contains(url),
                code_size: self.resources.code_sizes.get(url).copied(),
                node: self.external.get(url),
                media_type: self.resources.media_types.get(url).map(AsRef::as_ref),
            })
        })
    }

    /// Returns the frames and files over http that pages over https load.
    #[must_use]
    pub fn mixed_content(&self) -> BTreeSet<UrlNo> {
        let secure = self.pages().filter(|(url, ..)| self.text(*url).starts_with("https:"));
        let sets: HashSet<u32> = secure.flat_map(|(.., content)| content.sets.iter().copied()).collect();
        let insecure = self.resources.insecure.iter().filter(|(set, _)| sets.contains(set));
        insecure.flat_map(|(_, urls)| urls).copied().collect()
    }

    fn page_origins(&self) -> HashSet<&str> {
        let pages = self.nodes().filter(|(_, node)| node.is_page());
        pages.map(|(url, _)| origin_of(self.text(url))).collect()
    }
}
