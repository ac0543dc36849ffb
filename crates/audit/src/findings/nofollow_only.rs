//! URLs that only nofollow links lead to.

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
    use crate::site::builder::builder;

    #[test]
    fn a_url_with_only_nofollow_links_is_reported() {
        let site = builder()
            .page("/", "<a rel=nofollow href=/nf>x</a><a rel=nofollow href=/mixed>x</a><a href=/hidden>v</a><a href=/mixer>m</a>")
            .links("/mixer", &["/mixed"])
            .links("/mixed", &[])
            .links("/hidden", &["/beyond"])
            .header("/hidden", "x-robots-tag", "nofollow")
            .site();
        assert_eq!(site.run_check(find).of(Code::NofollowOnly), ["/beyond", "/nf"]);
    }

    #[test]
    fn unlinked_failing_and_external_urls_are_not_reported() {
        let away = "<a rel=nofollow href=http://other.example/>x</a><a rel='nofollow ugc' href=/>me</a>";
        let site = builder()
            .page("/", &[away, "<a rel=nofollow href=/gone>x</a>"].concat())
            .links("/orphan", &[])
            .sitemap("/sitemap.xml", &["/orphan", "/gone"])
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
