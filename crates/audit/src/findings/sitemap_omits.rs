//! Pages that no published sitemap lists, though there is one. Where not all sitemaps were read, any page may be listed.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let published = site.published();
    if !published.is_whole() || published.read().next().is_none() {
        return;
    }
    let listed = site.listed_in();
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
    fn an_empty_sitemap_omits_all() {
        assert_eq!(made().robots("").sitemap("/sitemap.xml", &[]).site().told(find).of(Code::SitemapOmits), ["/"]);
    }

    #[test]
    fn what_a_sitemap_lists_that_was_not_read_is_not_known() {
        let robots = "User-agent: *\nSitemap: /a.xml\nSitemap: /b.xml\n";
        let made = || made().robots(robots).links("/", &["/a"]).links("/a", &[]).sitemap("/a.xml", &["/"]);
        assert_eq!(made().sitemap("/b.xml", &["/"]).site().told(find).of(Code::SitemapOmits), ["/a"]);
        assert!(made().lost("/b.xml").site().told(find).is_nothing(), "it is not there");
        assert!(made().sitemap_status("/b.xml", 503, true).site().told(find).is_nothing(), "throttled");
        assert!(made().site().told(find).is_nothing(), "it was not asked for, beyond a limit");
        let site = crate::site::Site { sitemaps_beyond: 1, ..made().sitemap("/b.xml", &["/"]).site() };
        assert!(site.told(find).is_nothing(), "a part of an index was not asked for");
    }

    #[test]
    fn what_is_no_sitemap_at_the_usual_place_omits_nothing() {
        let html = |made: crate::site::made::Made| {
            made.sitemap_body("/sitemap.xml", "<html>").fault(
                "/sitemap.xml",
                mapwright_sitemap::Rule::Root,
                "html",
                1,
                1,
            )
        };
        assert!(html(made().robots("")).site().told(find).is_nothing());
        assert_eq!(html(made().robots("Sitemap: /sitemap.xml")).site().told(find).of(Code::SitemapOmits), ["/"]);
    }

    #[test]
    fn of_twins_the_one_that_stays_is_to_be_listed() {
        let site =
            made().links("/", &["/twin", "/twin/"]).page("/twin", "x").page("/twin/", "x").sitemap("/s.xml", &["/"]);
        assert_eq!(site.site().told(find).of(Code::SitemapOmits), ["/twin"]);
    }
}
