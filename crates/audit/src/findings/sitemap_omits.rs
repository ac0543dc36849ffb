//! Pages that no published sitemap lists, though there is one.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let listed = site.listed_in();
    if listed.is_empty() {
        return;
    }
    let omitted = site.nodes().filter(|(url, node)| node.listed && node.is_page() && !listed.contains_key(url));
    found.extend(omitted.map(|(url, _)| Finding::of(Code::SitemapOmits, url)));
}
