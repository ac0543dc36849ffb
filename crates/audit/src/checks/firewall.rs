//! Sites whose firewall refuses the crawler: most responses are refusals.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::{NodeStatus, Site};

pub(super) static CHECKER: Checker = Checker::site(find, &[&FIREWALL]);

static FIREWALL: Check = Check {
    code: "firewall",
    title: "Crawler refused by a firewall",
    topic: Topic::Site,
    severity: Severity::Error,
    reason: "A firewall or bot protection refuses most requests of the crawler.",
    fix: "Allow this agent in the firewall, or give it the credentials it needs; until then most of this report is blind.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

/// The fewest responses for which a share is meaningful.
const ENOUGH: usize = 3;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut answers = 0;
    let mut refused = Vec::new();
    for (url, node) in site.nodes().filter(|(_, node)| node.status != 0) {
        answers += 1;
        // A login requires credentials (RFC 9110, section 15.5.2) from every client, so 401 is not a refusal of the
        // crawler.
        if node.fetch_status == NodeStatus::Throttled || matches!(node.status, 403 | 429) {
            refused.push(url);
        }
    }
    if answers >= ENOUGH && refused.len() * 2 > answers {
        let message = format!("{} of {answers} answers refuse the crawler (403, 429 or a challenge).", refused.len());
        found.push(Finding::site(&FIREWALL).says(message).shown_by(refused.into_iter().take(SAMPLE)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn answers(refused: usize, status: u16, fine: usize) -> Site {
        builder()
            .start("/0")
            .many(0..refused, |builder, n| builder.status(&format!("/{n}"), status))
            .many(refused..refused + fine, |builder, n| builder.links(&format!("/{n}"), &[]))
            .site()
    }

    #[test]
    fn a_site_that_refuses_most_requests_is_reported() {
        let site = answers(12, 403, 2);
        let found = site.run_check(find);
        assert_eq!(found.of("firewall"), ["the site"]);
        assert_eq!(found.message("firewall"), "12 of 14 answers refuse the crawler (403, 429 or a challenge).");
        assert_eq!(found.examples("firewall").split(' ').count(), SAMPLE);
    }

    #[test]
    fn half_of_the_responses_are_not_most_and_two_are_too_few() {
        assert!(answers(3, 403, 3).run_check(find).is_nothing());
        assert!(!answers(4, 403, 3).run_check(find).is_nothing());
        assert!(answers(2, 403, 0).run_check(find).is_nothing());
        assert!(!answers(3, 403, 0).run_check(find).is_nothing());
    }

    #[test]
    fn throttling_is_a_refusal_and_errors_are_not() {
        let busy = builder().throttled("/", 503).throttled("/a", 429).throttled("/b", 429).site();
        assert!(!busy.run_check(find).is_nothing());
        assert!(answers(9, 404, 0).run_check(find).is_nothing() && answers(9, 500, 0).run_check(find).is_nothing());
    }

    #[test]
    fn a_login_is_no_firewall() {
        assert!(answers(9, 401, 0).run_check(find).is_nothing());
    }
}
