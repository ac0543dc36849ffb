//! Links to URLs that redirect, except to an error page: links to that should be removed, not updated.

use super::soft_404;
use crate::check::{Attributes, Check, Identity, RequiredCoverage, RestsOn, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{ChainEnd, NodeStatus, Site};

pub(super) static CHECKER: Checker = Checker::site(find, &[&REDIRECT_LINK]);

static REDIRECT_LINK: Check = Check {
    code: "redirect-link",
    title: "Link to a redirect",
    topic: Topic::Redirects,
    severity: Severity::Notice,
    reason: "Pages link to a URL that redirects.",
    fix: "Link to the final target.",
    needs: RequiredCoverage::Page,
    attributes: Attributes {
        may_be_soft_404: true,
        rests_on: RestsOn::Links,
        identity: Identity::Subject,
        ..Attributes::NONE
    },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let lost = soft_404::redirecting(site);
    let redirects = site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Redirect);
    for (url, _) in redirects.filter(|(url, _)| !lost.contains(url)) {
        let chain = site.chain(url);
        let Some(last) = chain.last().filter(|_| site.inlinks(url).clicked() > 0) else { continue };
        let finding = Finding::of(&REDIRECT_LINK, url);
        found.push(if chain.end != ChainEnd::There {
            finding.says("It redirects without end.")
        } else if site.is_cut_at(last) {
            finding.says("It redirects more often than is followed (--max-redirects).")
        } else {
            finding.to(last).says(format!("It redirects to {}.", site.text(last)))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_link_to_a_redirect_is_reported_with_its_final_target() {
        let site = builder()
            .links("/", &["/1", "/new"])
            .redirect("/1", "/2")
            .redirect_with(302, "/2", "/new")
            .links("/new", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("redirect-link"), ["/1"], "nobody links to /2");
        assert_eq!(found.message("redirect-link"), "It redirects to http://example.com/new.");
        assert_eq!(found.target("redirect-link"), "/new");
    }

    #[test]
    fn redirects_cut_at_the_limit_have_no_final_target() {
        let builder = builder().links("/", &["/1"]).redirect("/1", "/2").redirect("/2", "/3");
        let site = builder.refused("/3", mapwright_model::Unfetched::Redirects, "/2").site();
        let found = site.run_check(find);
        assert_eq!((found.of("redirect-link"), found.target("redirect-link")), (vec!["/1".into()], String::new()));
        assert_eq!(found.message("redirect-link"), "It redirects more often than is followed (--max-redirects).");
    }

    #[test]
    fn redirects_without_end_have_no_final_target() {
        let site =
            builder().links("/", &["/in"]).redirect("/in", "/a").redirect("/a", "/b").redirect("/b", "/a").site();
        let found = site.run_check(find);
        assert_eq!((found.of("redirect-link"), found.target("redirect-link")), (vec!["/in".into()], String::new()));
        assert_eq!(found.message("redirect-link"), "It redirects without end.");
    }

    #[test]
    fn entries_and_canonicals_are_not_links() {
        let site = builder().canonical("/", "/old").redirect("/old", "/").sitemap("/sitemap.xml", &["/old"]).site();
        assert!(site.run_check(find).is_nothing());
    }
}
