//! Links to URLs that robots.txt disallows.

use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic, Unrequested};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site};

pub(super) static CHECKER: Checker = Checker::site(find, &[&ROBOTS_BLOCKED_LINKED]);

static ROBOTS_BLOCKED_LINKED: Check = Check {
    code: "robots-blocked-linked",
    title: "Link to a URL blocked by robots.txt",
    topic: Topic::Reachability,
    severity: Severity::Warning,
    reason: "Pages link to a URL that robots.txt disallows.",
    fix: "Allow it in robots.txt if it is to be found, or remove the links.",
    needs: RequiredCoverage::Disallowed,
    attributes: Attributes {
        is_about_robots: true,
        rests_on: RestsOn::Links,
        unrequested: Unrequested::Blocked,
        ..Attributes::NONE
    },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Blocked) {
        if site.inlinks(url).clicked() == 0 && node.via != Some(mapwright_model::Via::Start) {
            continue;
        }
        let message = match site.rules.get(&url) {
            Some((line, rule)) => format!("robots.txt disallows it by line {line}: {rule}"),
            None => "robots.txt disallows it.".to_owned(),
        };
        found.push(Finding::of(&ROBOTS_BLOCKED_LINKED, url).says(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    const ROBOTS: &str = "User-agent: *\nDisallow: /private/\nAllow: /private/open\n";

    #[test]
    fn a_disallowed_url_is_reported_if_a_page_links_to_it() {
        let site = builder().robots(ROBOTS).links("/", &["/private/x", "/private/open", "/private-not"]).site();
        let found = site.run_check(find);
        assert_eq!(found.of("robots-blocked-linked"), ["/private/x"]);
        assert_eq!(found.message("robots-blocked-linked"), "robots.txt disallows it by line 2: Disallow: /private/");
    }

    #[test]
    fn a_nofollow_link_is_a_link_and_a_sitemap_entry_is_not() {
        let nofollow = "<a rel=nofollow href=/private/x>x</a>";
        let site =
            builder().robots(ROBOTS).page("/", nofollow).sitemap("/sitemap.xml", &["/private/x", "/private/y"]).site();
        assert_eq!(site.run_check(find).of("robots-blocked-linked"), ["/private/x"]);
    }

    #[test]
    fn a_canonical_or_a_redirect_is_not_a_link() {
        let site = builder()
            .robots(ROBOTS)
            .links("/", &["/variant", "/old"])
            .canonical("/variant", "/private/x")
            .redirect("/old", "/private/y")
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
