//! Pages that list others: archives, indexes, tags.

use super::{Site, UrlNo};
use mapwright_web::page::facts::Region;
use std::collections::BTreeSet;

/// The fewest links of a page whose content they are.
const FEWEST_LINKS: usize = 2;
/// The bytes of a link in a list, beside which less text is a label.
const LINK: u32 = 16;
/// The most bytes of text for each item of a list: an excerpt and a by-line (`store/src/judge/recommended/pagination.rs`).
const EXCERPT: u32 = 700;
/// A target that one in so many pages link is part of the frame, such as a menu, and not of the content.
const FRAME: usize = 4;
/// The fewest pages that link a part of the frame.
const FEW_PAGES: u32 = 3;

impl Site {
    /// Returns true for a page whose content is mostly links.
    pub(crate) fn is_mostly_links(&self, page: UrlNo) -> bool {
        let links = self.content_targets(page, |region, target| region == Region::Main || !self.is_frame(target));
        links.len() >= FEWEST_LINKS && self.prose_fits(page, links.len(), LINK)
    }

    /// Returns the pages of the site that the content of a page links to.
    pub(crate) fn content_pages(&self, page: UrlNo) -> BTreeSet<UrlNo> {
        let is_content = |region, target| region == Region::Main || !self.is_frame(target);
        self.content_targets(page, |region, target| self.node(target).is_page() && is_content(region, target))
    }

    /// Returns true for a page with no more text than excerpts of so many pages.
    pub(crate) fn has_excerpts(&self, page: UrlNo, of: usize) -> bool {
        of > 0 && self.prose_fits(page, of, EXCERPT)
    }

    /// Returns the other URLs that links in the content of a page lead to, and that are `wanted`.
    fn content_targets(&self, page: UrlNo, wanted: impl Fn(Region, UrlNo) -> bool) -> BTreeSet<UrlNo> {
        let sets = self.page_content(page).map(|content| &content.sets[..]).unwrap_or_default();
        let regions = sets.iter().map(|set| (self.links.region_of(*set), self.links.of_set(*set)));
        let content = regions.filter(|(region, _)| matches!(region, Region::Main | Region::Body));
        let links = content.flat_map(|(region, links)| links.iter().map(move |link| (region, *link)));
        let clicked = links.filter(|(_, link)| !link.is_reference() && link.target() != page);
        clicked.filter(|(region, link)| wanted(*region, link.target())).map(|(_, link)| link.target()).collect()
    }

    /// Returns true if a page has at most `each` bytes of text beside each of its links.
    fn prose_fits(&self, page: UrlNo, links: usize, each: u32) -> bool {
        let prose = self.page_content(page).map_or(0, |content| content.prose_bytes);
        prose as usize <= links.saturating_mul(each as usize)
    }

    /// Returns true if so many pages link a URL that its links are not the content of any of them.
    pub(crate) fn is_frame(&self, target: UrlNo) -> bool {
        let clicked = self.inlinks(target).clicked();
        clicked >= FEW_PAGES && clicked as usize * FRAME >= self.page_contents.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};

    /// Returns a site of pages that each have a menu in their body, and of one page with this content.
    fn site(content: &str) -> (Site, UrlNo) {
        let menu = "<a href=/>home</a><a href=/1>one</a><a href=/2>two</a>";
        let page = |n: usize| format!("/{n}");
        let builder = builder().many(0..12, |builder, n| {
            builder.page(&page(n), &format!("<title>{n}</title><body>{menu}<p>This is {n}."))
        });
        let site = builder.page("/subject", &format!("<title>subject</title><body>{menu}{content}")).site();
        let number = site.urls.number(&url("/subject")).unwrap();
        (site, number)
    }

    fn is_mostly_links(content: &str) -> bool {
        let (site, page) = site(content);
        site.is_mostly_links(page)
    }

    #[test]
    fn a_page_of_links_with_labels_is_mostly_links_and_a_menu_makes_none() {
        assert!(is_mostly_links("<p>Craft</p><a href=/7>seven</a><a href=/8>eight</a>"));
        assert!(!is_mostly_links("<p>Craft</p>"), "the menu is on every page");
        assert!(!is_mostly_links("<p>Craft</p><a href=/7>seven</a><a href=/7#more>more</a>"), "one page");
        assert!(!is_mostly_links("<p>Craft</p><aside><a href=/7>seven</a><a href=/8>eight</a></aside>"));
        let text = "All that is to be said of craft. ".repeat(2);
        assert!(!is_mostly_links(&format!("<p>{text}</p><a href=/7>seven</a><a href=/8>eight</a>")));
    }

    #[test]
    fn excerpts_stand_beside_links_to_pages_and_an_article_has_more_text() {
        let has_excerpts = |text: &str| {
            let (site, page) = site(&format!("<main><p>{text}</p><a href=/7>seven</a><a href=/gone>gone</a></main>"));
            let pages = site.content_pages(page).len();
            (pages, site.has_excerpts(page, pages))
        };
        assert_eq!(has_excerpts(&"An excerpt of seven. ".repeat(20)), (1, true));
        assert_eq!(has_excerpts(&"An article of its own. ".repeat(40)), (1, false));
    }
}
