//! Pages that hang on one single link.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_indexable()) {
        let inlinks = site.inlinks(url);
        if inlinks.followed == 1 && inlinks.clicked() == 1 && node.depth != Some(0) && !site.is_start(url) {
            found.push(Finding::of(Code::SingleInlink, url));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn a_page_linked_from_one_page_is_told_however_often_that_links() {
        let site = made()
            .links("/", &["/once", "/twice", "/both", "/mixed", "/veiled"])
            .links("/other", &["/both"])
            .links("/once", &["/once", "/"])
            .page("/twice", "<a href=/once2>1</a><a href=/once2#x>2</a><a rel=nofollow href=/mixed>3</a>")
            .links("/once2", &[])
            .links("/both", &[])
            .links("/mixed", &[])
            .noindex("/veiled", &["/"])
            .site();
        assert_eq!(site.told(find).of(Code::SingleInlink), ["/once", "/once2", "/twice"]);
    }

    #[test]
    fn start_pages_orphans_and_what_is_no_page_are_not_told() {
        let site = made()
            .links("/", &["/a", "/file", "/gone", "/old"])
            .canonical("/a", "/a")
            .links("/b", &["/", "/a"])
            .file("/file")
            .redirect("/old", "/b")
            .links("/orphan", &[])
            .sitemap("/sitemap.xml", &["/orphan"])
            .site();
        assert!(site.told(find).is_nothing());
    }
}
