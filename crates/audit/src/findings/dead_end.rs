//! Pages that lead nowhere.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Site, UrlNo};
use mapwright_web::origin_of;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // What stands behind the bytes that are read may lead on.
    for (url, node, said) in site.pages().filter(|(_, node, _)| !node.cut) {
        let leads_on = site.links.of(said).any(|link| {
            let target = link.target();
            !link.is_reference() && target != url && is_of_site(site, target, url)
        });
        if !leads_on && node.target.is_none() {
            found.push(Finding::of(Code::DeadEnd, url));
        }
    }
}

/// Whether a URL is of the site of a page: what lies beside the directory that was crawled is, too.
fn is_of_site(site: &Site, url: UrlNo, page: UrlNo) -> bool {
    site.node(url).in_scope() || origin_of(site.text(url)) == origin_of(site.text(page))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;
    use mapwright_frontier::Unfetched;

    #[test]
    fn a_page_that_links_to_no_other_page_of_the_site_is_told() {
        let site = made()
            .links("/", &["/none", "/self", "/away"])
            .links("/none", &[])
            .links("/self", &["/self", "#top"])
            .links("/away", &["http://other.example/"])
            .head("/references", "<link rel=canonical href=/><link rel=next href=/><img src=/i.png>")
            .page("/comment", "<!-- <a href=/>home</a> -->")
            .site();
        assert_eq!(site.told(find).of(Code::DeadEnd), ["/away", "/comment", "/none", "/references", "/self"]);
    }

    #[test]
    fn what_lies_beside_the_crawled_directory_is_of_the_site() {
        let site = made()
            .links("/", &["/blog/post", "/blog/end"])
            .links("/blog/post", &["/shop/"])
            .refused("/shop/", Unfetched::OutOfScope, "/blog/post")
            .links("/blog/end", &["http://other.example/"])
            .site();
        assert_eq!(site.told(find).of(Code::DeadEnd), ["/blog/end"]);
    }

    #[test]
    fn one_link_of_any_sort_leads_on() {
        let site = made()
            .links("/", &["/a"])
            .page("/a", "<nav><a href=/>home</a></nav>")
            .page("/nofollow", "<a rel=nofollow href=/>home</a>")
            .page("/area", "<map><area href=/></map>")
            .page("/frame", "<iframe src=/></iframe>")
            .head("/slowly", "<meta http-equiv=refresh content='5; url=/'>")
            .head("/at-once", "<meta http-equiv=refresh content='0; url=/'>")
            .file("/file")
            .status("/gone", 404)
            .links("/cut", &[])
            .bytes("/cut", 9_999, true)
            .site();
        assert!(site.told(find).is_nothing());
    }
}
