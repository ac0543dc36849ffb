//! The links between pages: link sets, each of which one page or many pages have.

use super::{Node, PageContent, UrlNo};
use mapwright_web::page::facts::Region;

/// A link in four bytes: the target's number (30 bits, see [`mapwright_model::UrlId`]), and two marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteLink(u32);

const NOFOLLOW: u32 = 1 << 31;
const REFERENCE: u32 = 1 << 30;

impl SiteLink {
    /// Returns a link to `target`. `reference`: visitors cannot click it (a canonical, an alternate, an image).
    #[must_use]
    pub fn new(target: UrlNo, nofollow: bool, reference: bool) -> Self {
        let marks = if nofollow { NOFOLLOW } else { 0 } | if reference { REFERENCE } else { 0 };
        Self(target & (REFERENCE - 1) | marks)
    }

    /// Returns the target.
    #[must_use]
    pub fn target(self) -> UrlNo {
        self.0 & (REFERENCE - 1)
    }

    /// Returns true if it says nofollow.
    #[must_use]
    pub fn nofollow(self) -> bool {
        self.0 & NOFOLLOW != 0
    }

    /// Returns true if visitors cannot click it.
    #[must_use]
    pub fn is_reference(self) -> bool {
        self.0 & REFERENCE != 0
    }
}

/// All links, by set.
#[derive(Debug, Default)]
pub struct LinkSets {
    links: Vec<SiteLink>,
    /// The sets, by number.
    sets: Vec<LinkSet>,
}

/// A set: its range in the links of all sets, and the region of pages that holds it.
#[derive(Debug, Clone, Copy)]
struct LinkSet {
    begin: usize,
    end: usize,
    region: Region,
}

impl LinkSet {
    const EMPTY: Self = Self { begin: 0, end: 0, region: Region::Body };
}

impl LinkSets {
    /// Adds a set, which pages have in this region.
    pub fn push(&mut self, set: u32, region: Region, links: impl Iterator<Item = SiteLink>) {
        let at = set as usize;
        if self.sets.len() <= at {
            self.sets.resize(at + 1, LinkSet::EMPTY);
        }
        let begin = self.links.len();
        self.links.extend(links);
        if let Some(slot) = self.sets.get_mut(at) {
            *slot = LinkSet { begin, end: self.links.len(), region };
        }
    }

    /// Returns the links of a set.
    #[must_use]
    pub fn of_set(&self, set: u32) -> &[SiteLink] {
        let range = self.sets.get(set as usize).and_then(|set| self.links.get(set.begin..set.end));
        range.unwrap_or_default()
    }

    /// Returns the region of pages that holds a set.
    #[must_use]
    pub fn region_of(&self, set: u32) -> Region {
        self.sets.get(set as usize).unwrap_or(&LinkSet::EMPTY).region
    }

    /// Returns the links of a page.
    pub fn of<'l>(&'l self, page: &'l PageContent) -> impl Iterator<Item = SiteLink> + 'l {
        page.sets.iter().flat_map(|set| self.of_set(*set)).copied()
    }
}

/// The counts of other pages that link to a URL, each page once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Inlinks {
    /// Pages with a link that is followed.
    pub followed: u32,
    /// Pages with such a link that do not say noindex.
    pub from_indexable: u32,
    /// Pages with nothing better than a nofollow link.
    pub nofollowed: u32,
    /// Pages with nothing better than a link that visitors cannot click: a canonical, an alternate, an image.
    pub references: u32,
    /// The first page with a followed link; else the first of the others.
    pub first: UrlNo,
}

impl Inlinks {
    /// Returns the count of pages with a link that visitors can click.
    #[must_use]
    pub fn clicked(self) -> u32 {
        self.followed + self.nofollowed
    }

    /// Returns the count of all pages that link here.
    #[must_use]
    pub fn all(self) -> u32 {
        self.clicked() + self.references
    }
}

/// Counts the pages that link to each URL.
pub(super) fn count(nodes: &[Node], page_contents: &[PageContent], links: &LinkSets) -> Vec<Inlinks> {
    let mut inlinks = vec![Inlinks::default(); nodes.len()];
    // For each target, the last page that links to it, and the rank of its best link.
    let mut met = vec![(UrlNo::MAX, 0_u8); nodes.len()];
    for (page, node) in (0..).zip(nodes) {
        let Some(page_contents) =
            node.content_index.and_then(|at| page_contents.get(at as usize)).filter(|_| node.is_page())
        else {
            continue;
        };
        for link in links.of(page_contents).filter(|link| link.target() != page) {
            let rank = match (link.is_reference(), link.nofollow() || node.nofollow) {
                (true, _) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            let at = link.target() as usize;
            let (Some(counts), Some(best)) = (inlinks.get_mut(at), met.get_mut(at)) else { continue };
            let before = if best.0 == page { best.1 } else { 0 };
            if rank > before {
                *best = (page, rank);
                counts.note(page, before, rank, node.noindex);
            }
        }
    }
    inlinks
}

impl Inlinks {
    /// Updates the counts: the rank of a page's best link was `before` (0: none), and is now `rank`.
    fn note(&mut self, page: UrlNo, before: u8, rank: u8, noindex: bool) {
        match before {
            1 => self.references -= 1,
            2 => self.nofollowed -= 1,
            _ => {}
        }
        if self.all() == 0 || (rank == 3 && self.followed == 0) {
            self.first = page;
        }
        match rank {
            1 => self.references += 1,
            2 => self.nofollowed += 1,
            _ => {
                self.followed += 1;
                self.from_indexable += u32::from(!noindex);
            }
        }
    }
}
