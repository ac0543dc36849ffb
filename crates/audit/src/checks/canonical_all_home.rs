//! Sites where nearly all pages are canonicalised to the home page.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use std::collections::HashSet;

pub(super) static CHECKER: Checker = Checker::site(find, &[&CANONICAL_ALL_HOME]);

static CANONICAL_ALL_HOME: Check = Check {
    code: "canonical-all-home",
    title: "Home page is the canonical of all pages",
    topic: Topic::Site,
    severity: Severity::Error,
    reason: "Nearly all pages name the home page as their canonical, so that only it is indexed.",
    fix: "Let each page name itself as its canonical.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

/// The fewest pages for which a share is meaningful.
const ENOUGH: usize = 10;
/// The percentage of pages that counts as nearly all.
const NEARLY_ALL: usize = 80;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let homes: HashSet<UrlNo> = site.nodes().map(|(url, _)| url).filter(|url| is_home(site, *url)).collect();
    // A home page with a query is the home page, and is rightly canonicalised to it.
    let bases: HashSet<&str> = homes.iter().map(|url| before_query(site.text(*url))).collect();
    let others = || site.pages().filter(|(url, ..)| !bases.contains(before_query(site.text(*url))));
    let (count, mut to_home) = (others().count(), Vec::new());
    to_home.extend(
        others().filter(|(_, node, _)| node.canonical.is_some_and(|c| homes.contains(&c))).map(|(url, ..)| url),
    );
    if count >= ENOUGH && to_home.len() * 100 >= count * NEARLY_ALL {
        let message = format!("{} of {count} pages name the home page as their canonical.", to_home.len());
        found.push(Finding::site(&CANONICAL_ALL_HOME).says(message).shown_by(to_home.into_iter().take(SAMPLE)));
    }
}

fn before_query(url: &str) -> &str {
    url.split_once('?').map_or(url, |(base, _)| base)
}

/// Returns true for the page at the root of a host, and for a start page.
pub(super) fn is_home(site: &Site, url: UrlNo) -> bool {
    let text = site.text(url);
    let root = text.splitn(4, '/').nth(3) == Some("");
    root || site.is_start(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn pages(all: usize, to_home: usize) -> Site {
        let canonical = |n| if n < to_home { "/".to_owned() } else { format!("/{n}") };
        builder().many(0..all, |builder, n| builder.canonical(&format!("/{n}"), &canonical(n))).site()
    }

    #[test]
    fn a_site_canonicalised_to_the_home_page_is_reported_with_examples() {
        let site = pages(12, 11);
        let found = site.run_check(find);
        assert_eq!(found.of("canonical-all-home"), ["the site"]);
        assert_eq!(found.message("canonical-all-home"), "11 of 12 pages name the home page as their canonical.");
        assert_eq!(found.examples("canonical-all-home").split(' ').count(), SAMPLE);
    }

    #[test]
    fn nearly_all_is_eighty_percent_of_at_least_ten_pages_without_the_home_page() {
        assert!(!pages(10, 8).run_check(find).is_nothing());
        assert!(pages(9, 9).run_check(find).is_nothing(), "nine pages say little");
        assert!(pages(100, 79).run_check(find).is_nothing());
        assert!(!pages(100, 80).run_check(find).is_nothing());
    }

    #[test]
    fn the_home_page_with_a_query_is_the_home_page() {
        let variants = |others: usize| {
            let builder = builder().many(0..14, |builder, n| builder.canonical(&format!("/?from=x{n}"), "/"));
            builder.many(0..others, |builder, n| builder.canonical(&format!("/{n}"), "/")).site()
        };
        assert!(variants(1).run_check(find).is_nothing());
        let site = variants(10);
        let message = site.run_check(find).message("canonical-all-home");
        assert_eq!(message, "10 of 10 pages name the home page as their canonical.");
    }

    #[test]
    fn the_start_page_is_a_home_page_too_and_other_pages_are_not() {
        let named = |home: &str| {
            builder()
                .start("/en/")
                .links("/en/", &[])
                .many(0..12, |builder, n| builder.canonical(&format!("/{n}"), home))
                .site()
        };
        assert!(!named("/en/").run_check(find).is_nothing());
        assert!(named("/0").run_check(find).is_nothing());
    }
}
