//! Pages without links to other pages of the site.

use crate::check::{Attributes, Check, LinkEvidence, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_web::origin_of;

pub(super) static CHECKER: Checker = Checker::site(find, &[&DEAD_END]);

static DEAD_END: Check = Check {
    code: "dead-end",
    title: "No links to other pages",
    topic: Topic::Reachability,
    severity: Severity::Notice,
    reason: "The page links to no other page of the site.",
    fix: "Add a way on, such as the site's navigation.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, links: LinkEvidence::Aside, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // The part of a page beyond the bytes that were read may have links.
    for (url, node, content) in site.pages().filter(|(_, node, _)| !node.cut) {
        let leads_on = site.links.of(content).any(|link| {
            let target = link.target();
            !link.is_reference() && target != url && is_of_site(site, target, url)
        });
        if !leads_on && node.target.is_none() {
            found.push(Finding::of(&DEAD_END, url));
        }
    }
}

/// Returns true if a URL belongs to the site of a page, even beside the crawled directory.
fn is_of_site(site: &Site, url: UrlNo, page: UrlNo) -> bool {
    site.node(url).in_scope() || origin_of(site.text(url)) == origin_of(site.text(page))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use mapwright_model::Unfetched;

    #[test]
    fn a_page_that_links_to_no_other_page_of_the_site_is_reported() {
        let site = builder()
            .links("/", &["/none", "/self", "/away"])
            .links("/none", &[])
            .links("/self", &["/self", "#top"])
            .links("/away", &["http://other.example/"])
            .head("/references", "<link rel=canonical href=/><link rel=next href=/><img src=/i.png>")
            .page("/comment", "<!-- <a href=/>home</a> -->")
            .site();
        assert_eq!(site.run_check(find).of("dead-end"), ["/away", "/comment", "/none", "/references", "/self"]);
    }

    #[test]
    fn a_url_beside_the_crawled_directory_belongs_to_the_site() {
        let site = builder()
            .links("/", &["/blog/post", "/blog/end"])
            .links("/blog/post", &["/shop/"])
            .refused("/shop/", Unfetched::OutOfScope, "/blog/post")
            .links("/blog/end", &["http://other.example/"])
            .site();
        assert_eq!(site.run_check(find).of("dead-end"), ["/blog/end"]);
    }

    #[test]
    fn one_link_of_any_sort_is_enough() {
        let site = builder()
            .links("/", &["/a"])
            .page("/a", "<nav><a href=/>home</a></nav>")
            .page("/nofollow", "<a rel=nofollow href=/>home</a>")
            .page("/area", "<map><area href=/></map>")
            .page("/frame", "<iframe src=/></iframe>")
            .head("/slowly", "<meta http-equiv=refresh content='5; url=/'>")
            .head("/at-once", "<meta http-equiv=refresh content='0; url=/'>")
            .file("/file")
            .status("/gone", 404)
            .links("/cut", &[])
            .bytes("/cut", 9_999, true)
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
