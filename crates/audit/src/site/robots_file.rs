//! A robots.txt of the site.

use mapwright_web::robots::{RobotsFault, irregular_lines};
use mapwright_web::{PageUrl, Robots};

/// A robots.txt that was read.
#[derive(Debug)]
pub struct RobotsFile {
    /// Its URL.
    pub url: PageUrl,
    /// Values of its `Sitemap:` lines.
    pub sitemaps: Box<[String]>,
    /// Its rules, which the crawl obeyed.
    pub rules: Robots,
    /// Lines that are not rules.
    pub faults: Vec<RobotsFault>,
    /// It is a web page.
    pub looks_like_html: bool,
    /// It is longer than the limit, and was read in part.
    pub is_cut: bool,
}

impl RobotsFile {
    /// Parses the file at `url`.
    pub(crate) fn read(url: PageUrl, text: &str) -> Self {
        let robots = Robots::compile(text.as_bytes());
        Self {
            url,
            sitemaps: robots.sitemaps().into(),
            faults: irregular_lines(text.as_bytes()),
            looks_like_html: robots.looks_like_html(),
            is_cut: robots.is_cut(),
            rules: robots,
        }
    }
}
