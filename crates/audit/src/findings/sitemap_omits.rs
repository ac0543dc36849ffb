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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn an_indexable_page_in_none_of_the_sitemaps_is_told() {
        let site = made()
            .links("/", &["/unlisted", "/noindex", "/variant", "/file", "/gone", "/sent"])
            .links("/unlisted", &[])
            .noindex("/noindex", &[])
            .canonical("/variant", "/")
            .file("/file")
            .head("/sent", "<meta http-equiv=refresh content='0; url=/'>")
            .sitemap("/sitemap.xml", &["/"])
            .feed("/feed.xml", &[("/unlisted", "2030-01-01")])
            .site();
        assert_eq!(site.told(find).of(Code::SitemapOmits), ["/unlisted"]);
    }

    #[test]
    fn a_site_without_sitemaps_omits_nothing() {
        let site = made().links("/", &["/a"]).links("/a", &[]).feed("/feed.xml", &[("/a", "2030-01-01")]).site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn of_twins_the_one_that_stays_is_to_be_listed() {
        let site =
            made().links("/", &["/twin", "/twin/"]).page("/twin", "x").page("/twin/", "x").sitemap("/s.xml", &["/"]);
        assert_eq!(site.site().told(find).of(Code::SitemapOmits), ["/twin"]);
    }
}
