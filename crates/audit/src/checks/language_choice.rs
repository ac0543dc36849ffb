//! Entry URLs that redirect each visitor to the page of their language: a temporary redirect to a page that names the
//! URL as its `x-default`, which is the purpose of `x-default` (Google, "Localized versions of your pages"); or a redirect
//! to the same path in the folder of a language, since the record does not have the `Vary` of a response.

use super::languages::is_code;
use crate::site::{NodeStatus, Site, UrlNo};
use mapwright_web::{PageUrl, origin_of};

/// Returns true for such an entry URL. It need not answer 200, and its redirect must not be permanent.
pub(super) fn is_choice(site: &Site, url: UrlNo) -> bool {
    let node = site.node(url);
    let page = site
        .chain(url)
        .last()
        .filter(|_| node.fetch_status == NodeStatus::Redirect && matches!(node.status, 302 | 303 | 307));
    page.and_then(|page| site.page_content(page)).is_some_and(|content| {
        let mut alternates = content.alternates.iter();
        alternates.any(|one| one.url == Some(url) && one.code.eq_ignore_ascii_case("x-default"))
    })
}

/// Returns true if two URLs of one origin differ only in the folder of a language, which one of them may lack.
pub(super) fn differs_by_folder(one: &str, other: &str) -> bool {
    let (Some(one), Some(other)) = (PageUrl::recorded(one), PageUrl::recorded(other)) else { return false };
    let names = |url: &PageUrl| -> Vec<String> {
        url.path().split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let is_same = origin_of(one.as_str()) == origin_of(other.as_str()) && one.query() == other.query();
    let (one, other) = (names(&one), names(&other));
    is_same
        && one != other
        && (has_folder_more(&one, &other) || has_folder_more(&other, &one) || has_other_folder(&one, &other))
}

/// Returns true if `more` is `names` with the folder of a language.
fn has_folder_more(names: &[String], more: &[String]) -> bool {
    let without = |at: usize| more.iter().enumerate().filter(move |(place, _)| *place != at).map(|(_, name)| name);
    more.len() == names.len() + 1 && (0..more.len()).any(|at| is_folder(more.get(at)) && without(at).eq(names))
}

/// Returns true if the folders of two languages are all that differs.
fn has_other_folder(one: &[String], other: &[String]) -> bool {
    let mut different = one.iter().zip(other).filter(|(one, other)| one != other);
    let pair = different.next();
    one.len() == other.len()
        && different.next().is_none()
        && pair.is_some_and(|(one, other)| is_folder(Some(one)) && is_folder(Some(other)))
}

fn is_folder(name: Option<&String>) -> bool {
    name.is_some_and(|name| is_code(&name.replace('_', "-")) && !name.eq_ignore_ascii_case("x-default"))
}

#[cfg(test)]
mod tests {
    use super::differs_by_folder;
    use crate::checks::{hreflang_other_page, redirect_temporary};
    use crate::site::builder::builder;

    /// Returns the counts of findings for a site whose home page redirects with this status to `target`, where pages
    /// name the home page by this code.
    fn found(status: u16, target: &str, code: &str) -> (usize, usize) {
        let set = [("en", "/en"), ("de", "/de"), (code, "/")];
        let builder = builder().alternates("/en", &set).alternates("/de", &set).links("/plain", &[]);
        let site = builder.redirect_with(status, "/", target).site();
        let not_200 = site.run_check(hreflang_other_page::find).of("hreflang-not-200").len();
        (not_200, site.run_check(redirect_temporary::find).of("redirect-temporary").len())
    }

    #[test]
    fn an_entry_url_that_chooses_the_language_may_redirect_temporarily() {
        assert_eq!(found(302, "/en", "x-default"), (0, 0));
        assert_eq!(found(307, "/de", "X-Default"), (0, 0));
    }

    #[test]
    fn the_folder_of_a_language_is_all_that_may_differ() {
        let differs = |one: &str, other: &str| {
            differs_by_folder(&format!("http://a.example{one}"), &format!("http://a.example{other}"))
        };
        for (one, other) in
            [("/", "/en-gb/"), ("/shop?a=1", "/de/shop?a=1"), ("/en/shop/", "/shop/"), ("/en/x", "/pt_BR/x")]
        {
            assert!(differs(one, other), "{one} {other}");
        }
        for (one, other) in
            [("/", "/shop/"), ("/shop", "/de/"), ("/shop", "/de/shop?a=1"), ("/a", "/a/"), ("/en/x", "/x/y")]
        {
            assert!(!differs(one, other), "{one} {other}");
        }
        assert!(!differs_by_folder("http://a.example/", "http://b.example/en/"), "another site");
    }

    #[test]
    fn a_permanent_redirect_or_one_elsewhere_or_with_a_language_chooses_no_language() {
        assert_eq!(found(301, "/en", "x-default"), (2, 0), "it will send nobody elsewhere");
        assert_eq!(found(302, "/plain", "x-default"), (2, 1));
        assert_eq!(found(302, "/en", "fr"), (2, 0), "the folder shows the choice, and the alternates do not");
    }
}
