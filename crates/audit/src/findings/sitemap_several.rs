//! URLs that several sitemap files list.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, mut files) in site.listed_in() {
        files.sort_unstable();
        files.dedup();
        if files.len() > 1 {
            found.push(Finding::of(Code::SitemapSeveral, url).in_sitemaps(&files));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_url_in_two_files_is_reported_with_both() {
        let site = builder()
            .sitemap("/a.xml", &["/both", "/once", "/twice", "/", "/twice"])
            .sitemap("/b.xml", &["/both", "/other"])
            .sitemap("/a.xml", &["/both"])
            .feed("/feed.xml", &[("/once", "2030-01-01")])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of(Code::SitemapSeveral), ["/both"]);
        assert_eq!(found.sitemaps(Code::SitemapSeveral), "/a.xml /b.xml");
    }
}
