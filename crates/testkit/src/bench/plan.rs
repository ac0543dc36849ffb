//! The pages of the site, the faults of some, and their links.

use super::words::{below, phrase, scramble, word};

/// Number of links on every page.
pub const LINKS: usize = 55;
/// Number of these links that all pages share (the navigation).
pub(super) const NAVIGATION: u64 = 20;

/// Page numbers are assigned in blocks of this size, so that the shares below are exact.
const BLOCK: u64 = 100;
/// Number of pages of a block that are not ordinary.
const ODD: u64 = 8;
const ORDINARY: u64 = BLOCK - ODD;
/// Number of pages that each ordinary page is the first to link to: with 92 ordinary pages in a hundred, every number
/// has such a parent.
const CHILDREN: u64 = 8;
/// Number of directories of the site.
const SECTIONS: u64 = 24;

/// The kind of page of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    /// A page that is linked by its own URL; it belongs in the sitemap. 92 %.
    Ordinary,
    /// A page that is linked only by a URL that redirects to it; it belongs in the sitemap. 2 %.
    Moved,
    /// A page with `noindex`. 1 %.
    NoIndex,
    /// A page whose canonical is another page. 2 %.
    Duplicate,
    /// A page that robots.txt forbids. 1 %.
    Blocked,
    /// No page: links to it are broken. 2 %.
    Missing,
}

/// The plan of a site, which is derived from the number of pages and the seed.
///
/// Numbers run from 0, the home page, to `pages - 1`. Each is reachable by links from the home page over ordinary pages
/// only.
#[derive(Debug, Clone, Copy)]
pub struct SitePlan {
    pages: u64,
    seed: u64,
}

impl SitePlan {
    /// Plans a site of `pages` URLs, at least one.
    #[must_use]
    pub fn new(pages: u64, seed: u64) -> SitePlan {
        SitePlan { pages: pages.max(1), seed }
    }

    /// The number of URLs, including broken ones and excluding redirecting ones.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// The kind of page of this number.
    #[must_use]
    pub fn kind(&self, number: u64) -> PageKind {
        let turned = (number % BLOCK + BLOCK - self.turn(number / BLOCK)) % BLOCK;
        match turned {
            0 | 1 => PageKind::Moved,
            2 => PageKind::NoIndex,
            3 | 4 => PageKind::Duplicate,
            5 => PageKind::Blocked,
            6 | 7 => PageKind::Missing,
            _ => PageKind::Ordinary,
        }
    }

    /// The position in a block where the pages that are not ordinary begin: at its end in the first block, so that the
    /// links that connect the site begin with ordinary pages, and anywhere in the others.
    fn turn(&self, block: u64) -> u64 {
        if block == 0 { ORDINARY } else { below(self.key(block), BLOCK) }
    }

    /// The ordinary page of this rank, counted block by block.
    pub(super) fn ordinary(&self, rank: u64) -> u64 {
        let block = rank / ORDINARY;
        block * BLOCK + (self.turn(block) + ODD + rank % ORDINARY) % BLOCK
    }

    /// The rank of an ordinary page: the reverse of [`SitePlan::ordinary`].
    fn rank(&self, number: u64) -> u64 {
        let block = number / BLOCK;
        block * ORDINARY + (number % BLOCK + 2 * BLOCK - self.turn(block) - ODD) % BLOCK
    }

    /// The path of the page of this number.
    #[must_use]
    pub fn path(&self, number: u64) -> String {
        if number == 0 {
            return "/".to_owned();
        }
        let key = self.key(number);
        let section = match self.kind(number) {
            PageKind::Blocked => "private",
            _ => word(below(key, SECTIONS)),
        };
        format!("/{section}/{}-{number:07}.html", phrase(key, 3, "-"))
    }

    /// The path that links to the page of this number use: its own, or one that redirects there.
    #[must_use]
    pub fn href(&self, number: u64) -> String {
        match self.kind(number) {
            PageKind::Moved => format!("/go/{number:07}"),
            _ => self.path(number),
        }
    }

