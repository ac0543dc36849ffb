//! URLs that several sitemap files list.

use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic, Unrequested};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

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
    for (url, mut files) in site.listed_in() {
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
        assert_eq!(found.of("sitemap-several"), ["/both"]);
        assert_eq!(found.sitemaps("sitemap-several"), "/a.xml /b.xml");
    }
}
