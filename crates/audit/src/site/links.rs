//! Who links to whom: sets of links, each of which stands on one page or on many.

use super::{Node, Said, UrlNo};

/// A link in four bytes: the target's number (30 bits, see [`mapwright_frontier::UrlId`]), and two marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link(u32);

const NOFOLLOW: u32 = 1 << 31;
const REFERENCE: u32 = 1 << 30;

impl Link {
    /// A link to `target`. `reference`: no visitor clicks on it (a canonical, an alternate, an image).
    #[must_use]
    pub fn new(target: UrlNo, nofollow: bool, reference: bool) -> Self {
        let marks = if nofollow { NOFOLLOW } else { 0 } | if reference { REFERENCE } else { 0 };
        Self(target & (REFERENCE - 1) | marks)
    }

    /// Where it points.
    #[must_use]
    pub fn target(self) -> UrlNo {
        self.0 & (REFERENCE - 1)
    }

    /// It says nofollow.
    #[must_use]
    pub fn nofollow(self) -> bool {
        self.0 & NOFOLLOW != 0
    }

    /// No visitor clicks on it.
    #[must_use]
    pub fn is_reference(self) -> bool {
        self.0 & REFERENCE != 0
    }
}

/// All links, by set.
#[derive(Debug, Default)]
pub struct Links {
    links: Vec<Link>,
    /// Where each set begins and ends in `links`, by number.
    sets: Vec<(usize, usize)>,
}

impl Links {
    /// Takes a set.
    pub fn push(&mut self, set: u32, links: impl Iterator<Item = Link>) {
        let at = set as usize;
        if self.sets.len() <= at {
            self.sets.resize(at + 1, (0, 0));
        }
        let begin = self.links.len();
        self.links.extend(links);
        if let Some(slot) = self.sets.get_mut(at) {
            *slot = (begin, self.links.len());
        }
    }

    /// The links of a set.
    #[must_use]
    pub fn of_set(&self, set: u32) -> &[Link] {
        let range = self.sets.get(set as usize).and_then(|(begin, end)| self.links.get(*begin..*end));
        range.unwrap_or_default()
    }

    /// The links of a page.
    pub fn of<'l>(&'l self, page: &'l Said) -> impl Iterator<Item = Link> + 'l {
        page.sets.iter().flat_map(|set| self.of_set(*set)).copied()
    }
}

/// Pages that link to a URL, itself apart, each counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Inlinks {
    /// By a link that is followed.
    pub followed: u32,
    /// Of these, such as say no noindex.
    pub from_indexable: u32,
    /// By links that say nofollow, or from pages that do, alone.
    pub nofollowed: u32,
    /// By what no visitor clicks on, alone: canonicals, alternates, images.
    pub references: u32,
    /// The first of those that follow it; else of the others.
    pub first: UrlNo,
}

impl Inlinks {
    /// By a link that visitors may click on.
    #[must_use]
    pub fn clicked(self) -> u32 {
        self.followed + self.nofollowed
    }

    /// In whatever way.
    #[must_use]
    pub fn all(self) -> u32 {
        self.clicked() + self.references
    }
}

/// Counts who links to each URL.
pub(super) fn count(nodes: &[Node], said: &[Said], links: &Links) -> Vec<Inlinks> {
    let mut inlinks = vec![Inlinks::default(); nodes.len()];
    // The best link of the present page to each target it was met at: page, and how good.
    let mut met = vec![(UrlNo::MAX, 0_u8); nodes.len()];
    for (page, node) in (0..).zip(nodes) {
        let Some(said) = node.said.and_then(|at| said.get(at as usize)).filter(|_| node.is_page()) else { continue };
        for link in links.of(said).filter(|link| link.target() != page) {
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
    /// A page's best link was of rank `before` (0: none), and is of rank `rank`.
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
