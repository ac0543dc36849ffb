//! A sitemap at the usual place that robots.txt does not name.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_model::Via;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SITEMAP_UNNAMED]);

static SITEMAP_UNNAMED: Check = Check {
    code: "sitemap-unnamed",
    title: "Sitemap not named in robots.txt",
    topic: Topic::Sitemaps,
    severity: Severity::Notice,
    reason: "The site has a sitemap that robots.txt does not name.",
    fix: "Add a Sitemap: line to robots.txt.",
    needs: RequiredCoverage::RobotsAndSitemaps,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let published = site.published();
    let usual = |url: &u32| site.node(*url).via == Some(Via::RobotsTxt);
    // Where there is no robots.txt, that is a finding, and its advice is to name the sitemap.
    let has_robots = |url: u32| !site.has_no_robots(site.text(url));
    let unnamed: Vec<u32> = published
        .read()
        .filter(usual)
        .filter(|url| published.named_by(site.text(*url)).is_none() && has_robots(*url))
        .collect();
    let (at_home, elsewhere): (Vec<u32>, Vec<u32>) = unnamed.into_iter().partition(|url| site.is_on_start_origin(*url));
    let message = |url: u32| format!("robots.txt does not name {}.", site.text(url));
    if let Some(first) = at_home.first() {
        found.push(Finding::site(&SITEMAP_UNNAMED).in_sitemaps(&at_home).says(message(*first)));
    }
    // Each host has a robots.txt of its own.
    let of = |url: u32| Finding::of(&SITEMAP_UNNAMED, url).in_sitemaps(&[url]).says(message(url));
    found.extend(elsewhere.into_iter().map(of));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn found(robots: Option<&str>) -> Vec<String> {
        let builder = builder().sitemap("/sitemap.xml", &["/"]);
        robots
            .map_or(builder.no_robots(404), |text| {
                crate::site::builder::builder().sitemap("/sitemap.xml", &["/"]).robots(text)
            })
            .site()
            .run_check(find)
            .of("sitemap-unnamed")
    }

    #[test]
    fn a_sitemap_at_the_usual_place_that_robots_txt_does_not_name_is_reported() {
        assert_eq!(found(Some("User-agent: *\nDisallow:")), ["the site"]);
        assert_eq!(found(Some("Sitemap: http://example.com/other.xml")), ["the site"]);
        assert_eq!(found(None), [""; 0], "there is no robots.txt to name it, which is another finding");
        let site = builder().robots("").sitemap("/sitemap.xml", &["/"]).site();
        let found = site.run_check(find);
        assert_eq!(found.message("sitemap-unnamed"), "robots.txt does not name http://example.com/sitemap.xml.");
        assert_eq!(found.sitemaps("sitemap-unnamed"), "/sitemap.xml");
    }

    #[test]
    fn a_named_sitemap_is_fine_with_any_spelling_of_its_url() {
        for line in ["http://example.com/sitemap.xml", "/sitemap.xml", "HTTP://EXAMPLE.com:80/a/../sitemap.xml"] {
            assert_eq!(found(Some(&format!("sitemap: {line}"))), [""; 0], "{line}");
        }
    }

    #[test]
    fn a_sitemap_of_another_host_is_reported_by_its_url() {
        let site = builder()
            .links("http://www.example.com/", &[])
            .links("/", &["http://www.example.com/"])
            .sitemap("/sitemap.xml", &["/"])
            .sitemap("http://www.example.com/sitemap.xml", &["http://www.example.com/"])
            .site();
        let found = site.run_check(find).of("sitemap-unnamed");
        assert_eq!(found, ["http://www.example.com/sitemap.xml", "the site"]);
    }

    #[test]
    fn feeds_and_absent_sitemaps_need_not_be_named() {
        let site = builder().robots("").feed("/feed.xml", &[]).sitemap("/sitemap.xml", &[]).lost("/sitemap.xml").site();
        assert!(site.run_check(find).is_nothing());
    }
}
