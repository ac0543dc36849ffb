//! The URLs that a robots.txt which is not deployed yet would block or unblock.

use crate::check::{Attributes, Check, RequiredCoverage, Topic, Unrequested};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site};
use mapwright_web::{PageUrl, Robots};

pub(super) static CHECKER: Checker = Checker::robots(find, &[&WHATIF_BLOCKS, &WHATIF_FREES]);

static WHATIF_BLOCKS: Check = Check {
    code: "whatif-blocks",
    title: "Would be blocked by the new robots.txt",
    topic: Topic::WhatIf,
    severity: Severity::Notice,
    reason: "The robots.txt to come would disallow a URL that is allowed now.",
    fix: "See that it is meant before the file is deployed.",
    needs: RequiredCoverage::WhatIf,
    attributes: Attributes { unrequested: Unrequested::Blocked, ..Attributes::NONE },
};

static WHATIF_FREES: Check = Check {
    code: "whatif-frees",
    title: "Would be allowed by the new robots.txt",
    topic: Topic::WhatIf,
    severity: Severity::Notice,
    reason: "The robots.txt to come would allow a URL that is disallowed now.",
    fix: "See that it is meant before the file is deployed.",
    needs: RequiredCoverage::WhatIf,
    attributes: Attributes { unrequested: Unrequested::Blocked, ..Attributes::NONE },
};

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
        let check = if blocked { &WHATIF_FREES } else { &WHATIF_BLOCKS };
        let finding = Finding::of(check, url);
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
        assert_eq!(found.of("whatif-blocks"), ["/later/c", "/later/gone"]);
        assert_eq!(found.of("whatif-frees"), ["/shut/b"]);
        assert_eq!(found.message("whatif-blocks"), "Line 3 of the new file decides: Disallow: /later/");
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
        assert_eq!(found.of("whatif-blocks"), ["/a?print=1"]);
    }
}