    /// The title of a page.
    #[must_use]
    pub fn title(&self, number: u64) -> String {
        format!("{} {number}", phrase(self.key(number).wrapping_add(99), 4, " "))
    }

    /// The number of the page at this path.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<u64> {
        if path == "/" {
            return Some(0);
        }
        let number = path.strip_suffix(".html")?.rsplit('-').next()?.parse().ok()?;
        (number < self.pages && self.path(number) == path).then_some(number)
    }

    /// The number of the page to which this path redirects.
    #[must_use]
    pub fn redirect_target(&self, path: &str) -> Option<u64> {
        let number = path.strip_prefix("/go/")?.parse().ok()?;
        (number < self.pages && self.kind(number) == PageKind::Moved && self.href(number) == path).then_some(number)
    }

    /// The page that a duplicate names as its canonical.
    #[must_use]
    pub fn canonical(&self, number: u64) -> u64 {
        match self.kind(number) {
            // An earlier block is always complete, so the page chosen there exists.
            PageKind::Duplicate => self.ordinary(below(self.key(number), ORDINARY * (number / BLOCK).max(1))),
            _ => number,
        }
    }

    /// The links of a page beside the navigation: first those that connect the site, then arbitrary ones.
    #[must_use]
    pub fn links(&self, number: u64) -> Vec<u64> {
        let own = LINKS - usize::try_from(NAVIGATION).unwrap_or(0);
        let key = self.key(number).wrapping_mul(3);
        let any = (0..).map(|place: u64| below(key.wrapping_add(place), self.pages));
        self.children(number).chain(any).take(own).collect()
    }

    /// The links that every page has.
    #[must_use]
    pub fn navigation(&self) -> Vec<u64> {
        (0..NAVIGATION).map(|place| place % self.pages).collect()
    }

    fn children(&self, number: u64) -> impl Iterator<Item = u64> {
        let pages = self.pages;
        let first = match self.kind(number) {
            PageKind::Ordinary => self.rank(number) * CHILDREN + 1,
            _ => pages,
        };
        (first..first + CHILDREN).filter(move |child| *child < pages)
    }

    /// The URLs that belong in the sitemap of a site at `base` (`http://127.0.0.1:8080`, without a slash at the end),
    /// sorted by bytes.
    #[must_use]
    pub fn expected_sitemap(&self, base: &str) -> Vec<String> {
        let base = base.trim_end_matches('/');
        let mut urls: Vec<String> = (0..self.pages)
            .filter(|number| matches!(self.kind(*number), PageKind::Ordinary | PageKind::Moved))
            .map(|number| format!("{base}{}", self.path(number)))
            .collect();
        urls.sort_unstable();
        urls
    }

    /// The number of pages that a crawl that follows robots.txt fetches with a 200: all but the blocked and the
    /// missing.
    #[must_use]
    pub fn fetchable(&self) -> u64 {
        (0..self.pages).filter(|number| self.is_fetchable(*number)).count() as u64
    }

    /// The number of URLs that a crawl discovers, redirecting ones included.
    #[must_use]
    pub fn addresses(&self) -> u64 {
        self.pages + (0..self.pages).filter(|number| self.kind(*number) == PageKind::Moved).count() as u64
    }

    /// The URLs of those pages on a site at `base`, by number.
    #[must_use]
    pub fn fetched(&self, base: &str) -> Vec<String> {
        let base = base.trim_end_matches('/');
        let numbers = (0..self.pages).filter(|number| self.is_fetchable(*number));
        numbers.map(|number| format!("{base}{}", self.path(number))).collect()
    }

    fn is_fetchable(&self, number: u64) -> bool {
        !matches!(self.kind(number), PageKind::Blocked | PageKind::Missing)
    }

    fn key(&self, number: u64) -> u64 {
        scramble(self.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number))
    }
}

#[cfg(test)]
mod tests;
