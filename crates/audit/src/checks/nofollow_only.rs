//! URLs that only nofollow links lead to.

use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic, Unrequested};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&NOFOLLOW_ONLY]);

static NOFOLLOW_ONLY: Check = Check {
    code: "nofollow-only",
    title: "Only nofollow links",
    topic: Topic::Reachability,
    severity: Severity::Notice,
    reason: "All links to the URL say nofollow, so that search engines do not follow them.",
    fix: "Remove nofollow from a link to it, if it is to be found.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::MissingLinks, unrequested: Unrequested::Nofollow, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.in_scope()) {
        let inlinks = site.inlinks(url);
        if inlinks.followed == 0 && inlinks.nofollowed > 0 && !node.fails() && !site.is_start(url) {
            found.push(Finding::of(&NOFOLLOW_ONLY, url));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_url_with_only_nofollow_links_is_reported() {
        let site = builder()
            .page("/", "<a rel=nofollow href=/nf>x</a><a rel=nofollow href=/mixed>x</a><a href=/hidden>v</a><a href=/mixer>m</a>")
            .links("/mixer", &["/mixed"])
            .links("/mixed", &[])
            .links("/hidden", &["/beyond"])
            .header("/hidden", "x-robots-tag", "nofollow")
            .site();
        assert_eq!(site.run_check(find).of("nofollow-only"), ["/beyond", "/nf"]);
    }

    #[test]
    fn unlinked_failing_and_external_urls_are_not_reported() {
        let away = "<a rel=nofollow href=http://other.example/>x</a><a rel='nofollow ugc' href=/>me</a>";
        let site = builder()
            .page("/", &[away, "<a rel=nofollow href=/gone>x</a>"].concat())
            .links("/orphan", &[])
            .sitemap("/sitemap.xml", &["/orphan", "/gone"])
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
