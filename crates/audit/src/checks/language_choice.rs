//! Entry URLs that redirect each visitor to the page of their language: a temporary redirect to a page that names the
//! URL as its `x-default`, which is the purpose of `x-default` (Google, "Localized versions of your pages").

use crate::site::{NodeStatus, Site, UrlNo};

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

#[cfg(test)]
mod tests {
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
    fn a_permanent_redirect_or_one_elsewhere_or_with_a_language_chooses_no_language() {
        assert_eq!(found(301, "/en", "x-default"), (2, 0), "it will send nobody elsewhere");
        assert_eq!(found(302, "/plain", "x-default"), (2, 1));
        assert_eq!(found(302, "/en", "fr"), (2, 1));
    }
}
