//! Start pages that search engines leave out, or whose links they do not follow.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site, UrlNo};
use std::collections::BTreeSet;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let ends: BTreeSet<UrlNo> = site.starts.iter().map(|start| site.end_of(*start)).collect();
    for url in ends {
        let node = site.node(url);
        let message = match (node.fate, node.noindex, node.nofollow) {
            (Fate::Blocked, ..) => "robots.txt disallows it: neither it nor its links are read.",
            (Fate::Page, true, true) => "It says noindex and nofollow: it is left out, and its links are not followed.",
            (Fate::Page, true, false) => "It says noindex: it is left out.",
            (Fate::Page, false, true) => "It says nofollow: its links are not followed.",
            _ => continue,
        };
        found.push(Finding::of(Code::StartExcluded, url).says(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::{Made, made};

    fn told(made: Made) -> String {
        let site = made.site();
        let told = site.told(find);
        if told.is_nothing() { String::new() } else { told.message(Code::StartExcluded).to_owned() }
    }

    fn says(directives: &str) -> Made {
        made().head("/", &format!("<meta name=robots content='{directives}'>"))
    }

    #[test]
    fn a_start_page_that_search_engines_leave_out_is_told() {
        assert!(told(says("noindex")).starts_with("It says noindex:"));
        assert!(told(says("nofollow")).starts_with("It says nofollow:"));
        assert!(told(says("none")).starts_with("It says noindex and nofollow:"));
        let robots = "User-agent: *\nDisallow: /\n";
        assert!(told(made().start("/").robots(robots)).starts_with("robots.txt disallows it"));
        let moved = made().start("/old").redirect("/old", "/new").head("/new", "<meta name=robots content=noindex>");
        let site = moved.site();
        assert_eq!(site.told(find).of(Code::StartExcluded), ["/new"]);
    }

    #[test]
    fn other_pages_may_say_so() {
        assert_eq!(told(says("noarchive")), "");
        assert_eq!(told(made().links("/", &["/tag"]).head("/tag", "<meta name=robots content=noindex>")), "");
    }
}
