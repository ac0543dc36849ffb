//! `report.sarif`: SARIF 2.1.0, for code hosts and editors.

mod finding;
mod log;

use super::Report;
use super::samples::first;
use crate::check::Check;
use crate::checks;
use log::{Driver, Invocation, Notification, Rule, level};
use mapwright_text::json::write_line;
use std::io::{self, Write};

/// The most results in a file: GitHub refuses files with more.
pub const MAX_RESULTS: usize = 25_000;

/// Writes the most severe findings, at most [`MAX_RESULTS`], one a line.
///
/// # Errors
/// Errors of the writer, and of reading the findings.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\n\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n\"version\": \"2.1.0\",\n")?;
    out.write_all(b"\"runs\": [{\n\"tool\": {\"driver\": ")?;
    write_line(out, &Driver::new(&rules(report)))?;
    out.write_all(b"},\n\"invocations\": [")?;
    write_line(out, &invocation(report))?;
    out.write_all(b"],\n\"columnKind\": \"unicodeCodePoints\",\n\"results\": [")?;
    let start = report.run.starts.first().map_or("", String::as_str);
    let mut separator = "\n";
    first(report.items, MAX_RESULTS, &mut |item| {
        out.write_all(std::mem::replace(&mut separator, ",\n").as_bytes())?;
        write_line(out, &finding::result(item, start))
    })?;
    out.write_all(b"\n]\n}]\n}\n")
}

/// Returns all codes, so that the index of a rule never depends on the findings.
fn rules(report: &Report<'_>) -> Vec<Rule> {
    let graded = |check: &Check| report.tallies.iter().find(|tally| tally.check == check);
    let severity = |check: &Check| graded(check).map_or(check.severity, |tally| tally.severity);
    checks::all().iter().map(|check| Rule::new(check, level(severity(check)))).collect()
}

fn invocation(report: &Report<'_>) -> Invocation {
    let mut notifications: Vec<Notification> =
        report.notes.iter().map(|note| Notification::new("note", note)).collect();
    if !report.run.complete {
        notifications.push(Notification::new("warning", "The run is not complete: findings may be missing."));
    }
    if report.items.len() > MAX_RESULTS {
        let count = report.items.len();
        let found = format!(
            "These are the {MAX_RESULTS} gravest findings of {count}, the most that code hosts take; report.json has all."
        );
        notifications.push(Notification::new("warning", &found));
    }
    Invocation::new(report.run.started.to_string(), notifications)
}

#[cfg(test)]
mod tests;
