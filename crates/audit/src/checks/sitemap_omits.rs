//! Pages that no published sitemap lists, on a site with sitemaps. If not all sitemaps were read, any page may be
//! listed. Archives by date and the further pages of a series are left out on purpose.

use super::date_archive;
use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SITEMAP_OMITS]);

static SITEMAP_OMITS: Check = Check {
    code: "sitemap-omits",
    title: "Indexable page in no sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "An indexable page is in none of the published sitemaps.",
    fix: "List it; `mapwright crawl` writes sitemaps that hold all such pages.",
    needs: RequiredCoverage::Omitted,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let published = site.published();
    if !published.is_complete() || published.read().next().is_none() {
        return;
    }
    let listed = site.listed_in();
    let unlisted = site.nodes().filter(|(url, node)| node.listed && node.is_page() && !listed.contains_key(url));
    let omitted =
        unlisted.map(|(url, _)| url).filter(|url| !date_archive::is_one(site, *url) && !site.is_further_page(*url));
    found.extend(omitted.map(|url| Finding::of(&SITEMAP_OMITS, url)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn an_indexable_page_in_no_sitemap_is_reported() {
        let site = builder()
            .links("/", &["/unlisted", "/noindex", "/variant", "/file", "/gone", "/sent"])
            .links("/unlisted", &[])
            .noindex("/noindex", &[])
            .canonical("/variant", "/")
            .file("/file")
            .head("/sent", "<meta http-equiv=refresh content='0; url=/'>")
            .sitemap("/sitemap.xml", &["/"])
            .feed("/feed.xml", &[("/unlisted", "2030-01-01")])
            .site();
        assert_eq!(site.run_check(find).of("sitemap-omits"), ["/unlisted"]);
    }

    /// Content management systems leave these out of their sitemaps; each post is in one all the same.
    #[test]
    fn archives_and_further_pages_are_left_out_on_purpose() {
        let post = |part: &str| format!("<title>A long post{part}</title><body>This is a part{part}.");
        let site = builder()
            .links("/", &["/2025/01/", "/post/", "/post/2/", "/list", "/list?page=2", "/2025/02/"])
            .links("/2025/01/", &["/post/"])
            .page("/2025/02/", &format!("<title>February</title>{}", "All that happened in February. ".repeat(40)))
            .page("/post/", &post(""))
            .page("/post/2/", &post(", page 2"))
            .links("/list", &[])
            .links("/list?page=2", &[])
            .sitemap("/sitemap.xml", &["/", "/post/"])
            .site();
        assert_eq!(site.run_check(find).of("sitemap-omits"), ["/2025/02/", "/list"]);
    }

    #[test]
    fn a_site_without_sitemaps_omits_nothing() {
        let site = builder().links("/", &["/a"]).links("/a", &[]).feed("/feed.xml", &[("/a", "2030-01-01")]).site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn an_empty_sitemap_omits_every_page() {
        assert_eq!(builder().robots("").sitemap("/sitemap.xml", &[]).site().run_check(find).of("sitemap-omits"), ["/"]);
    }

    #[test]
    fn nothing_is_reported_if_a_sitemap_was_not_read() {
        let robots = "User-agent: *\nSitemap: /a.xml\nSitemap: /b.xml\n";
        let builder = || builder().robots(robots).links("/", &["/a"]).links("/a", &[]).sitemap("/a.xml", &["/"]);
        assert_eq!(builder().sitemap("/b.xml", &["/"]).site().run_check(find).of("sitemap-omits"), ["/a"]);
        assert!(builder().lost("/b.xml").site().run_check(find).is_nothing(), "it is not there");
        assert!(builder().sitemap_status("/b.xml", 503, true).site().run_check(find).is_nothing(), "throttled");
        assert!(builder().site().run_check(find).is_nothing(), "it was not requested, beyond a limit");
        let site = crate::site::Site { sitemaps_over_limit: 1, ..builder().sitemap("/b.xml", &["/"]).site() };
        assert!(site.run_check(find).is_nothing(), "a part of an index was not requested");
    }

    #[test]
    fn another_file_at_the_usual_place_omits_nothing() {
        let html = |builder: crate::site::builder::SiteBuilder| {
            builder.sitemap_body("/sitemap.xml", "<html>").fault(
                "/sitemap.xml",
                mapwright_sitemap::CheckRule::Root,
                "html",
                1,
                1,
            )
        };
        assert!(html(builder().robots("")).site().run_check(find).is_nothing());
        assert_eq!(html(builder().robots("Sitemap: /sitemap.xml")).site().run_check(find).of("sitemap-omits"), ["/"]);
    }

    #[test]
    fn of_exact_duplicates_the_chosen_one_must_be_listed() {
        let site =
            builder().links("/", &["/twin", "/twin/"]).page("/twin", "x").page("/twin/", "x").sitemap("/s.xml", &["/"]);
        assert_eq!(site.site().run_check(find).of("sitemap-omits"), ["/twin"]);
    }
}
