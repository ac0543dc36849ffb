//! Sitemaps that date none of their entries.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use std::collections::BTreeMap;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SITEMAP_UNDATED]);

static SITEMAP_UNDATED: Check = Check {
    code: "sitemap-undated",
    title: "Sitemap without lastmod",
    topic: Topic::Sitemaps,
    severity: Severity::Notice,
    reason: "No entry of the sitemap has a lastmod, by which search engines find the pages that changed.",
    fix: "Write for each page when its content last changed; `mapwright crawl` does.",
    needs: RequiredCoverage::File,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut dated: BTreeMap<UrlNo, bool> = BTreeMap::new();
    for entry in &site.entries {
        *dated.entry(entry.file).or_default() |= entry.lastmod.is_some();
    }
    let undated = site.published().read().filter(|file| dated.get(file) == Some(&false));
    found.extend(undated.map(|file| Finding::of(&SITEMAP_UNDATED, file)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_sitemap_without_any_date_is_reported_and_an_index_or_a_feed_is_not() {
        let site = builder()
            .robots("User-agent: *\nSitemap: /none.xml\nSitemap: /some.xml\nSitemap: /index.xml\nSitemap: /empty.xml\n")
            .links("/", &["/a"])
            .links("/a", &[])
            .sitemap("/none.xml", &["/", "/a"])
            .dated("/some.xml", &[("/a", "2030-01-01")])
            .sitemap("/some.xml", &["/"])
            .sitemap("/index.xml", &[])
            .part_of("/index.xml", "/part.xml")
            .sitemap("/part.xml", &["/a"])
            .sitemap("/empty.xml", &[])
            .feed("/feed.xml", &[("/a", "")])
            .site();
        assert_eq!(site.run_check(find).of("sitemap-undated"), ["/none.xml", "/part.xml"]);
    }
}
