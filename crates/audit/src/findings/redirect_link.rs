//! Links to URLs that redirect, those to an error page apart: nobody is to link to that.

use super::soft_404;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site, WayEnd};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let lost = soft_404::redirecting(site);
    let redirects = site.nodes().filter(|(_, node)| node.fate == Fate::Redirect);
    for (url, _) in redirects.filter(|(url, _)| !lost.contains(url)) {
        let way = site.way(url);
        let Some(last) = way.last().filter(|_| site.inlinks(url).clicked() > 0) else { continue };
        let finding = Finding::of(Code::RedirectLink, url);
        found.push(if way.end != WayEnd::There {
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
    use crate::site::made::made;

    #[test]
    fn a_link_to_a_redirect_is_told_with_its_final_target() {
        let site = made()
            .links("/", &["/1", "/new"])
            .redirect("/1", "/2")
            .redirect_with(302, "/2", "/new")
            .links("/new", &[])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::RedirectLink), ["/1"], "nobody links to /2");
        assert_eq!(told.message(Code::RedirectLink), "It redirects to http://example.com/new.");
        assert_eq!(told.target(Code::RedirectLink), "/new");
    }

    #[test]
    fn redirects_that_were_cut_have_no_final_target() {
        let made = made().links("/", &["/1"]).redirect("/1", "/2").redirect("/2", "/3");
        let site = made.refused("/3", mapwright_frontier::Unfetched::Redirects, "/2").site();
        let told = site.told(find);
        assert_eq!((told.of(Code::RedirectLink), told.target(Code::RedirectLink)), (vec!["/1".into()], String::new()));
        assert_eq!(told.message(Code::RedirectLink), "It redirects more often than is followed (--max-redirects).");
    }

    #[test]
    fn redirects_without_end_have_no_final_target() {
        let site = made().links("/", &["/in"]).redirect("/in", "/a").redirect("/a", "/b").redirect("/b", "/a").site();
        let told = site.told(find);
        assert_eq!((told.of(Code::RedirectLink), told.target(Code::RedirectLink)), (vec!["/in".into()], String::new()));
        assert_eq!(told.message(Code::RedirectLink), "It redirects without end.");
    }

    #[test]
    fn entries_and_canonicals_are_no_links() {
        let site = made().canonical("/", "/old").redirect("/old", "/").sitemap("/sitemap.xml", &["/old"]).site();
        assert!(site.told(find).is_nothing());
    }
}
