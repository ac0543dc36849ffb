//! A sitemap at the usual place that robots.txt does not name.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;
use mapwright_frontier::Via;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let published = site.published();
    let usual = |url: &u32| site.node(*url).via == Some(Via::RobotsTxt);
    let unnamed: Vec<u32> =
        published.read().filter(usual).filter(|url| published.named_by(site.text(*url)).is_none()).collect();
    let (at_home, elsewhere): (Vec<u32>, Vec<u32>) = unnamed.into_iter().partition(|url| site.is_at_home(*url));
    let message = |url: u32| format!("robots.txt does not name {}.", site.text(url));
    if let Some(first) = at_home.first() {
        found.push(Finding::site(Code::SitemapUnnamed).in_sitemaps(&at_home).says(message(*first)));
    }
    // Each host has a robots.txt of its own.
    let of = |url: u32| Finding::of(Code::SitemapUnnamed, url).in_sitemaps(&[url]).says(message(url));
    found.extend(elsewhere.into_iter().map(of));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    fn told(robots: Option<&str>) -> Vec<String> {
        let made = made().sitemap("/sitemap.xml", &["/"]);
        robots
            .map_or(made.no_robots(404), |text| crate::site::made::made().sitemap("/sitemap.xml", &["/"]).robots(text))
            .site()
            .told(find)
            .of(Code::SitemapUnnamed)
    }

    #[test]
    fn a_sitemap_at_the_usual_place_that_robots_txt_does_not_name_is_told() {
        assert_eq!(told(Some("User-agent: *\nDisallow:")), ["the site"]);
        assert_eq!(told(Some("Sitemap: http://example.com/other.xml")), ["the site"]);
        assert_eq!(told(None), ["the site"], "there is no robots.txt to name it");
        let site = made().robots("").sitemap("/sitemap.xml", &["/"]).site();
        let told = site.told(find);
        assert_eq!(told.message(Code::SitemapUnnamed), "robots.txt does not name http://example.com/sitemap.xml.");
        assert_eq!(told.sitemaps(Code::SitemapUnnamed), "/sitemap.xml");
    }

    #[test]
    fn a_named_sitemap_is_fine_however_its_url_is_written() {
        for line in ["http://example.com/sitemap.xml", "/sitemap.xml", "HTTP://EXAMPLE.com:80/a/../sitemap.xml"] {
            assert_eq!(told(Some(&format!("sitemap: {line}"))), [""; 0], "{line}");
        }
    }

    #[test]
    fn a_sitemap_of_another_host_is_told_by_its_url() {
        let site = made()
            .links("http://www.example.com/", &[])
            .links("/", &["http://www.example.com/"])
            .sitemap("/sitemap.xml", &["/"])
            .sitemap("http://www.example.com/sitemap.xml", &["http://www.example.com/"])
            .site();
        let told = site.told(find).of(Code::SitemapUnnamed);
        assert_eq!(told, ["http://www.example.com/sitemap.xml", "the site"]);
    }

    #[test]
    fn feeds_and_sitemaps_that_there_are_not_need_no_name() {
        let site = made().robots("").feed("/feed.xml", &[]).sitemap("/sitemap.xml", &[]).lost("/sitemap.xml").site();
        assert!(site.told(find).is_nothing());
    }
}
