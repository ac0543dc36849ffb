//! What a robots.txt that is not deployed yet would block, or free.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site};
use mapwright_web::{Identity, PageUrl, Robots};

pub(super) fn find(site: &Site, robots: &Robots, found: &mut Vec<Finding>) {
    let rules = robots.agent(&site.agent);
    for (url, node) in site.nodes().filter(|(_, node)| node.in_scope()) {
        let blocked = match node.fate {
            Fate::Blocked => true,
            Fate::RobotsUnavailable | Fate::Refused(_) | Fate::NotReached | Fate::Guarded => continue,
            _ => false,
        };
        let Ok(text) = PageUrl::parse(site.text(url), &Identity::new(false, &[])) else { continue };
        let ruling = rules.rule(text.path_and_query());
        if ruling.allowed != blocked {
            continue;
        }
        let code = if blocked { Code::WhatifFrees } else { Code::WhatifBlocks };
        let finding = Finding::of(code, url);
        found.push(match ruling.line {
            Some(line) => finding.says(format!("Line {} of the new file decides: {}", line.number, line.text)),
            None => finding,
        });
    }
}
