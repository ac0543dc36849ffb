//! URLs to which only nofollow leads.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.in_scope()) {
        let inlinks = site.inlinks(url);
        if inlinks.followed == 0 && inlinks.nofollowed > 0 && !node.fails() && !site.is_start(url) {
            found.push(Finding::of(Code::NofollowOnly, url));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn what_only_nofollow_links_or_nofollow_pages_lead_to_is_told() {
        let site = made()
            .page("/", "<a rel=nofollow href=/nf>x</a><a rel=nofollow href=/mixed>x</a><a href=/veil>v</a><a href=/mixer>m</a>")
            .links("/mixer", &["/mixed"])
            .links("/mixed", &[])
            .links("/veil", &["/beyond"])
            .header("/veil", "x-robots-tag", "nofollow")
            .site();
        assert_eq!(site.told(find).of(Code::NofollowOnly), ["/beyond", "/nf"]);
    }

    #[test]
    fn what_nobody_links_to_or_fails_or_lies_elsewhere_is_not_told() {
        let away = "<a rel=nofollow href=http://other.example/>x</a><a rel='nofollow ugc' href=/>me</a>";
        let site = made()
            .page("/", &[away, "<a rel=nofollow href=/gone>x</a>"].concat())
            .links("/orphan", &[])
            .sitemap("/sitemap.xml", &["/orphan", "/gone"])
            .site();
        assert!(site.told(find).is_nothing());
    }
}
