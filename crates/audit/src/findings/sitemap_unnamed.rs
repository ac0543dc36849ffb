//! A sitemap at the usual place that robots.txt does not name.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;
use mapwright_frontier::Via;
use mapwright_web::PageUrl;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let named = |text: &str| {
        site.robots.iter().any(|file| {
            let same = |line: &String| {
                let joined = file.url.as_url().join(line).ok();
                joined.and_then(|url| PageUrl::recorded(url.as_str()))
            };
            file.robots.sitemaps().iter().filter_map(same).any(|url| url.as_str() == text)
        })
    };
    let usual = |url: &u32| site.node(*url).via == Some(Via::RobotsTxt);
    let read = site.files.iter().filter(|(_, file)| file.answered && !file.is_feed).map(|(url, _)| *url);
    let unnamed: Vec<u32> = read.filter(usual).filter(|url| !named(site.text(*url))).collect();
    if let Some(first) = unnamed.first() {
        let message = format!("robots.txt does not name {}.", site.text(*first));
        found.push(Finding::site(Code::SitemapUnnamed).in_sitemaps(&unnamed).says(message));
    }
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
    fn feeds_and_sitemaps_that_there_are_not_need_no_name() {
        let site = made().robots("").feed("/feed.xml", &[]).sitemap("/sitemap.xml", &[]).lost("/sitemap.xml").site();
        assert!(site.told(find).is_nothing());
    }
}
