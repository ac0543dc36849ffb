//! `report.md`: a summary fit for a pull request.

mod escape;
mod parameters;
mod reasons;

use super::samples::Samples;
use super::{Report, priorities};
use crate::figures::{CommonFinding, Tally};
use crate::rendered_finding::RenderedFinding;
use crate::severity::Severity;
use escape::{prose, span};
use mapwright_text::counted_in_groups as counted;
use mapwright_text::{grouped, shortened};
use std::io::{self, Write};

/// The most bytes of the summary: GitHub takes 65,536 characters.
const MAX_BYTES: usize = 60_000;
/// The most findings of a kind that are shown.
const EXAMPLES: usize = 5;
/// The most findings shared by most pages that are shown.
const MAX_COMMON: usize = 10;
/// The most further URLs of a finding that are named.
const OTHERS: usize = 2;
/// The most notes that are shown.
const NOTES: usize = 20;
/// The most characters of a text of the site.
const MAX_CHARS: usize = 300;
/// The bytes reserved for the line that counts what was left out.
const RESERVE: usize = 200;

/// Writes the summary: totals, a table of the kinds, and the first findings of each kind, by severity, the highest
/// first.
///
/// # Errors
/// Errors of the writer.
pub(crate) fn write(report: &Report<'_>, samples: &Samples, out: &mut dyn Write) -> io::Result<()> {
    let tables = format!("{}{}", reasons::table(report.urls), parameters::table(report.parameters));
    let head = format!("{}{}{}{}", heading(report, samples), first(report, samples), common(report), table(report));
    let mut text = format!("{head}{}{tables}", notes(report));
    let kinds = gravest_first(report.tallies);
    let mut left_out = 0;
    for tally in kinds.iter().filter(|tally| tally.count > tally.accepted) {
        let block = details(tally, samples);
        // A smaller block after one that is left out would break the order.
        if left_out > 0 || text.len() + block.len() + RESERVE > MAX_BYTES {
            left_out += 1;
        } else {
            text.push_str(&block);
        }
    }
    if left_out > 0 {
        text.push_str(&format!(
            "The examples of {left_out} more checks are left out here: `report.html` has them.\n\n"
        ));
    }
    out.write_all(text.as_bytes())?;
    out.write_all(b"All findings are in `report.html`, `report.json` and `issues.csv`.\n")
}

fn gravest_first(tallies: &[Tally]) -> Vec<Tally> {
    let mut sorted = tallies.to_vec();
    sorted.sort_by_key(|tally| tally.severity);
    sorted
}

fn heading(report: &Report<'_>, samples: &Samples) -> String {
    let run = report.run;
    let start = span(&shortened(run.starts.first().map_or("", String::as_str), MAX_CHARS));
    let when = run.started.strftime("%Y-%m-%d %H:%M UTC");
    let complete = if run.complete { "" } else { " **It is not complete: findings may be missing.**" };
    let head = format!("# Audit of {start}\n\nCrawl {} of {when}.{complete}\n\n", run.number);
    let open = |tally: &Tally| tally.count.saturating_sub(tally.accepted);
    let graded = |severity| report.tallies.iter().filter(move |tally| tally.severity == severity).map(open).sum();
    let counts: Vec<String> =
        Severity::ALL.iter().map(|severity| format!("**{}**", counted(graded(*severity), severity.as_str()))).collect();
    let sum = |of: fn(&Tally) -> u64| report.tallies.iter().map(of).sum::<u64>();
    let (fresh, fixed, accepted) =
        (sum(|tally| tally.new_or_regressed), sum(|tally| tally.fixed), sum(|tally| tally.accepted));
    let counts = counts.join(", ");
    let counts = format!("{counts}. New: {fresh}, fixed: {fixed}, accepted by the baseline: {accepted}.");
    format!("{head}{}\n\n{counts}\n\n", priorities::opening(report, samples, &quoted))
}

/// Returns a URL in the form of code.
fn quoted(url: &str) -> String {
    span(&shortened(url, MAX_CHARS))
}

/// Returns the things to do first.
fn first(report: &Report<'_>, samples: &Samples) -> String {
    let ranked = priorities::ranked(report);
    let item = |(number, tally): (usize, &&Tally)| {
        let (title, fix) = (tally.check.title, tally.check.fix);
        let example = priorities::example(tally, samples).map(|example| format!(", {}", example.written(&quoted)));
        let (count, example) = (counted(priorities::count(tally), "finding"), example.unwrap_or_default());
        format!("{number}. **{title}** ({count}{example}): {fix}\n")
    };
    let items: String = (1..).zip(ranked.iter().take(priorities::MAX_FIRST)).map(item).collect();
    if items.is_empty() { items } else { format!("## First things to do\n\n{items}\n") }
}

