//! Pages with links from only one page. Of a series, each page links the next, and islands have findings of their own.

use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo, are_neighbours};

pub(super) static CHECKER: Checker = Checker::site(find, &[&SINGLE_INLINK]);

static SINGLE_INLINK: Check = Check {
    code: "single-inlink",
    title: "Only one page links here",
    topic: Topic::Reachability,
    severity: Severity::Notice,
    reason: "Only one page links to the page.",
    fix: "Link to it from further pages, if it matters.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::MissingLinks, ..Attributes::OF_LISTED },
};

/// The fewest pages that a list of them links.
const FEWEST_ITEMS: usize = 3;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_indexable()) {
        let inlinks = site.inlinks(url);
        let is_single = inlinks.followed == 1 && inlinks.clicked() == 1;
        // A page that no click from the start leads to, or only one on a noindex page, is reported as isolated.
        let is_found = node.depth.is_some_and(|clicks| clicks > 0) && inlinks.from_indexable > 0;
        if is_single && is_found && !site.is_start(url) && !is_of_series(site, url) {
            found.push(Finding::of(&SINGLE_INLINK, url));
        }
    }
}

/// Returns true for a further page of a series, and for a page of a list that only the page before or after it links.
fn is_of_series(site: &Site, url: UrlNo) -> bool {
    let is_next = || are_neighbours(site.text(url), site.text(site.inlinks(url).first));
    let items = || site.content_pages(url).into_iter().filter(|item| !site.is_frame(*item)).count();
    site.is_further_page(url) || is_next() && items() >= FEWEST_ITEMS
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
    fn pages_of_a_list_that_link_each_other_are_not_reported_and_a_chain_of_articles_is() {
        let article = |text: &str| format!("<title>{text}</title><main>{}</main>", "All of the article. ".repeat(50));
        let site = builder()
            .links("/", &["/index-2.html", "/news/2"])
            .links("/index-2.html", &["/a", "/index-1.html"])
            .links("/index-1.html", &["/b", "/c", "/d"])
            .links("/news/2", &["/news/1", "/list?page=2", "/list"])
            .page("/news/1", &article("one"))
            .links("/list", &["/a", "/b", "/c", "/d"])
            .links("/list?page=2", &["/a"])
            .links("/a", &["/list", "/news/2", "/index-2.html"])
            .many(0..3, |builder, n| builder.links(["/b", "/c", "/d"][n], &[]))
            .site();
        assert_eq!(site.run_check(find).of("single-inlink"), ["/news/1"]);
    }

    #[test]
    fn pages_of_an_island_are_not_reported_twice() {
        let site = builder()
            .links("/", &["/once"])
            .links("/once", &["/"])
            .links("/island", &["/other-island"])
            .links("/other-island", &["/island"])
            .site();
        let found = site.run_check(|site, found| {
            find(site, found);
            crate::checks::isolated::find(site, found);
        });
        assert_eq!((found.of("single-inlink"), found.of("isolated-isolated").len()), (vec!["/once".to_owned()], 2));
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
