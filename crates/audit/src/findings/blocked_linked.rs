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
