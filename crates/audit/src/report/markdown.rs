//! `report.md`: a summary fit for a pull request.

mod escape;
mod parameters;

use super::Report;
use super::samples::Samples;
use super::visible::shortened;
use crate::figures::Tally;
use crate::item::Item;
use crate::severity::Severity;
use escape::{prose, span};
use std::io::{self, Write};

/// How many bytes the summary may have: GitHub takes 65,536 characters.
const MOST_BYTES: usize = 60_000;
/// How many findings of a kind are shown.
const EXAMPLES: usize = 5;
/// How many further URLs a finding names.
const OTHERS: usize = 2;
/// How many notes are shown.
const NOTES: usize = 20;
/// How long a text of the site may be.
const LONGEST: usize = 300;
/// What is kept free for the line that tells what was left out.
const RESERVE: usize = 200;

/// Writes the summary: totals, a table of the kinds, and the first findings of each, the gravest kinds first.
///
/// # Errors
/// Those of the writer.
pub(crate) fn write(report: &Report<'_>, samples: &Samples, out: &mut dyn Write) -> io::Result<()> {
    let parameters = parameters::table(report.parameters);
    let mut text = format!("{}{}{}{parameters}", heading(report), table(report), notes(report));
    let kinds = gravest_first(report.tallies);
    let mut left_out = 0;
    for tally in kinds.iter().filter(|tally| tally.count > tally.accepted) {
        let block = details(tally, samples);
        // A smaller block after one that is left out would tell a false order.
        if left_out > 0 || text.len() + block.len() + RESERVE > MOST_BYTES {
            left_out += 1;
        } else {
            text.push_str(&block);
        }
    }
    if left_out > 0 {
        text.push_str(&format!("The examples of {left_out} more kinds are left out here: `report.html` has them.\n\n"));
    }
    out.write_all(text.as_bytes())?;
    out.write_all(b"All findings are in `report.html`, `report.json` and `issues.csv`.\n")
}

fn gravest_first(tallies: &[Tally]) -> Vec<Tally> {
    let mut sorted = tallies.to_vec();
    sorted.sort_by_key(|tally| tally.severity);
    sorted
}

fn heading(report: &Report<'_>) -> String {
    let run = report.run;
    let start = span(&shortened(run.starts.first().map_or("", String::as_str), LONGEST));
    let when = run.started.strftime("%Y-%m-%d %H:%M UTC");
    let whole = if run.whole { "" } else { " **It is not whole: findings may be missing.**" };
    let head = format!("# Audit of {start}\n\nRun {} of {when}.{whole}\n\n", run.number);
    let open = |tally: &Tally| tally.count.saturating_sub(tally.accepted);
    let graded = |severity| report.tallies.iter().filter(move |tally| tally.severity == severity).map(open).sum();
    let counts: Vec<String> =
        Severity::ALL.iter().map(|severity| format!("**{}**", counted(graded(*severity), severity.as_str()))).collect();
    let sum = |of: fn(&Tally) -> u64| report.tallies.iter().map(of).sum::<u64>();
    let (fresh, fixed, accepted) = (sum(|tally| tally.fresh), sum(|tally| tally.fixed), sum(|tally| tally.accepted));
    format!("{head}{}. New: {fresh}, fixed: {fixed}, accepted by the baseline: {accepted}.\n\n", counts.join(", "))
}

fn counted(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn table(report: &Report<'_>) -> String {
    if report.tallies.is_empty() {
        return String::new();
    }
    let head = "| Severity | Kind | Found | New | Fixed | Accepted | What is wrong |\n|---|---|--:|--:|--:|--:|---|\n";
    let row = |tally: &Tally| {
        let (severity, code, reason) = (tally.severity.as_str(), tally.code.as_str(), tally.code.reason());
        let Tally { count, fresh, fixed, accepted, .. } = tally;
        format!("| {severity} | `{code}` | {count} | {fresh} | {fixed} | {accepted} | {reason} |\n")
    };
    let rows: String = gravest_first(report.tallies).iter().map(row).collect();
    format!("{head}{rows}\n")
}

fn notes(report: &Report<'_>) -> String {
    let mut text: String = report
        .notes
        .iter()
        .take(NOTES)
        .map(|note| format!("> **Note:** {}\n>\n", prose(&shortened(note, LONGEST))))
        .collect();
    let more = report.notes.len().saturating_sub(NOTES);
    if more > 0 {
        text.push_str(&format!("> and {more} more notes: see `report.html`.\n"));
    }
    if text.is_empty() { text } else { format!("{text}\n") }
}

/// A kind with its first findings, folded up. What it says of itself is ours; the rest is the site's.
fn details(tally: &Tally, samples: &Samples) -> String {
    let code = tally.code;
    let count = tally.count.saturating_sub(tally.accepted);
    let summary = format!("<summary><code>{}</code> ({count}): {}</summary>", code.as_str(), code.reason());
    let shown: Vec<String> = samples.open(code).iter().take(EXAMPLES).map(finding).collect();
    let more = count.saturating_sub(u64::try_from(shown.len()).unwrap_or(u64::MAX));
    let rest = if more > 0 { format!("- and {more} more\n") } else { String::new() };
    format!("<details>{summary}\n\n{}\n\n{}{rest}\n</details>\n\n", code.fix(), shown.concat())
}

fn finding(item: &Item) -> String {
    let subject = span(&shortened(item.subject.name(), LONGEST));
    let mut line = format!("- {subject}{}", others(item));
    if item.message != item.code.reason() {
        line.push_str(&format!(": {}", prose(&shortened(&item.message, LONGEST))));
    }
    if let Some(target) = &item.target {
        line.push_str(&format!(" → {}", span(&shortened(target, LONGEST))));
    }
    if let Some(referrer) = item.linked_from.first() {
        line.push_str(&format!(", linked from {}", span(&shortened(&referrer.url, LONGEST))));
        let more = item.linked_from_count.unwrap_or(1).saturating_sub(1);
        line.push_str(&if more > 0 { format!(" and {more} more") } else { String::new() });
    }
    format!("{line}\n")
}

/// The further URLs of a finding that is about several.
fn others(item: &Item) -> String {
    let others = item.subject.others();
    let shown: String = others.iter().take(OTHERS).map(|url| format!(", {}", span(&shortened(url, LONGEST)))).collect();
    let more = others.len().saturating_sub(OTHERS);
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

#[cfg(test)]
mod tests;
