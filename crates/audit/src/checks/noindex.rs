//! Pages that say noindex or nofollow, and sites where nearly all pages say noindex.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SITEWIDE_NOINDEX, &NOINDEX, &NOFOLLOW]);

static SITEWIDE_NOINDEX: Check = Check {
    code: "sitewide-noindex",
    title: "Entire site says noindex",
    topic: Topic::Site,
    severity: Severity::Error,
    reason: "Nearly all pages say noindex: the site is kept out of search results.",
    fix: "Remove the noindex, which is often left over from a staging site.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static NOINDEX: Check = Check {
    code: "noindex",
    title: "noindex",
    topic: Topic::Indexability,
    severity: Severity::Notice,
    reason: "The page says noindex, and stays out of search results.",
    fix: "Remove it if the page is to be found.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static NOFOLLOW: Check = Check {
    code: "nofollow",
    title: "nofollow",
    topic: Topic::Indexability,
    severity: Severity::Notice,
    reason: "The page says nofollow, and its links are not followed.",
    fix: "Remove it if its links are to be found.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

/// The fewest pages for which a share is meaningful.
const ENOUGH: usize = 10;
/// The percentage of pages that counts as nearly all.
const NEARLY_ALL: usize = 80;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let (mut pages, mut noindex) = (0, Vec::new());
    for (url, node, _) in site.pages() {
        pages += 1;
        if node.noindex {
            noindex.push(url);
            found.push(Finding::of(&NOINDEX, url));
        }
        if node.nofollow {
            found.push(Finding::of(&NOFOLLOW, url));
        }
    }
    if pages >= ENOUGH && noindex.len() * 100 >= pages * NEARLY_ALL {
        let message = format!("{} of {pages} pages say noindex.", noindex.len());
        let examples = noindex.into_iter().take(SAMPLE);
        found.push(Finding::site(&SITEWIDE_NOINDEX).says(message).shown_by(examples));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn pages(noindex: usize, others: usize) -> Site {
        let builder = builder().start("/0").many(0..noindex, |builder, n| builder.noindex(&format!("/{n}"), &[]));
        builder.many(noindex..noindex + others, |builder, n| builder.links(&format!("/{n}"), &[])).site()
    }

    #[test]
    fn noindex_and_nofollow_are_reported_if_they_apply() {
        let meta = |name: &str, content: &str| format!("<meta name={name} content='{content}'>");
        let site = builder()
            .head("/tag", &meta("robots", "NOINDEX"))
            .links("/header", &[])
            .header("/header", "x-robots-tag", "noindex, nofollow")
            .head("/none", &meta("robots", "none"))
            .head("/searcher", &meta("googlebot", "noindex"))
            .head("/other-bot", &meta("otherbot", "noindex"))
            .head("/images", &meta("robots", "noimageindex, nosnippet"))
            .page("/link", "<a rel=nofollow href=/>x</a>")
            .status("/gone", 404)
            .header("/gone", "x-robots-tag", "noindex")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("noindex"), ["/header", "/none", "/searcher", "/tag"]);
        assert_eq!(found.of("nofollow"), ["/header", "/none"]);
    }

    #[test]
    fn eighty_percent_of_at_least_ten_pages_count_as_the_site() {
        let sitewide = |noindex, others| pages(noindex, others).run_check(find).of("sitewide-noindex").len();
        assert_eq!((sitewide(9, 0), sitewide(10, 0)), (0, 1), "nine pages and ten");
        assert_eq!((sitewide(7, 3), sitewide(8, 2)), (0, 1));
        assert_eq!((sitewide(79, 21), sitewide(80, 20)), (0, 1));
        let site = pages(8, 2);
        assert_eq!(site.run_check(find).message("sitewide-noindex"), "8 of 10 pages say noindex.");
    }
}