/// Returns the findings that most pages share.
fn common(report: &Report<'_>) -> String {
    let common = &report.figures.common;
    let item = |one: &CommonFinding| {
        let example = one.examples.first().map(|url| span(&shortened(url, MAX_CHARS))).unwrap_or_default();
        let pattern = one.pattern.as_ref().map(|pattern| span(&shortened(pattern, MAX_CHARS)));
        let of = match (pattern, one.patterns.saturating_sub(1)) {
            (None, _) => "of the site".to_owned(),
            (Some(pattern), 0) => format!("of {pattern}"),
            (Some(pattern), more) => format!("of {pattern} and {}", counted(more, "more pattern")),
        };
        let (title, affected) = (one.check.title, grouped(one.affected));
        format!("- **{title}**: {affected} of {} {of}, such as {example}\n", counted(one.pages, "page"))
    };
    let mut items: String = common.iter().take(MAX_COMMON).map(item).collect();
    let more = common.len().saturating_sub(MAX_COMMON);
    if more > 0 {
        items.push_str(&format!("- and {more} more\n"));
    }
    let head = "## Shared by most pages\n\nEach of these has one cause, such as the template of these pages.\n";
    if items.is_empty() { items } else { format!("{head}\n{items}\n") }
}

fn table(report: &Report<'_>) -> String {
    if report.tallies.is_empty() {
        return String::new();
    }
    let head = "| Severity | Problem | Check | Found | New | Fixed | Accepted |\n|---|---|---|--:|--:|--:|--:|\n";
    let row = |tally: &Tally| {
        let (severity, code, title) = (tally.severity.as_str(), tally.check.code, tally.check.title);
        let Tally { count, new_or_regressed, fixed, accepted, .. } = tally;
        let help = tally.check.help_url();
        format!("| {severity} | [{title}]({help}) | `{code}` | {count} | {new_or_regressed} | {fixed} | {accepted} |\n")
    };
    let rows: String = gravest_first(report.tallies).iter().map(row).collect();
    format!("{head}{rows}\n")
}

fn notes(report: &Report<'_>) -> String {
    let mut text: String = report
        .notes
        .iter()
        .take(NOTES)
        .map(|note| format!("> **Note:** {}\n>\n", prose(&shortened(note, MAX_CHARS))))
        .collect();
    let more = report.notes.len().saturating_sub(NOTES);
    if more > 0 {
        text.push_str(&format!("> and {more} more notes: see `report.html`.\n"));
    }
    if text.is_empty() { text } else { format!("{text}\n") }
}

/// Returns a collapsed section of a kind with its first findings. The texts of the kind are mapwright's, the others are
/// the site's.
fn details(tally: &Tally, samples: &Samples) -> String {
    let check = tally.check;
    let count = tally.count.saturating_sub(tally.accepted);
    let summary = format!("<summary><code>{}</code> ({count}): {}</summary>", check.code, check.reason);
    let shown: Vec<String> = samples.open(check).iter().take(EXAMPLES).map(finding).collect();
    let more = count.saturating_sub(u64::try_from(shown.len()).unwrap_or(u64::MAX));
    let rest = if more > 0 { format!("- and {more} more\n") } else { String::new() };
    format!("<details>{summary}\n\n{}\n\n{}{rest}\n</details>\n\n", check.fix, shown.concat())
}

fn finding(item: &RenderedFinding) -> String {
    let subject = span(&shortened(item.subject.name(), MAX_CHARS));
    let mut line = format!("- {subject}{}", others(item));
    if item.message != item.check.reason {
        let is_last = item.target.is_none() && item.linked_from.is_empty();
        let message = if is_last { &item.message } else { item.message.strip_suffix('.').unwrap_or(&item.message) };
        line.push_str(&format!(": {}", prose(&shortened(message, MAX_CHARS))));
    }
    if let Some(target) = item.target.as_ref().filter(|target| !names(&item.message, target)) {
        line.push_str(&format!(" → {}", span(&shortened(target, MAX_CHARS))));
    }
    if let Some(referrer) = item.linked_from.first() {
        line.push_str(&format!(", linked from {}", span(&shortened(&referrer.url, MAX_CHARS))));
        let more = item.linked_from_count.unwrap_or(1).saturating_sub(1);
        line.push_str(&if more > 0 { format!(" and {more} more") } else { String::new() });
    }
    format!("{line}\n")
}

/// Returns true if a message names a URL, so that it need not follow.
fn names(message: &str, url: &str) -> bool {
    message.split_whitespace().any(|word| word.trim_end_matches(['.', ',', ';', ':']) == url)
}

/// Returns the further URLs of a finding about several.
fn others(item: &RenderedFinding) -> String {
    let others = item.subject.others();
    let shown: String =
        others.iter().take(OTHERS).map(|url| format!(", {}", span(&shortened(url, MAX_CHARS)))).collect();
    let more = others.len().saturating_sub(OTHERS);
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

#[cfg(test)]
mod tests;
