//! Temporary redirects to a page of the site that answers well, in any number of steps, which should be permanent if
//! they are. Redirects to other sites, to logins and by language are rightly temporary, and those without a final page
//! must not be permanent.

use super::{language_choice, soft_404};
use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{ChainEnd, NodeStatus, Site, UrlNo};
use mapwright_web::PageUrl;
use std::collections::HashSet;

pub(super) static CHECKER: Checker = Checker::site(find, &[&REDIRECT_TEMPORARY]);

static REDIRECT_TEMPORARY: Check = Check {
    code: "redirect-temporary",
    title: "Temporary redirect",
    topic: Topic::Redirects,
    severity: Severity::Notice,
    reason: "The redirect is temporary (302 or 307).",
    fix: "Use 301 or 308 if it is permanent.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes { may_be_soft_404: true, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let lost = soft_404::redirecting(site);
    let redirects = || site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Redirect);
    // A redirect that another one leads to is a step of a chain, which is a finding of its own.
    let steps: HashSet<UrlNo> = redirects().filter_map(|(_, node)| node.target).collect();
    for (url, node) in redirects().filter(|(url, _)| !lost.contains(url) && !steps.contains(url)) {
        let Some(target) = node.target.filter(|_| matches!(node.status, 302 | 307)) else { continue };
        let (from, to) = (site.text(url), site.text(target));
        let chooses = language_choice::is_choice(site, url) || language_choice::differs_by_folder(from, to);
        if chooses || leads_back(from, to) {
            continue;
        }
        let chain = site.chain(url);
        let end = chain.last().filter(|_| chain.end == ChainEnd::There).map(|last| site.node(last).fetch_status);
        if matches!(end, Some(NodeStatus::Page | NodeStatus::File)) {
            let message = format!("It redirects to {to} with {}.", node.status);
            found.push(Finding::of(&REDIRECT_TEMPORARY, url).to(target).says(message));
        }
    }
}

/// Returns true if a parameter of the target holds the redirecting URL: a login or another page that later leads back
/// to it.
fn leads_back(url: &str, target: &str) -> bool {
    let (Some(url), Some(target)) = (PageUrl::recorded(url), PageUrl::recorded(target)) else { return false };
    let path = url.path_and_query();
    let comes_from = |value: &str| value == url.as_str() || value == path || value == url.path();
    url.path().len() > 1 && target.as_url().query_pairs().any(|(_, value)| comes_from(&value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn temporary_redirects_to_pages_of_the_site_are_reported() {
        let builder = builder().links("/new", &[]).file("/file").redirect_with(302, "/to-file", "/file");
        let builder = [301, 302, 303, 307, 308]
            .iter()
            .fold(builder, |builder, status| builder.redirect_with(*status, &format!("/{status}"), "/new"));
        let site = builder.site();
        let found = site.run_check(find);
        assert_eq!(found.of("redirect-temporary"), ["/302", "/307", "/to-file"]);
        assert_eq!(found.message("redirect-temporary"), "It redirects to http://example.com/new with 302.");
    }

    #[test]
    fn a_step_of_a_chain_is_no_finding_of_its_own() {
        let site =
            builder().redirect_with(302, "/a", "/b").redirect_with(302, "/b", "/page").links("/page", &[]).site();
        assert_eq!(site.run_check(find).of("redirect-temporary"), ["/a"]);
    }

    #[test]
    fn redirects_to_other_sites_logins_and_errors_are_rightly_temporary() {
        let site = builder()
            .redirect_with(302, "/away", "http://other.example/")
            .redirect_with(302, "/members", "/login")
            .status("/login", 401)
            .redirect_with(302, "/account?tab=1", "/enter?next=%2Faccount%3Ftab%3D1")
            .redirect_with(302, "/cart", "/enter?back=http%3A%2F%2Fexample.com%2Fcart&x=1")
            .links("/enter?next=%2Faccount%3Ftab%3D1", &[])
            .links("/enter?back=http%3A%2F%2Fexample.com%2Fcart&x=1", &[])
            .redirect_with(302, "/lost", "/gone")
            .redirect_with(302, "/old", "/lost")
            .site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn a_redirect_into_the_folder_of_a_language_is_rightly_temporary() {
        let site = builder()
            .start("/")
            .redirect_with(302, "/", "/en-gb/")
            .links("/en-gb/", &["/en-gb/wares/"])
            .redirect_with(302, "/en-gb/wares/", "/en-gb/catalogue/")
            .redirect_with(302, "/shop", "/de/shop")
            .links("/en-gb/catalogue/", &[])
            .links("/de/shop", &[])
            .site();
        assert_eq!(site.run_check(find).of("redirect-temporary"), ["/en-gb/wares/"]);
    }

    #[test]
    fn the_final_target_decides_and_a_loop_has_none() {
        let site = builder()
            .redirect_with(302, "/self", "/self")
            .redirect_with(302, "/a", "/b")
            .redirect_with(307, "/b", "/a")
            .redirect_with(302, "/in", "/a")
            .redirect_with(302, "/1", "/2")
            .redirect_with(301, "/2", "/end")
            .links("/end", &[])
            .site();
        assert_eq!(site.run_check(find).of("redirect-temporary"), ["/1"]);
    }
}
