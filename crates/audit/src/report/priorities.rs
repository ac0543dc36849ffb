//! The order in which to fix things: by severity first, then by the share of the site that is affected and the confidence
//! of the check.

use super::Report;
use super::samples::Samples;
use crate::check::{Confidence, Topic};
use crate::figures::Tally;
use crate::rendered_finding::Subject;
use crate::severity::Severity;
use mapwright_text::grouped;
use std::cmp::Reverse;

/// The number of things to do first.
pub(crate) const MAX_FIRST: usize = 5;

/// Returns the checks with findings outside the baseline, the most pressing first.
pub(crate) fn ranked<'r>(report: &Report<'r>) -> Vec<&'r Tally> {
    let mut open: Vec<&Tally> = report.tallies.iter().filter(|tally| count(tally) > 0).collect();
    let weight = |tally: &Tally| weight(tally, report.figures.funnel.indexable);
    open.sort_by_key(|tally| (tally.severity, Reverse(weight(tally)), tally.check.topic));
    open
}

/// Returns the sentence that a report opens with; `quoted` writes a URL as the report does.
pub(crate) fn opening(report: &Report<'_>, samples: &Samples, quoted: &dyn Fn(&str) -> String) -> String {
    let ranked = ranked(report);
    let title = |tally: &Tally| match example(tally, samples) {
        Some(example) => format!("{}, {}", tally.check.title, example.written(quoted)),
        None => tally.check.title.to_owned(),
    };
    let serious: Vec<&Tally> = ranked.iter().filter(|tally| tally.severity == Severity::Error).copied().collect();
    match (serious.as_slice(), ranked.first()) {
        ([], None) => "Nothing was found.".to_owned(),
        ([], Some(first)) => format!("Your site has no serious problem. Look first at: {}.", title(first)),
        ([only], _) => format!("Your site has one serious problem: {}.", title(only)),
        ([first, ..], _) => {
            let count = grouped(serious.len() as u64);
            format!("Your site has {count} serious problems. The first: {}.", title(first))
        }
    }
}

/// A URL that a kind of finding is about.
pub(crate) struct Example<'s> {
    url: &'s str,
    /// There is no other.
    is_only: bool,
}

impl Example<'_> {
    /// Returns it in words, with the URL as `quoted` writes it.
    pub(crate) fn written(&self, quoted: &dyn Fn(&str) -> String) -> String {
        format!("{}{}", if self.is_only { "" } else { "such as " }, quoted(self.url))
    }
}

/// Returns the subject of the first finding of a kind, unless that is the site.
pub(crate) fn example<'s>(tally: &Tally, samples: &'s Samples) -> Option<Example<'s>> {
    let first = samples.open(tally.check).first()?;
    let is_site = matches!(first.subject, Subject::Site(_));
    (!is_site).then(|| Example { url: first.subject.name(), is_only: count(tally) == 1 })
}

/// Returns the number of findings outside the baseline.
pub(crate) fn count(tally: &Tally) -> u64 {
    tally.count.saturating_sub(tally.accepted)
}

