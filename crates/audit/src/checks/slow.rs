//! Slow responses, by the limit and relative to the other pages of the site.

use crate::check::{Attributes, Check, Confidence, LinkEvidence, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::limits(find, &[&SLOW]);

static SLOW: Check = Check {
    code: "slow",
    title: "Slow response",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "The URL answers slowly, by the limit and against the site's other pages.",
    fix: "Find out what takes the time; caching often helps.",
    needs: RequiredCoverage::Time,
    attributes: Attributes { links: LinkEvidence::Aside, confidence: Confidence::Estimated, ..Attributes::NONE },
};

/// The multiple of the median absolute deviation beyond which a response time is an outlier.
const STANDS_OUT: u32 = 3;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    let answered =
        || site.nodes().filter(|(_, node)| node.status != 0).filter_map(|(url, node)| Some((url, node.millis?)));
    let median = median(answered().map(|(_, millis)| millis).collect());
    let usual = self::median(answered().map(|(_, millis)| millis.abs_diff(median)).collect());
    let limit = u32::try_from(limits.slow.as_millis()).unwrap_or(u32::MAX);
    for (url, millis) in answered().filter(|(_, millis)| *millis > limit) {
        // If the entire site is slow, each slow page is reported.
        if median > limit || millis > median.saturating_add(STANDS_OUT * usual) {
            let message = format!(
                "It took {:.1} s; the limit is {:.1} s, and half of the site's answers take at most {:.2} s.",
                f64::from(millis) / 1e3,
                f64::from(limit) / 1e3,
                f64::from(median) / 1e3
            );
            found.push(Finding::of(&SLOW, url).says(message));
        }
    }
}

fn median(mut values: Vec<u32>) -> u32 {
    let middle = values.len() / 2;
    if values.is_empty() { 0 } else { *values.select_nth_unstable(middle).1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    /// Returns the findings for a site of `pages` pages that take `usual` milliseconds, and one, `/odd`, that takes
    /// `odd`.
    fn found(pages: usize, usual: u32, odd: u32) -> Vec<String> {
        let builder = builder().start("/0").many(0..pages, |builder, n| {
            let path = format!("/{n}");
            builder.links(&path, &[]).takes(&path, usual)
        });
        let site = builder.links("/odd", &[]).takes("/odd", odd).site();
        site.run_check(|site, found| {
            find(
                site,
                &CheckThresholds { slow: std::time::Duration::from_secs(3), ..CheckThresholds::default() },
                found,
            )
        })
        .of("slow")
    }

    #[test]
    fn a_response_beyond_the_limit_and_the_sites_spread_is_slow() {
        assert_eq!(found(20, 100, 5_000), ["/odd"]);
        assert_eq!(found(20, 100, 3_001), ["/odd"]);
        assert_eq!(found(20, 100, 3_000), [""; 0], "the limit is met exactly");
        assert_eq!(found(20, 100, 900), [""; 0], "it stands out, and yet is not slow");
    }

    #[test]
    fn on_a_slow_site_each_slow_page_is_reported() {
        assert_eq!(found(3, 4_000, 4_000), ["/0", "/1", "/2", "/odd"]);
    }

    #[test]
    fn a_response_within_the_sites_spread_is_not_slow() {
        let site = (0..20).fold(builder().start("/0"), |builder, n| {
            let path = format!("/{n:02}");
            builder.links(&path, &[]).takes(&path, 1_000 + 150 * n)
        });
        assert_eq!(
            site.site().run_check(|site, found| find(site, &CheckThresholds::default(), found)).of("slow"),
            [""; 0]
        );
    }

    #[test]
    fn a_page_without_answer_is_not_slow() {
        let site = builder().silent("/dead", mapwright_model::FailureKind::TimedOut).takes("/dead", 30_000).site();
        assert_eq!(site.run_check(|site, found| find(site, &CheckThresholds::default(), found)).of("slow"), [""; 0]);
    }

    #[test]
    fn the_message_gives_time_limit_and_spread() {
        let site = builder().links("/", &[]).takes("/", 4_200).site();
        let message = site.run_check(|site, found| find(site, &CheckThresholds::default(), found)).message("slow");
        assert_eq!(message, "It took 4.2 s; the limit is 3.0 s, and half of the site's answers take at most 4.20 s.");
    }
}
