//! Start pages that search engines do not index, or whose links they do not follow.

use crate::check::{Attributes, Check, RequiredCoverage, Topic, Unrequested};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site, UrlNo};
use std::collections::BTreeSet;

pub(super) static CHECKER: Checker = Checker::site(find, &[&START_EXCLUDED]);

static START_EXCLUDED: Check = Check {
    code: "start-excluded",
    title: "Start page excluded",
    topic: Topic::Indexability,
    severity: Severity::Error,
    reason: "The start page says noindex or nofollow, or robots.txt disallows it: search engines leave it out, or follow none of its links.",
    fix: "Remove the directive or rule, which is often left over from a test or set by a theme.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { is_about_robots: true, unrequested: Unrequested::Blocked, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let ends: BTreeSet<UrlNo> = site.starts.iter().map(|start| site.end_of(*start)).collect();
    for url in ends {
        let node = site.node(url);
        let message = match (node.fetch_status, node.noindex, node.nofollow) {
            (NodeStatus::Blocked, ..) => "robots.txt disallows it: neither it nor its links are read.",
            (NodeStatus::Page, true, true) => {
                "It says noindex and nofollow: it is left out, and its links are not followed."
            }
            (NodeStatus::Page, true, false) => "It says noindex: it is left out.",
            (NodeStatus::Page, false, true) => "It says nofollow: its links are not followed.",
            _ => continue,
        };
        found.push(Finding::of(&START_EXCLUDED, url).says(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{SiteBuilder, builder};

    fn found(builder: SiteBuilder) -> String {
        let site = builder.site();
        let found = site.run_check(find);
        if found.is_nothing() { String::new() } else { found.message("start-excluded").to_owned() }
    }

    fn says(directives: &str) -> SiteBuilder {
        builder().head("/", &format!("<meta name=robots content='{directives}'>"))
    }

    #[test]
    fn a_start_page_that_search_engines_do_not_index_is_reported() {
        assert!(found(says("noindex")).starts_with("It says noindex:"));
        assert!(found(says("nofollow")).starts_with("It says nofollow:"));
        assert!(found(says("none")).starts_with("It says noindex and nofollow:"));
        let robots = "User-agent: *\nDisallow: /\n";
        assert!(found(builder().start("/").robots(robots)).starts_with("robots.txt disallows it"));
        let moved = builder().start("/old").redirect("/old", "/new").head("/new", "<meta name=robots content=noindex>");
        let site = moved.site();
        assert_eq!(site.run_check(find).of("start-excluded"), ["/new"]);
    }

    #[test]
    fn other_pages_may_say_so() {
        assert_eq!(found(says("noarchive")), "");
        assert_eq!(found(builder().links("/", &["/tag"]).head("/tag", "<meta name=robots content=noindex>")), "");
    }
}
