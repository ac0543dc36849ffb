//! Pages with links from only one page.

use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SINGLE_INLINK]);

static SINGLE_INLINK: Check = Check {
    code: "single-inlink",
    title: "Only one page links here",
    topic: Topic::Reachability,
    severity: Severity::Notice,
    reason: "Only one page links to the page.",
    fix: "Link to it from further pages, if it matters.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::MissingLinks, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_indexable()) {
        let inlinks = site.inlinks(url);
        if inlinks.followed == 1 && inlinks.clicked() == 1 && node.depth != Some(0) && !site.is_start(url) {
            found.push(Finding::of(&SINGLE_INLINK, url));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_page_linked_from_only_one_page_is_reported() {
        let site = builder()
            .links("/", &["/once", "/twice", "/both", "/mixed", "/hidden"])
            .links("/other", &["/both"])
            .links("/once", &["/once", "/"])
            .page("/twice", "<a href=/once2>1</a><a href=/once2#x>2</a><a rel=nofollow href=/mixed>3</a>")
            .links("/once2", &[])
            .links("/both", &[])
            .links("/mixed", &[])
            .noindex("/hidden", &["/"])
            .site();
        assert_eq!(site.run_check(find).of("single-inlink"), ["/once", "/once2", "/twice"]);
    }

    #[test]
    fn start_pages_orphans_and_files_are_not_reported() {
        let site = builder()
            .links("/", &["/a", "/file", "/gone", "/old"])
            .canonical("/a", "/a")
            .links("/b", &["/", "/a"])
            .file("/file")
            .redirect("/old", "/b")
            .links("/orphan", &[])
            .sitemap("/sitemap.xml", &["/orphan"])
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
