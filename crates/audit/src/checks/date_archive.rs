//! Archives of a blog by year, month or day. Content management systems leave them out of the sitemap on purpose, because
//! each post is in one all the same.

use crate::site::{Site, UrlNo};
use mapwright_web::PageUrl;

/// The years of dates.
const YEARS: std::ops::RangeInclusive<u32> = 1990..=2099;

/// A date at the end of a path.
enum PathDate {
    Year,
    MonthOrDay,
}

/// Returns true for a page at the path of a date that lists posts. A year may name anything, such as a conference, so
/// that a page of a year must be mostly links, or link the archives of its months.
pub(super) fn is_one(site: &Site, page: UrlNo) -> bool {
    let Some(url) = PageUrl::recorded(site.text(page)).filter(|url| url.query().is_none()) else { return false };
    let below = format!("{}/", url.as_str().trim_end_matches('/'));
    let is_month_below = |post: &UrlNo| {
        let text = site.text(*post);
        text.starts_with(&below) && PageUrl::recorded(text).is_some_and(|url| has_month(url.path()))
    };
    let posts = || site.content_pages(page);
    match date(url.path()) {
        Some(PathDate::MonthOrDay) => site.has_excerpts(page, posts().len()) || site.is_mostly_links(page),
        Some(PathDate::Year) => site.is_mostly_links(page) || posts().iter().any(is_month_below),
        None => false,
    }
}

/// Returns true for a URL that ends with a year and a month, or with those and a day.
pub(super) fn is_at_month(url: &str) -> bool {
    let url = PageUrl::recorded(url).filter(|url| url.query().is_none());
    url.is_some_and(|url| matches!(date(url.path()), Some(PathDate::MonthOrDay)))
}

/// Returns the date at the end of a path.
fn date(path: &str) -> Option<PathDate> {
    let mut names = path.split('/').rev().filter(|name| !name.is_empty());
    let (last, before, first) = (names.next(), names.next(), names.next());
    let is_day = last.is_some_and(|name| is_part(name, 31)) && before.is_some_and(|name| is_part(name, 12));
    match (last, before, first) {
        (Some(last), ..) if is_year(last) => Some(PathDate::Year),
        (Some(last), Some(year), _) if is_part(last, 12) && is_year(year) => Some(PathDate::MonthOrDay),
        (_, _, Some(year)) if is_day && is_year(year) => Some(PathDate::MonthOrDay),
        _ => None,
    }
}

/// Returns true for a path with a year and the month that follows it.
fn has_month(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    names.windows(2).any(|pair| matches!(pair, [year, month] if is_year(year) && is_part(month, 12)))
}

fn is_year(name: &str) -> bool {
    name.len() == 4 && name.parse().is_ok_and(|year| YEARS.contains(&year))
}

/// Returns true for a month or a day, of which there are so many.
fn is_part(name: &str, most: u32) -> bool {
    name.len() <= 2
        && name.bytes().all(|byte| byte.is_ascii_digit())
        && name.parse().is_ok_and(|part| (1..=most).contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{SiteBuilder, builder, url};

    fn is_archive(builder: SiteBuilder, path: &str) -> bool {
        let site = builder.site();
        is_one(&site, site.urls.number(&url(path)).unwrap())
    }

    #[test]
    fn a_page_at_a_date_that_lists_posts_is_an_archive() {
        let excerpts = |path: &str, post: &str| {
            let text = "The beginning of a post. ".repeat(20);
            let html = format!("<main>{text}<a href={post}>on</a></main>");
            is_archive(builder().page(path, &html).links(post, &[]), path)
        };
        assert!(excerpts("/2025/01/", "/2025/01/a-post/"));
        assert!(excerpts("/blog/2025/1/15/", "/posts/a-post/"));
        assert!(excerpts("/2025/", "/2025/01/a-post/"));
        assert!(!excerpts("/2025/", "/2025/speakers/"), "a conference");
        assert!(!excerpts("/2025/13/", "/2025/13/a-post/"), "no month");
        assert!(!excerpts("/items/15/", "/items/15/a-part/"), "no year");
    }

    #[test]
    fn a_page_of_a_year_that_is_mostly_links_is_an_archive() {
        let posts = ["/posts/a", "/posts/b", "/posts/c"];
        let list = || posts.iter().fold(builder().links("/2025/", &posts), |builder, post| builder.links(post, &[]));
        assert!(is_archive(list(), "/2025/"));
    }

    #[test]
    fn an_article_at_the_path_of_a_date_is_no_archive() {
        let text = "All that happened in January. ".repeat(40);
        assert!(!is_archive(builder().page("/2025/01/", &format!("<main>{text}</main>")), "/2025/01/"));
    }
}
