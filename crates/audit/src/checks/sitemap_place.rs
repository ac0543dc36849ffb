//! Entries on another host than their sitemap, or outside its directory (sitemaps.org, "Sitemap file location").

use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{ListedEntry, Site, UrlNo};
use mapwright_web::{PageUrl, origin_of};
use std::collections::HashMap;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SITEMAP_WRONG_PLACE]);

static SITEMAP_WRONG_PLACE: Check = Check {
    code: "sitemap-wrong-place",
    title: "Entry outside its sitemap's place",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "An entry stands on another host than its sitemap, or outside its directory.",
    fix: "Put the sitemap at the site's root, on the host that it lists.",
    needs: RequiredCoverage::Listed(SeenLevel::Known),
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut files: HashMap<UrlNo, Option<PageUrl>> = HashMap::new();
    for entry in &site.entries {
        if site.files.get(&entry.file).is_none_or(|file| file.is_feed || file.has_feed_format) {
            continue;
        }
        let file = files.entry(entry.file).or_insert_with(|| read(site.text(entry.file)));
        let Some(file) = file else { continue };
        let Some(message) = misplaced(site, entry, file) else { continue };
        found.push(Finding::of(&SITEMAP_WRONG_PLACE, entry.url).in_sitemaps(&[entry.file]).says(message));
    }
}

fn misplaced(site: &Site, entry: &ListedEntry, file: &PageUrl) -> Option<String> {
    let text = site.text(entry.url);
    let url = read(text)?;
    if url.origin() != file.origin() {
        let is_revalidated = site.published().may_list(origin_of(text), entry.file);
        return (!is_revalidated).then(|| format!("It stands in a sitemap of {}, another host.", file.origin()));
    }
    let outside = !url.path().starts_with(file.directory());
    outside.then(|| format!("It lies outside {}, the directory of its sitemap.", file.directory()))
}

fn read(text: &str) -> Option<PageUrl> {
    PageUrl::recorded(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn entries_outside_the_directory_of_the_file_are_reported() {
        let entries = ["/deep/in", "/deep/er/in", "/deeper", "/outer", "/"];
        let site = builder().sitemap("/deep/sitemap.xml", &entries).sitemap("/sitemap.xml", &entries).site();
        let found = site.run_check(find);
        assert_eq!(found.of("sitemap-wrong-place"), ["/", "/deeper", "/outer"]);
        assert_eq!(found.sitemaps("sitemap-wrong-place"), "/deep/sitemap.xml");
        let expected = "It lies outside /deep/, the directory of its sitemap.";
        assert_eq!(found.message("sitemap-wrong-place"), expected);
    }

    #[test]
    fn another_host_port_or_scheme_is_another_site() {
        let entries =
            ["http://other.example/", "https://example.com/", "http://example.com:81/", "http://example.com:80/"];
        let site = builder().sitemap("/sitemap.xml", &entries).site();
        let found = site.run_check(find).of("sitemap-wrong-place");
        assert_eq!(found, [":81/", "http://other.example/", "https://example.com/"]);
    }

    #[test]
    fn a_host_whose_robots_file_names_the_sitemap_may_be_listed() {
        let entry = "http://example.com/a";
        let found = |robots: &str| {
            builder()
                .robots(robots)
                .sitemap("http://maps.example/all.xml", &[entry])
                .site()
                .run_check(find)
                .of("sitemap-wrong-place")
                .len()
        };
        assert_eq!(found("Sitemap: http://maps.example/all.xml"), 0);
        assert_eq!(found("Sitemap: http://maps.example/other.xml"), 1);
        assert_eq!(found("sitemap: HTTP://MAPS.example:80/x/../all.xml"), 0, "however its URL is written");
    }

    #[test]
    fn a_redirected_robots_file_counts_for_the_requested_host_too() {
        let found = |robots_at: &str| {
            let builder = builder().robots("Sitemap: http://maps.example/all.xml").robots_redirect(robots_at);
            let site = builder.sitemap("http://maps.example/all.xml", &["http://example.com/a"]).site();
            site.run_check(find).of("sitemap-wrong-place").len()
        };
        assert_eq!(found("https://example.com/robots.txt"), 0);
        assert_eq!(found("http://www.example.com/all-robots.txt"), 0);
    }

    #[test]
    fn a_robots_file_that_names_an_index_or_a_redirect_names_its_targets() {
        let found = |robots: &str| {
            let builder = builder().robots(robots).sitemap("http://maps.example/all.xml", &["http://example.com/a"]);
            let builder = builder
                .sitemap("http://maps.example/index.xml", &[])
                .sitemap_redirect("/map.xml", "http://maps.example/index.xml");
            let site = builder.part_of("http://maps.example/index.xml", "http://maps.example/all.xml").site();
            site.run_check(find).of("sitemap-wrong-place").len()
        };
        assert_eq!(found("Sitemap: http://maps.example/index.xml"), 0);
        assert_eq!(found("Sitemap: /map.xml"), 0, "by two steps");
        assert_eq!(found("Sitemap: /other.xml"), 1);
    }

    #[test]
    fn a_host_without_pages_in_the_crawl_may_name_the_sitemap() {
        let robots = |builder: crate::site::builder::SiteBuilder| builder.robots_at("http://other.example/robots.txt");
        let builder = robots(builder().robots("Sitemap: http://example.com/sitemap.xml"));
        let site = builder.sitemap("/sitemap.xml", &["http://other.example/a", "http://third.example/a"]).site();
        assert_eq!(site.run_check(find).of("sitemap-wrong-place"), ["http://third.example/a"]);
    }

    #[test]
    fn a_feed_may_list_any_url() {
        assert!(
            builder()
                .feed("/deep/feed.xml", &[("http://other.example/", "2030-01-01")])
                .site()
                .run_check(find)
                .is_nothing()
        );
    }
}