/// Returns the weight of a check among those of its severity: 0.1 to 1, by the share of the indexable pages that it
/// affects, in thousandths × confidence (2 where the check is certain, 1 where it estimates). An error or warning about
/// the site affects all of it.
fn weight(tally: &Tally, indexable: u64) -> u64 {
    let share = match tally.check.topic {
        Topic::Site if tally.severity < Severity::Notice => 1_000,
        _ => (tally.affected.saturating_mul(1_000) / indexable.max(1)).min(1_000),
    };
    let confidence = match tally.check.attributes.confidence {
        Confidence::Certain => 2,
        Confidence::Estimated => 1,
    };
    (100 + share * 9 / 10) * confidence
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;
    use crate::report::sample::Sample;

    fn sample(tallies: &[(&str, Severity, u64, u64)]) -> Sample {
        let tally = |(code, severity, count, accepted): &(&str, Severity, u64, u64)| Tally {
            check: check(code),
            severity: *severity,
            count: *count,
            accepted: *accepted,
            affected: count - accepted,
            new_or_regressed: 0,
            regressed: 0,
            fixed: 0,
        };
        let mut sample = Sample::of(Vec::new());
        sample.figures.funnel.indexable = 100;
        sample.tallies = tallies.iter().map(tally).collect();
        sample
    }

    fn codes(sample: &Sample) -> Vec<&'static str> {
        ranked(&sample.report()).iter().map(|tally| tally.check.code).collect()
    }

    #[test]
    fn severity_comes_first_then_share_and_confidence() {
        let sample = sample(&[
            ("desc-missing", Severity::Notice, 100, 0),
            ("title-missing", Severity::Warning, 5, 0),
            ("viewport-missing", Severity::Warning, 100, 0),
            ("dup-near", Severity::Warning, 100, 0),
            ("http-4xx", Severity::Error, 2, 0),
            ("mixed-scheme", Severity::Warning, 1, 0),
            ("http-5xx", Severity::Error, 90, 90),
        ]);
        let expected = ["http-4xx", "mixed-scheme", "viewport-missing", "dup-near", "title-missing", "desc-missing"];
        assert_eq!(codes(&sample), expected);
    }

    #[test]
    fn a_notice_about_the_site_counts_like_one_about_a_page() {
        let sample = sample(&[
            ("security-headers", Severity::Notice, 1, 0),
            ("desc-missing", Severity::Notice, 80, 0),
            ("sitemap-unreachable", Severity::Error, 1, 0),
            ("dup-near", Severity::Warning, 1, 0),
        ]);
        assert_eq!(codes(&sample), ["sitemap-unreachable", "dup-near", "desc-missing", "security-headers"]);
    }

    #[test]
    fn a_broken_file_counts_for_each_page_that_uses_it() {
        let mut sample = sample(&[
            ("redirect-chain", Severity::Warning, 9, 0),
            ("resource-broken", Severity::Warning, 1, 0),
            ("trap-facets", Severity::Warning, 1, 0),
        ]);
        let of = |code: &str, affected: u64, sample: &mut Sample| {
            sample
                .tallies
                .iter_mut()
                .filter(|tally| tally.check.code == code)
                .for_each(|tally| tally.affected = affected);
        };
        of("resource-broken", 493, &mut sample);
        of("trap-facets", 312, &mut sample);
        assert_eq!(codes(&sample), ["resource-broken", "trap-facets", "redirect-chain"]);
    }

    #[test]
    fn the_opening_counts_serious_problems() {
        let none = Samples::of(&Vec::new(), 1).unwrap();
        let opening =
            |tallies: &[(&str, Severity, u64, u64)]| opening(&sample(tallies).report(), &none, &str::to_owned);
        assert_eq!(opening(&[]), "Nothing was found.");
        let notice = ("desc-missing", Severity::Notice, 1, 0);
        assert_eq!(opening(&[notice]), "Your site has no serious problem. Look first at: No description.");
        let error = ("http-4xx", Severity::Error, 9, 0);
        let title = check("http-4xx").title;
        assert_eq!(opening(&[error, notice]), format!("Your site has one serious problem: {title}."));
        let other = ("http-5xx", Severity::Error, 1, 0);
        assert_eq!(opening(&[other, error]), format!("Your site has 2 serious problems. The first: {title}."));
        assert_eq!(opening(&[("http-4xx", Severity::Error, 9, 9)]), "Nothing was found.");
    }

    #[test]
    fn the_opening_names_the_first_url_of_the_problem() {
        let plain = Sample::plain();
        let samples = Samples::of(&plain.items, 1).unwrap();
        let url = plain.items[0].subject.name();
        let title = check("http-4xx").title;
        for (count, words) in [(1, url.to_owned()), (2, format!("such as {url}"))] {
            let sample = sample(&[("http-4xx", Severity::Error, count, 0)]);
            let expected = format!("Your site has one serious problem: {title}, {words}.");
            assert_eq!(opening(&sample.report(), &samples, &str::to_owned), expected);
        }
    }
}
