//! Pages of a series: further pages of a list or of the comments on a page, and parts of a page that is divided.

use super::{Site, UrlNo};
use mapwright_traps::{Parameter, ParameterPosition, names_pages, parameters, without};
use mapwright_web::PageUrl;

impl Site {
    /// Returns true for a numbered page of a series whose first page is known.
    pub(crate) fn is_further_page(&self, page: UrlNo) -> bool {
        let Some(url) = PageUrl::recorded(self.text(page)) else { return false };
        is_page_of_parameter(self, &url) || is_page_of_path(self, page, &url)
    }
}

/// Returns true if two URLs differ only in one number, by one.
pub(crate) fn are_neighbours(one: &str, other: &str) -> bool {
    let common = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let digits = one.as_bytes().iter().take(common).rev().take_while(|byte| byte.is_ascii_digit()).count();
    let number = |url: &str| {
        let rest = url.get(common - digits..)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        Some((rest.get(..end)?.parse::<u64>().ok()?, rest.get(end..)?.to_owned()))
    };
    let numbers = number(one).zip(number(other));
    numbers.is_some_and(|((one, after), (other, also))| one.abs_diff(other) == 1 && after == also)
}

/// Returns true for a URL with the number of a page as a parameter.
fn is_page_of_parameter(site: &Site, url: &PageUrl) -> bool {
    let is_number = |parameter: &Parameter| {
        let mut pairs = url.as_url().query_pairs();
        pairs.any(|(name, value)| name == parameter.name && value.parse::<u32>().is_ok())
    };
    let of_query = parameters(url).into_iter().filter(|parameter| parameter.place == ParameterPosition::Query);
    let mut numbered = of_query.filter(|parameter| names_pages(&parameter.name) && is_number(parameter));
    numbered.any(|parameter| first_page(site, &without(url, &parameter)).is_some())
}

/// Returns true for a URL whose path ends with the number of a page, or of a part of a page.
fn is_page_of_path(site: &Site, page: UrlNo, url: &PageUrl) -> bool {
    let Some((before, last)) = url.path().trim_end_matches('/').rsplit_once('/') else { return false };
    let last = last.strip_suffix(".html").or_else(|| last.strip_suffix(".htm")).unwrap_or(last);
    let (word, digits) = last.rsplit_once('-').unwrap_or(("", last));
    let Ok(number) = digits.parse::<u32>() else { return false };
    let base = |path: &str| first_page(site, &url.with_path(&format!("{path}/")));
    if !word.is_empty() {
        return (names_pages(word) || word == "index") && base(before).is_some();
    }
    let named = before.rsplit_once('/').filter(|(_, word)| names_pages(word));
    let is_named = named.is_some_and(|(list, _)| base(list).is_some());
    is_named || base(before).is_some_and(|first| is_part(site, page, first, (before, number)))
}

/// Returns the page at a URL, with or without the slash at its end.
fn first_page(site: &Site, url: &PageUrl) -> Option<UrlNo> {
    let path = url.path().trim_end_matches('/');
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let forms = [format!("{path}/{query}"), format!("{path}{query}")];
    let known = forms.iter().filter_map(|form| site.urls.number(url.with_path(form).as_str()));
    known.into_iter().find(|url| site.node(*url).is_page())
}

/// Returns true for a part of a page that is divided: all parts from 2 on are known, and there is no part 1, because
/// that is the page. The products of a list have other titles than the list.
fn is_part(site: &Site, page: UrlNo, first: UrlNo, (path, number): (&str, u32)) -> bool {
    const MAX_PARTS: u32 = 100;
    let Some(url) = PageUrl::recorded(site.text(first)) else { return false };
    let has = |number: u32| first_page(site, &url.with_path(&format!("{path}/{number}/"))).is_some();
    (2..=MAX_PARTS).contains(&number) && !has(1) && (2..number).all(has) && titles_agree(site, page, first)
}

/// Returns true if the title of a page begins with half of the title of another, or more.
fn titles_agree(site: &Site, page: UrlNo, first: UrlNo) -> bool {
    let title = |url: UrlNo| site.page_content(url).and_then(|content| content.title.as_deref()).unwrap_or_default();
    let (of_page, of_first) = (title(page), title(first));
    let common = of_page.chars().zip(of_first.chars()).take_while(|(one, other)| one == other).count();
    common > 0 && common * 2 >= of_first.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};

    /// Returns those of these pages that are further pages of a series.
    fn further<'p>(paths: &[&'p str]) -> Vec<&'p str> {
        let page = |path: &str| {
            let words = path.split(['/', '?']).find(|word| !word.is_empty()).unwrap_or_default();
            format!("<title>The {words}: {path}</title><body>This is {path}.")
        };
        let site = paths.iter().fold(builder(), |builder, path| builder.page(path, &page(path))).site();
        let is_one = |path: &&&str| site.is_further_page(site.urls.number(&url(path)).unwrap());
        paths.iter().filter(is_one).copied().collect()
    }

    #[test]
    fn parts_of_a_page_and_pages_of_lists_and_comments_are_further_pages() {
        let post = ["/a-long-post/", "/a-long-post/2/", "/a-long-post/3/"];
        assert_eq!(further(&post), ["/a-long-post/2/", "/a-long-post/3/"]);
        assert_eq!(further(&["/post/", "/post/comment-page-1/"]), ["/post/comment-page-1/"]);
        assert_eq!(further(&["/tag/a", "/tag/a/page/2"]), ["/tag/a/page/2"]);
        assert_eq!(further(&["/de/", "/de/index-2.html"]), ["/de/index-2.html"]);
        assert_eq!(further(&["/list", "/list?page=1", "/list?page=two"]), ["/list?page=1"]);
    }

    #[test]
    fn numbered_pages_without_a_first_page_or_beside_one_are_pages_of_their_own() {
        assert_eq!(further(&["/posts/2/", "/posts/3/"]), [""; 0], "there is no /posts/");
        assert_eq!(further(&["/products/", "/products/1/", "/products/2/"]), [""; 0], "a list of products");
        assert_eq!(further(&["/products/", "/products/17/"]), [""; 0], "one of many products");
        assert_eq!(further(&["/rooms/", "/rooms/room-2/"]), [""; 0], "its word names no pages");
    }

    #[test]
    fn a_numbered_page_with_another_title_is_no_part() {
        let site =
            builder().page("/shop/", "<title>All chairs</title>").page("/shop/2/", "<title>The oak</title>").site();
        assert!(!site.is_further_page(site.urls.number(&url("/shop/2/")).unwrap()));
    }

    #[test]
    fn neighbours_differ_by_one_in_one_number() {
        for (one, other) in [("/index-1.html", "/index-2.html"), ("/p/9", "/p/10"), ("/p/19/x", "/p/20/x")] {
            assert!(are_neighbours(one, other) && are_neighbours(other, one), "{one} {other}");
        }
        for (one, other) in [("/p/1", "/p/3"), ("/p/1/a", "/p/2/b"), ("/", "/2"), ("/a", "/b"), ("/p/1", "/p/1")] {
            assert!(!are_neighbours(one, other), "{one} {other}");
        }
    }
}
