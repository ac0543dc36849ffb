//! URLs that several sitemap files list.

use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic, Unrequested};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};

pub(super) static CHECKER: Checker = Checker::site(find, &[&SITEMAP_SEVERAL]);

static SITEMAP_SEVERAL: Check = Check {
    code: "sitemap-several",
    title: "URL in several sitemaps",
    topic: Topic::Sitemaps,
    severity: Severity::Notice,
    reason: "A URL stands in several sitemap files.",
    fix: "List each URL once.",
    needs: RequiredCoverage::Listed(SeenLevel::Known),
    attributes: Attributes { unrequested: Unrequested::Blocked, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let has_feed_format = |file: &UrlNo| site.files.get(file).is_some_and(|file| file.has_feed_format);
    for (url, mut files) in site.listed_in() {
        // A feed names the newest pages, which the sitemap has as well.
        files.retain(|file| !has_feed_format(file));
        files.sort_unstable();
        files.dedup();
        if files.len() > 1 {
            found.push(Finding::of(&SITEMAP_SEVERAL, url).in_sitemaps(&files));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};

    #[test]
    fn a_url_in_two_files_is_reported_with_both() {
        let site = builder()
            .sitemap("/a.xml", &["/both", "/once", "/twice", "/", "/twice"])
            .sitemap("/b.xml", &["/both", "/other"])
            .sitemap("/a.xml", &["/both"])
            .feed("/feed.xml", &[("/once", "2030-01-01")])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("sitemap-several"), ["/both"]);
        assert_eq!(found.sitemaps("sitemap-several"), "/a.xml /b.xml");
    }

    #[test]
    fn a_feed_that_is_submitted_as_a_sitemap_repeats_its_pages() {
        let mut site = builder().sitemap("/a.xml", &["/both"]).sitemap("/rss.xml", &["/both"]).site();
        let rss = site.urls.number(&url("/rss.xml")).unwrap();
        site.files.get_mut(&rss).unwrap().has_feed_format = true;
        assert!(site.run_check(find).is_nothing());
    }
}
