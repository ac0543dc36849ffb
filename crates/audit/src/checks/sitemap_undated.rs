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
    let mut by_index: BTreeMap<Option<UrlNo>, Vec<UrlNo>> = BTreeMap::new();
    for file in site.published().read().filter(|file| dated.get(file) == Some(&false)) {
        let index = site.node(file).found_on.filter(|parent| site.files.contains_key(parent));
        by_index.entry(index).or_default().push(file);
    }
    for (index, files) in by_index {
        match index {
            // One program writes all files of an index.
            Some(index) if files.len() > 1 => {
                let message = format!("No entry of {} sitemaps of the index has a lastmod.", files.len());
                found.push(Finding::of(&SITEMAP_UNDATED, index).says(message).in_sitemaps(&files));
            }
            _ => found.extend(files.into_iter().map(|file| Finding::of(&SITEMAP_UNDATED, file))),
        }
    }
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

    #[test]
    fn several_files_of_an_index_are_one_finding() {
        let index = builder().robots("User-agent: *\nSitemap: /index.xml\n").links("/", &[]).sitemap("/index.xml", &[]);
        let site = ["/a.xml", "/b.xml", "/c.xml"]
            .iter()
            .fold(index, |builder, file| builder.part_of("/index.xml", file).sitemap(file, &["/"]))
            .part_of("/index.xml", "/dated.xml")
            .dated("/dated.xml", &[("/", "2030-01-01")])
            .site();
        let result = site.run_check(find);
        assert_eq!(result.of("sitemap-undated"), ["/index.xml"]);
        assert_eq!(result.message("sitemap-undated"), "No entry of 3 sitemaps of the index has a lastmod.");
        assert_eq!(result.sitemaps("sitemap-undated"), "/a.xml /b.xml /c.xml");
    }
}
