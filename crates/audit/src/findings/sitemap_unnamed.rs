//! A sitemap at the usual place that robots.txt does not name.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;
use mapwright_frontier::Via;
use mapwright_web::{Identity, PageUrl};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let named = |text: &str| {
        site.robots.iter().any(|file| {
            let same = |line: &String| {
                let joined = file.url.as_url().join(line).ok();
                joined.and_then(|url| PageUrl::parse(url.as_str(), &Identity::new(false, &[])).ok())
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
