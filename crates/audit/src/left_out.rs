//! Findings about pages that the verdict leaves out because other pages stand for them.

use crate::check::LeftOut;
use crate::finding::{Finding, SubjectIds};
use crate::site::{Site, UrlNo};
use mapwright_verdict::Reason;

/// Returns true for a finding without a page that counts; a finding about likeness needs two.
pub(crate) fn is_void(site: &Site, finding: &Finding) -> bool {
    let left_out = finding.check.attributes.left_out;
    let counts = |url: &UrlNo| !left_out.voids(site.node(*url).reason) && !is_repeated_part(site, left_out, *url);
    match &finding.about {
        SubjectIds::Url(url) => !counts(url),
        SubjectIds::Group(urls) => urls.iter().filter(|url| counts(url)).count() < 2,
        SubjectIds::Site | SubjectIds::Pattern(_) => false,
    }
}

/// Returns true for a duplicate that is a further page of a series: it is a part of the series, and not to be merged.
fn is_repeated_part(site: &Site, left_out: LeftOut, url: UrlNo) -> bool {
    let is_duplicate = site.node(url).reason == Some(Reason::Duplicate);
    left_out == LeftOut::VoidExceptDuplicates && is_duplicate && site.is_further_page(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;
    use crate::site::builder::builder;

    /// Returns a site of four pages, of which the verdict leaves out the first for this reason.
    fn leaving_out(reason: Option<Reason>) -> (Site, Vec<UrlNo>) {
        let pages = ["/a", "/b", "/c", "/d"];
        let mut site = pages.iter().fold(builder(), |builder, page| builder.links(page, &[])).site();
        let numbers = pages.map(|page| site.urls.number(&crate::site::builder::url(page)).unwrap());
        let node = &mut site.nodes[numbers[0] as usize];
        (node.reason, node.listed) = (reason, reason.is_none());
        (site, numbers.to_vec())
    }

    /// Returns true if a finding of this kind about the page is reported.
    fn is_reported(code: &str, reason: Reason) -> bool {
        let (site, pages) = leaving_out(Some(reason));
        !is_void(&site, &Finding::of(check(code), pages[0]))
    }

    #[test]
    fn what_search_engines_take_from_a_page_matters_only_if_they_list_it() {
        let of_listed = ["desc-missing", "title-short", "og-incomplete", "thin-text", "canonical-missing", "deep"];
        for code in of_listed.into_iter().chain(["single-inlink", "url-underscore", "h1-several", "hreflang-no-self"]) {
            for reason in [Reason::Pagination, Reason::Duplicate, Reason::ParameterVariant] {
                assert!(!is_reported(code, reason), "{code} {reason:?}");
            }
            let (site, pages) = leaving_out(None);
            assert!(!is_void(&site, &Finding::of(check(code), pages[0])), "{code} of a listed page");
            assert!(is_reported(code, Reason::NoList), "{code}: the user leaves it out, and search engines do not");
        }
    }

    #[test]
    fn what_visitors_meet_on_a_page_matters_on_every_page() {
        for code in ["http-4xx", "slow", "broken-fragment", "password-over-http", "canonical-conflict", "orphan"] {
            assert!(is_reported(code, Reason::Pagination), "{code}");
        }
    }

    /// Returns true if a finding about the page and the next `others` is reported.
    fn is_group_reported(code: &str, reason: Reason, others: usize) -> bool {
        let (site, pages) = leaving_out(Some(reason));
        !is_void(&site, &Finding::group(check(code), pages[..=others].to_vec()))
    }

    #[test]
    fn likeness_needs_two_pages_that_count() {
        for reason in [Reason::Pagination, Reason::ParameterVariant] {
            assert!(!is_group_reported("dup-near", reason, 1), "{reason:?}: only one page is listed");
            assert!(is_group_reported("dup-near", reason, 2), "{reason:?}: two pages are listed");
        }
    }

    #[test]
    fn a_form_shares_the_title_of_its_page_but_not_its_text_and_a_duplicate_both() {
        assert!(is_group_reported("dup-title", Reason::FormPage, 1));
        assert!(!is_group_reported("dup-near", Reason::FormPage, 1));
        assert!(is_group_reported("dup-title", Reason::Duplicate, 1), "pages of comments need titles of their own");
        assert!(is_group_reported("dup-near", Reason::Duplicate, 1));
        assert!(is_group_reported("dup-exact", Reason::Duplicate, 1));
    }

    #[test]
    fn a_page_of_comments_that_repeats_its_post_is_no_near_duplicate() {
        let is_reported = |path: &str| {
            let mut site = builder().links("/post/", &[]).links(path, &[]).site();
            let numbers = ["/post/", path].map(|path| site.urls.number(&crate::site::builder::url(path)).unwrap());
            site.nodes[numbers[1] as usize].reason = Some(Reason::Duplicate);
            !is_void(&site, &Finding::group(check("dup-near"), numbers.to_vec()))
        };
        assert!(!is_reported("/post/comment-page-3/"));
        assert!(is_reported("/post-again/"));
    }
}
