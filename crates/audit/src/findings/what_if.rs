//! The URLs that a robots.txt which is not deployed yet would block or unblock.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{NodeStatus, Site};
use mapwright_web::{PageUrl, Robots};

pub(super) fn find(site: &Site, robots: &Robots, found: &mut Vec<Finding>) {
    let rules = robots.agent(&site.agent);
    for (url, node) in site.nodes().filter(|(_, node)| node.in_scope()) {
        let blocked = match node.fetch_status {
            NodeStatus::Blocked => true,
            NodeStatus::RobotsUnavailable | NodeStatus::Refused(_) | NodeStatus::NotReached | NodeStatus::Guarded => {
                continue;
            }
            _ => false,
        };
        let Some(text) = PageUrl::recorded(site.text(url)) else { continue };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    const LIVE: &str = "User-agent: *\nDisallow: /closed/\nDisallow: /shut/\n";
    const NEXT: &str = "User-agent: *\nDisallow: /closed/\nDisallow: /later/\nAllow: /later/open\n";

    #[test]
    fn blocked_and_unblocked_urls_are_reported_with_the_deciding_line() {
        let links = ["/closed/a", "/shut/b", "/later/c", "/later/open", "/later/gone", "/stays"];
        let site = builder().robots(LIVE).links("/", &links).links("/later/c", &[]).links("/later/open", &[]).site();
        let found = site.run_check(|site, found| find(site, &Robots::compile(NEXT.as_bytes()), found));
        assert_eq!(found.of(Code::WhatifBlocks), ["/later/c", "/later/gone"]);
        assert_eq!(found.of(Code::WhatifFrees), ["/shut/b"]);
        assert_eq!(found.message(Code::WhatifBlocks), "Line 3 of the new file decides: Disallow: /later/");
    }

    #[test]
    fn the_deployed_file_changes_nothing() {
        let site = builder().robots(LIVE).links("/", &["/closed/a", "/shut/b", "/open"]).site();
        assert!(site.run_check(|site, found| find(site, &Robots::compile(LIVE.as_bytes()), found)).is_nothing());
    }

    #[test]
    fn rules_for_this_crawler_and_queries_count_and_other_sites_do_not() {
        let next = "User-agent: mapwright\nDisallow: /*?print\n\nUser-agent: *\nDisallow: /\n";
        let site = builder().links("/", &["/a?print=1", "/a", "http://other.example/a?print=1"]).site();
        let found = site.run_check(|site, found| find(site, &Robots::compile(next.as_bytes()), found));
        assert_eq!(found.of(Code::WhatifBlocks), ["/a?print=1"]);
    }
}
