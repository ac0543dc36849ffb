//! Pages far from the start that search engines may list.

use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Node, Site, UrlNo};

pub(super) static CHECKER: Checker = Checker::limits(find, &[&DEEP]).recounting(find_with_recounted_clicks);

static DEEP: Check = Check {
    code: "deep",
    title: "Too many clicks from the start page",
    topic: Topic::Reachability,
    severity: Severity::Notice,
    reason: "The page is more clicks from the start page than the limit allows.",
    fix: "Link to it from nearer to the start page.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Clicks, ..Attributes::OF_LISTED },
};

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    say(site, limits, |_, node| node.depth, found);
}

/// Does the same with clicks counted again, because the links are not those of the record.
pub(super) fn find_with_recounted_clicks(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    let clicks = site.clicks();
    say(site, limits, |url, _| clicks.get(url as usize).copied().flatten(), found);
}

fn say(site: &Site, limits: &CheckThresholds, depth: impl Fn(UrlNo, &Node) -> Option<u32>, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_indexable()) {
        if let Some(depth) = depth(url, node).filter(|depth| *depth > limits.deep) {
            let message = format!("The page is {depth} clicks from the start; the limit is {}.", limits.deep);
            found.push(Finding::of(&DEEP, url).says(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn chain() -> Site {
        builder()
            .links("/", &["/1"])
            .many(1..9, |builder, n| builder.links(&format!("/{n}"), &[&format!("/{}", n + 1)]))
            .site()
    }

    #[test]
    fn a_page_beyond_the_limit_is_reported_and_one_at_it_is_not() {
        let (site, limits) = (chain(), CheckThresholds { deep: 5, ..CheckThresholds::default() });
        let found = site.run_check(|site, found| find(site, &limits, found));
        assert_eq!(found.of("deep"), ["/6", "/7", "/8"], "/9 is no page");
        assert_eq!(found.message("deep"), "The page is 6 clicks from the start; the limit is 5.");
    }

    #[test]
    fn a_page_that_search_engines_do_not_list_may_be_far() {
        let limits = CheckThresholds { deep: 1, ..CheckThresholds::default() };
        let site = builder().links("/", &["/1"]).links("/1", &["/hidden", "/far"]).noindex("/hidden", &[]);
        let site = site.links("/far", &[]).site();
        assert_eq!(site.run_check(|site, found| find(site, &limits, found)).of("deep"), ["/far"]);
    }

    #[test]
    fn clicks_are_counted_from_the_start_and_without_one_from_the_list() {
        let limits = CheckThresholds { deep: 2, ..CheckThresholds::default() };
        let deep = |builder: crate::site::builder::SiteBuilder| {
            let site = builder.links("/1", &["/2"]).links("/2", &["/3"]).links("/3", &["/4"]).links("/4", &[]).site();
            site.run_check(|site, found| find(site, &limits, found)).of("deep")
        };
        assert_eq!(deep(builder().links("/", &["/1"]).url_list(&["/1", "/3"])), ["/3", "/4"]);
        assert_eq!(deep(builder().list_alone(&["/1"])), ["/4"]);
    }

    #[test]
    fn the_shortest_path_counts_without_redirects_and_nofollow_links() {
        let limits = CheckThresholds { deep: 1, ..CheckThresholds::default() };
        let site = builder()
            .page("/", "<a href=/old>old</a><a rel=nofollow href=/far>far</a><a href=/closed>closed</a>")
            .page("/closed", "<meta name=robots content=nofollow><a href=/far>far</a>")
            .redirect("/old", "/new")
            .links("/new", &["/near"])
            .links("/near", &["/far", "/new"])
            .links("/far", &[])
            .links("/lost", &["/lost"])
            .site();
        let found = site.run_check(|site, found| find(site, &limits, found));
        assert_eq!(found.of("deep"), ["/far", "/near"], "no way leads to /lost");
    }
}
