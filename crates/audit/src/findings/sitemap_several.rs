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
