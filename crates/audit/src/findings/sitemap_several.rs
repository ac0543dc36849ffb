//! URLs that stand in several sitemap files.

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
    use crate::site::made::made;

    #[test]
    fn a_url_in_two_files_is_told_with_both_and_one_twice_in_a_file_is_not() {
        let site = made()
            .sitemap("/a.xml", &["/both", "/once", "/twice", "/", "/twice"])
            .sitemap("/b.xml", &["/both", "/other"])
            .sitemap("/a.xml", &["/both"])
            .feed("/feed.xml", &[("/once", "2030-01-01")])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::SitemapSeveral), ["/both"]);
        assert_eq!(told.sitemaps(Code::SitemapSeveral), "/a.xml /b.xml");
    }
}
