//! Checks that robots.txt names the sitemap, the one announcement that every engine reads.

use mapwright_web::Robots;
use url::Url;

/// Returns true if a robots.txt has the `Sitemap:` line for this sitemap.
///
/// The file is read as when crawling (at most [`mapwright_web::robots::MAX_FILE_BYTES`] of it); its absolute URLs are
/// compared after parsing, so that `HTTPS://Example.com:443/a` is `https://example.com/a`.
#[must_use]
pub fn robots_names(robots: &[u8], sitemap: &Url) -> bool {
    let robots = Robots::compile(robots);
    robots.sitemaps().iter().any(|value| Url::parse(value).is_ok_and(|url| url == *sitemap))
}
