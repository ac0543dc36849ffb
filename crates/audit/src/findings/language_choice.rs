//! Entrances that send each visitor to the page of their language: a temporary redirect to a page that names it as its
//! `x-default`, which is what that is for (Google, "Localized versions of your pages").

use crate::site::{Fate, Site, UrlNo};

/// Whether a URL is such an entrance, which is neither to answer 200 nor to redirect for good.
pub(super) fn is_choice(site: &Site, url: UrlNo) -> bool {
    let node = site.node(url);
    let page = site.way(url).last().filter(|_| node.fate == Fate::Redirect && matches!(node.status, 302 | 303 | 307));
    page.and_then(|page| site.said(page)).is_some_and(|said| {
        let mut alternates = said.alternates.iter();
        alternates.any(|one| one.url == Some(url) && one.code.eq_ignore_ascii_case("x-default"))
    })
}

#[cfg(test)]
mod tests {
    use crate::code::Code::{HreflangNot200, RedirectTemporary};
    use crate::findings::{hreflang_target, redirect_temporary};
    use crate::site::made::made;

    /// What is told of a site whose home page redirects so, where pages name it by this code.
    fn told(status: u16, target: &str, code: &str) -> (usize, usize) {
        let set = [("en", "/en"), ("de", "/de"), (code, "/")];
        let made = made().alternates("/en", &set).alternates("/de", &set).links("/plain", &[]);
        let site = made.redirect_with(status, "/", target).site();
        let not_200 = site.told(hreflang_target::find).of(HreflangNot200).len();
        (not_200, site.told(redirect_temporary::find).of(RedirectTemporary).len())
    }

    #[test]
    fn an_entrance_that_chooses_the_language_may_redirect_and_not_for_good() {
        assert_eq!(told(302, "/en", "x-default"), (0, 0));
        assert_eq!(told(307, "/de", "X-Default"), (0, 0));
    }

    #[test]
    fn what_redirects_for_good_or_elsewhere_or_has_a_language_is_no_entrance() {
        assert_eq!(told(301, "/en", "x-default"), (2, 0), "it will send nobody elsewhere");
        assert_eq!(told(302, "/plain", "x-default"), (2, 1));
        assert_eq!(told(302, "/en", "fr"), (2, 1));
    }
}
