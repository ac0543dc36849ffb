//! Entries on another host than their sitemap, or outside its directory (sitemaps.org, "Sitemap file location").

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Entry, Site, UrlNo};
use mapwright_web::{PageUrl, origin_of};
use std::collections::HashMap;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut files: HashMap<UrlNo, Option<PageUrl>> = HashMap::new();
    for entry in &site.entries {
        if site.files.get(&entry.file).is_none_or(|file| file.is_feed) {
            continue;
        }
        let file = files.entry(entry.file).or_insert_with(|| read(site.text(entry.file)));
        let Some(file) = file else { continue };
        let Some(message) = misplaced(site, entry, file) else { continue };
        found.push(Finding::of(Code::SitemapWrongPlace, entry.url).in_sitemaps(&[entry.file]).says(message));
    }
}

fn misplaced(site: &Site, entry: &Entry, file: &PageUrl) -> Option<String> {
    let text = site.text(entry.url);
    let url = read(text)?;
    if url.origin() != file.origin() {
        let is_vouched = site.published().vouches(origin_of(text), entry.file);
        return (!is_vouched).then(|| format!("It stands in a sitemap of {}, another host.", file.origin()));
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
    use crate::site::made::made;

    #[test]
    fn entries_outside_the_directory_of_the_file_are_told() {
        let entries = ["/deep/in", "/deep/er/in", "/deeper", "/outer", "/"];
        let site = made().sitemap("/deep/sitemap.xml", &entries).sitemap("/sitemap.xml", &entries).site();
        let told = site.told(find);
        assert_eq!(told.of(Code::SitemapWrongPlace), ["/", "/deeper", "/outer"]);
        assert_eq!(told.sitemaps(Code::SitemapWrongPlace), "/deep/sitemap.xml");
        let expected = "It lies outside /deep/, the directory of its sitemap.";
        assert_eq!(told.message(Code::SitemapWrongPlace), expected);
    }

    #[test]
    fn another_host_port_or_scheme_is_another_site() {
        let entries =
            ["http://other.example/", "https://example.com/", "http://example.com:81/", "http://example.com:80/"];
        let site = made().sitemap("/sitemap.xml", &entries).site();
        let told = site.told(find).of(Code::SitemapWrongPlace);
        assert_eq!(told, [":81/", "http://other.example/", "https://example.com/"]);
    }

    #[test]
    fn a_host_whose_robots_file_names_the_sitemap_vouches_for_it() {
        let entry = "http://example.com/a";
        let told = |robots: &str| {
            made()
                .robots(robots)
                .sitemap("http://maps.example/all.xml", &[entry])
                .site()
                .told(find)
                .of(Code::SitemapWrongPlace)
                .len()
        };
        assert_eq!(told("Sitemap: http://maps.example/all.xml"), 0);
        assert_eq!(told("Sitemap: http://maps.example/other.xml"), 1);
        assert_eq!(told("sitemap: HTTP://MAPS.example:80/x/../all.xml"), 0, "however its URL is written");
    }

    #[test]
    fn a_robots_file_vouches_for_the_host_that_was_asked_for_it_too() {
        let told = |robots_at: &str| {
            let made = made().robots("Sitemap: http://maps.example/all.xml").robots_redirect(robots_at);
            let site = made.sitemap("http://maps.example/all.xml", &["http://example.com/a"]).site();
            site.told(find).of(Code::SitemapWrongPlace).len()
        };
        assert_eq!(told("https://example.com/robots.txt"), 0);
        assert_eq!(told("http://www.example.com/all-robots.txt"), 0);
    }

    #[test]
    fn a_robots_file_that_names_an_index_or_a_redirect_vouches_for_what_that_leads_to() {
        let told = |robots: &str| {
            let made = made().robots(robots).sitemap("http://maps.example/all.xml", &["http://example.com/a"]);
            let made = made
                .sitemap("http://maps.example/index.xml", &[])
                .sitemap_redirect("/map.xml", "http://maps.example/index.xml");
            let site = made.part_of("http://maps.example/index.xml", "http://maps.example/all.xml").site();
            site.told(find).of(Code::SitemapWrongPlace).len()
        };
        assert_eq!(told("Sitemap: http://maps.example/index.xml"), 0);
        assert_eq!(told("Sitemap: /map.xml"), 0, "by two steps");
        assert_eq!(told("Sitemap: /other.xml"), 1);
    }

    #[test]
    fn a_host_with_no_page_in_the_crawl_may_vouch() {
        let robots = |made: crate::site::made::Made| made.robots_at("http://other.example/robots.txt");
        let made = robots(made().robots("Sitemap: http://example.com/sitemap.xml"));
        let site = made.sitemap("/sitemap.xml", &["http://other.example/a", "http://third.example/a"]).site();
        assert_eq!(site.told(find).of(Code::SitemapWrongPlace), ["http://third.example/a"]);
    }

    #[test]
    fn a_feed_may_list_what_it_likes() {
        assert!(
            made().feed("/deep/feed.xml", &[("http://other.example/", "2030-01-01")]).site().told(find).is_nothing()
        );
    }
}
