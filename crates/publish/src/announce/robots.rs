//! Whether robots.txt names the sitemap, the one announcement that every engine reads.

use mapwright_web::Robots;
use url::Url;

use super::excerpt::excerpt;

/// Whether a robots.txt has the `Sitemap:` line for this sitemap.
///
/// The file is read as when crawling (at most [`mapwright_web::robots::MAX_FILE_BYTES`] of it); its absolute URLs are
/// compared after parsing, so that `HTTPS://Example.com:443/a` is `https://example.com/a`.
#[must_use]
pub fn robots_names(robots: &[u8], sitemap: &Url) -> bool {
    names(&Robots::compile(robots), sitemap)
}

/// What to write into a robots.txt, in one line; `None` when it names the sitemap.
#[must_use]
pub fn robots_advice(robots: &[u8], sitemap: &Url) -> Option<String> {
    let robots = Robots::compile(robots);
    if names(&robots, sitemap) {
        return None;
    }
    let relative = robots.sitemaps().iter().find(|value| sitemap.join(value).is_ok_and(|url| url == *sitemap));
    Some(match relative {
        Some(value) => {
            let value = excerpt(value, &[]);
            format!(
                "robots.txt names the sitemap as `{value}`, and only an absolute URL counts: write `Sitemap: {sitemap}`"
            )
        }
        None => format!("robots.txt does not name the sitemap: add the line `Sitemap: {sitemap}`"),
    })
}

fn names(robots: &Robots, sitemap: &Url) -> bool {
    robots.sitemaps().iter().any(|value| Url::parse(value).is_ok_and(|url| url == *sitemap))
}
