//! The site as it were with pages that this run did not read, as they were when they were last read.

use super::links::count;
use super::{Fate, Node, Said, Site};
use mapwright_store::RecalledRow;

impl Site {
    /// Looks at the site as it were if these pages were as they were when they were last read: how they led on, and, of
    /// those that `stand`, what they are compared with others by. Of what they said else nothing is recalled.
    pub(crate) fn recalling<T>(
        &mut self,
        pages: Vec<RecalledRow>,
        stand: impl Fn(&Node) -> bool,
        look: impl FnOnce(&Self) -> T,
    ) -> T {
        let said = self.said.len();
        let mut nodes = Vec::with_capacity(pages.len());
        for page in pages {
            let Some(node) = self.nodes.get_mut(page.url as usize) else { continue };
            nodes.push((page.url, *node));
            let listed = stand(node);
            let said = u32::try_from(self.said.len()).ok();
            let RecalledRow { noindex, nofollow, target, canonical, .. } = page;
            *node = Node { fate: Fate::Page, target, canonical, noindex, nofollow, listed, said, ..*node };
            self.said.push(recalled(page, listed));
        }
        let inlinks = count(&self.nodes, &self.said, &self.links);
        let inlinks = std::mem::replace(&mut self.inlinks, inlinks);
        let looked = look(self);
        self.inlinks = inlinks;
        self.said.truncate(said);
        // The first that was kept of a page is what it was.
        for (url, node) in nodes.into_iter().rev() {
            self.nodes.get_mut(url as usize).into_iter().for_each(|slot| *slot = node);
        }
        looked
    }
}

fn recalled(page: RecalledRow, stands: bool) -> Said {
    let sets = page.sets.into();
    if !stands {
        return Said { sets, ..Said::default() };
    }
    Said { sets, hash: page.hash, title: page.title.map(Into::into), sketch: page.sketch, ..Said::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::{made, url};

    #[test]
    fn a_page_that_is_recalled_links_again_and_is_as_before_thereafter() {
        let mut site = made()
            .links("/", &["/hub", "/linking"])
            .links("/linking", &["/page"])
            .links("/page", &[])
            .status("/hub", 500)
            .site();
        let number = |path: &str, site: &Site| site.urls.number(&url(path)).unwrap();
        let (hub, page, linking) = (number("/hub", &site), number("/page", &site), number("/linking", &site));
        let sets = site.said(linking).unwrap().sets.to_vec();
        let recalled = RecalledRow { url: hub, noindex: true, sets, ..RecalledRow::default() };
        let inlinks = site.recalling(vec![recalled], |_| true, |site| site.inlinks(page));
        assert_eq!((inlinks.followed, inlinks.from_indexable), (2, 1));
        assert_eq!((site.inlinks(page).followed, site.node(hub).status, site.said(hub).is_none()), (1, 500, true));
    }
}
