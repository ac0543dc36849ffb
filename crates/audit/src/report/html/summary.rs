//! The head of the page: the run, its notes, and the totals.

use crate::figures::{AuditedRun, Tally};
use crate::report::markup::ours;
use crate::report::samples::Samples;
use crate::report::{Report, priorities};
use crate::severity::Severity;
use mapwright_text::{escaped, grouped, shortened};

/// The most start URLs that are named.
const STARTS: usize = 5;

/// The most characters of a URL that is an example.
const MAX_EXAMPLE: usize = 120;

/// Returns the line that identifies the run.
pub(super) fn run(run: &AuditedRun) -> String {
    let when = run.started.strftime("%Y-%m-%d %H:%M UTC");
    let further = run.starts.len().saturating_sub(1);
    let started: Vec<String> =
        run.starts.iter().skip(1).take(STARTS).map(|url| format!("<bdi>{}</bdi>", escaped(url))).collect();
    let also = match further {
        0 => String::new(),
        _ if further > STARTS => format!(", started from {} and {} more", started.join(", "), further - STARTS),
        _ => format!(", started from {}, too", started.join(", ")),
    };
    format!("Crawl {} of {when}{also}", run.number)
}

/// Returns the notes on the run.
pub(super) fn notes(report: &Report<'_>) -> String {
    let mut text = String::new();
    if !report.run.complete {
        text.push_str("<p class=\"notes grave\">The run is not complete: findings may be missing.</p>\n");
    }
    let items: String = report.notes.iter().map(|note| format!("<li><bdi>{}</bdi></li>\n", escaped(note))).collect();
    if !items.is_empty() {
        text.push_str(&format!("<ul class=\"notes\" aria-label=\"Notes\">\n{items}</ul>"));
    }
    text
}

/// Returns the things to do first, each with a link to its findings.
pub(super) fn todo(report: &Report<'_>, samples: &Samples) -> String {
    let ranked = priorities::ranked(report);
    let item = |tally: &&Tally| {
        let (code, count) = (tally.check.code, grouped(priorities::count(tally)));
        let (title, fix) = (ours(tally.check.title), ours(tally.check.fix));
        let quoted = |url: &str| format!("<bdi>{}</bdi>", escaped(&shortened(url, MAX_EXAMPLE)));
        let example = priorities::example(tally, samples).map(|example| example.written(&quoted));
        let example = example.map(|example| format!(", {example}")).unwrap_or_default();
        format!("<li><a href=\"#first-{code}\" data-code=\"{code}\">{title}</a> ({count}{example}): {fix}</li>\n")
    };
    let items: String = ranked.iter().take(priorities::MAX_FIRST).map(item).collect();
    if items.is_empty() {
        return items;
    }
    format!(
        "<h3 id=\"todo-title\">First things to do</h3>\n<ol class=\"todo\" aria-labelledby=\"todo-title\">\n{items}</ol>"
    )
}

/// Returns the totals; findings in the baseline are counted separately.
pub(super) fn totals(tallies: &[Tally]) -> String {
    let open = |severity| {
        let of = tallies.iter().filter(move |tally| tally.severity == severity);
        of.map(|tally| tally.count.saturating_sub(tally.accepted)).sum::<u64>()
    };
    let sum = |of: fn(&Tally) -> u64| tallies.iter().map(of).sum::<u64>();
    let mut text = String::from("<dl class=\"totals\">\n");
    let mut total = |class: &str, name: &str, count: u64| {
        // A count of zero is not highlighted.
        let none = if count == 0 { " none" } else { "" };
        text.push_str(&format!("<div class=\"{class}{none}\"><dt>{name}</dt><dd>{}</dd></div>\n", grouped(count)));
    };
    total("error", "Errors", open(Severity::Error));
    total("warning", "Warnings", open(Severity::Warning));
    total("notice", "Notices", open(Severity::Notice));
    total("fresh", "New", sum(|tally| tally.new_or_regressed));
    total("fixed", "Fixed", sum(|tally| tally.fixed));
    total("accepted", "Accepted", sum(|tally| tally.accepted));
    text.push_str("</dl>");
    text
}
