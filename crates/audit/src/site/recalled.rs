//! The site as it would be with pages that this run did not read, as they were when they were last read.

use super::links::count;
use super::{Node, NodeStatus, PageContent, Site};
use mapwright_store::RecalledRow;

impl Site {
    /// Passes to `look` the site as it would be if these pages were as they were when they were last read: their links,
    /// and, for those that `stand`, the data by which pages are compared. Nothing else of their content is restored.
    pub(crate) fn recalling<T>(
        &mut self,
        pages: Vec<RecalledRow>,
        stand: impl Fn(&Node) -> bool,
        look: impl FnOnce(&Self) -> T,
    ) -> T {
        let page_contents = self.page_contents.len();
        let mut nodes = Vec::with_capacity(pages.len());
        for page in pages {
            let Some(node) = self.nodes.get_mut(page.url as usize) else { continue };
            nodes.push((page.url, *node));
            let listed = stand(node);
            let page_contents = u32::try_from(self.page_contents.len()).ok();
            let RecalledRow { noindex, nofollow, target, canonical, .. } = page;
            *node = Node {
                fetch_status: NodeStatus::Page,
                target,
                canonical,
                noindex,
                nofollow,
                listed,
                content_index: page_contents,
                ..*node
            };
            self.page_contents.push(recalled(page, listed));
        }
        let inlinks = count(&self.nodes, &self.page_contents, &self.links);
        let inlinks = std::mem::replace(&mut self.inlinks, inlinks);
        let looked = look(self);
        self.inlinks = inlinks;
        self.page_contents.truncate(page_contents);
        // The first state that was kept of a page is the original one.
        for (url, node) in nodes.into_iter().rev() {
            self.nodes.get_mut(url as usize).into_iter().for_each(|slot| *slot = node);
        }
        looked
    }
}

fn recalled(page: RecalledRow, stands: bool) -> PageContent {
    let sets = page.sets.into();
    if !stands {
        return PageContent { sets, ..PageContent::default() };
    }
    PageContent {
        sets,
        hash: page.hash,
        title: page.title.map(Into::into),
        sketch: page.sketch,
        ..PageContent::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};

    #[test]
    fn a_recalled_page_has_its_links_and_is_then_as_before() {
        let mut site = builder()
            .links("/", &["/hub", "/linking"])
            .links("/linking", &["/page"])
            .links("/page", &[])
            .status("/hub", 500)
            .site();
        let number = |path: &str, site: &Site| site.urls.number(&url(path)).unwrap();
        let (hub, page, linking) = (number("/hub", &site), number("/page", &site), number("/linking", &site));
        let sets = site.page_content(linking).unwrap().sets.to_vec();
        let recalled = RecalledRow { url: hub, noindex: true, sets, ..RecalledRow::default() };
        let inlinks = site.recalling(vec![recalled], |_| true, |site| site.inlinks(page));
        assert_eq!((inlinks.followed, inlinks.from_indexable), (2, 1));
        assert_eq!(
            (site.inlinks(page).followed, site.node(hub).status, site.page_content(hub).is_none()),
            (1, 500, true)
        );
    }
}
