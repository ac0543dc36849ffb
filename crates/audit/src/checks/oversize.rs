//! Bodies that are too large.

use crate::check::{Attributes, Check, LinkEvidence, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::limits(find, &[&OVERSIZE]);

static OVERSIZE: Check = Check {
    code: "oversize",
    title: "Page too large",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "The body is larger than the limit.",
    fix: "Split the page, or move data out of it: search engines read only its beginning.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, links: LinkEvidence::Aside, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_page()) {
        // A truncated body has at least one byte more.
        if node.bytes.saturating_add(u64::from(node.body_cut)) > limits.oversize {
            let more = if node.body_cut { "more than " } else { "" };
            let message = format!("The page has {more}{} bytes; the limit is {}.", node.bytes, limits.oversize);
            found.push(Finding::of(&OVERSIZE, url).says(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn found(builder: crate::site::builder::SiteBuilder) -> Vec<String> {
        let limits = CheckThresholds { oversize: 1_000, ..CheckThresholds::default() };
        builder.site().run_check(|site, found| find(site, &limits, found)).of("oversize")
    }

    #[test]
    fn a_page_beyond_the_limit_is_reported_and_one_at_it_is_not() {
        let builder =
            builder().links("/at", &[]).bytes("/at", 1_000, false).links("/over", &[]).bytes("/over", 1_001, false);
        assert_eq!(found(builder), ["/over"]);
    }

    #[test]
    fn a_truncated_page_is_reported_if_its_known_size_exceeds_the_limit() {
        let builder =
            builder().links("/short", &[]).bytes("/short", 999, true).links("/cut", &[]).bytes("/cut", 1_000, true);
        assert_eq!(found(builder), ["/cut"]);
    }

    #[test]
    fn links_left_out_do_not_change_the_size() {
        assert_eq!(found(builder().links("/at", &[]).bytes("/at", 1_000, false).links_cut("/at")), [""; 0]);
    }

    #[test]
    fn files_and_errors_may_be_large() {
        let builder =
            builder().file("/film").bytes("/film", 9_999, false).status("/gone", 404).bytes("/gone", 9_999, false);
        assert_eq!(found(builder), [""; 0]);
    }
}
