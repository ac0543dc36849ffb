//! Links to what robots.txt disallows.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.fate == Fate::Blocked) {
        if site.inlinks(url).clicked() == 0 && node.via != Some(mapwright_frontier::Via::Start) {
            continue;
        }
        let message = match site.rules.get(&url) {
            Some((line, rule)) => format!("robots.txt disallows it by line {line}: {rule}"),
            None => "robots.txt disallows it.".to_owned(),
        };
        found.push(Finding::of(Code::RobotsBlockedLinked, url).says(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    const ROBOTS: &str = "User-agent: *\nDisallow: /private/\nAllow: /private/open\n";

    #[test]
    fn a_disallowed_url_is_told_where_a_page_links_to_it() {
        let site = made().robots(ROBOTS).links("/", &["/private/x", "/private/open", "/private-not"]).site();
        let told = site.told(find);
        assert_eq!(told.of(Code::RobotsBlockedLinked), ["/private/x"]);
        assert_eq!(told.message(Code::RobotsBlockedLinked), "robots.txt disallows it by line 2: Disallow: /private/");
    }

    #[test]
    fn a_nofollow_link_is_a_link_and_an_entry_of_a_sitemap_is_none() {
        let nofollow = "<a rel=nofollow href=/private/x>x</a>";
        let site =
            made().robots(ROBOTS).page("/", nofollow).sitemap("/sitemap.xml", &["/private/x", "/private/y"]).site();
        assert_eq!(site.told(find).of(Code::RobotsBlockedLinked), ["/private/x"]);
    }

    #[test]
    fn what_only_a_canonical_or_a_redirect_names_is_not_linked() {
        let site = made()
            .robots(ROBOTS)
            .links("/", &["/variant", "/old"])
            .canonical("/variant", "/private/x")
            .redirect("/old", "/private/y")
            .site();
        assert!(site.told(find).is_nothing());
    }
}
