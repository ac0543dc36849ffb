//! Pages that lead nowhere.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // What stands behind the bytes that are read may lead on.
    for (url, node, said) in site.pages().filter(|(_, node, _)| !node.cut) {
        let leads_on = site.links.of(said).any(|link| {
            let target = link.target();
            !link.is_reference() && target != url && site.node(target).in_scope()
        });
        if !leads_on && node.target.is_none() {
            found.push(Finding::of(Code::DeadEnd, url));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

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
