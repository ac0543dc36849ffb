//! `report.junit.xml`: one suite for each topic and one case for each code, for build servers.

use super::Report;
use super::samples::Samples;
use crate::check::{Check, Topic};
use crate::checks;
use crate::figures::Tally;
use crate::rendered_finding::RenderedFinding;
use crate::severity::Severity;
use mapwright_text::{escaped, shortened};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The most characters of a URL or a message.
const MAX_CHARS: usize = 500;

/// The counts of each code, without findings in the baseline.
struct Found<'r> {
    tallies: BTreeMap<&'static Check, &'r Tally>,
    samples: &'r Samples,
}

impl Found<'_> {
    fn count(&self, check: &Check) -> u64 {
        self.tallies.get(check).map_or(0, |tally| tally.count.saturating_sub(tally.accepted))
    }

    fn severity(&self, check: &Check) -> Severity {
        self.tallies.get(check).map_or(check.severity, |tally| tally.severity)
    }

    /// Returns true if a code has errors or warnings: notices do not fail a build.
    fn fails(&self, check: &Check) -> bool {
        self.count(check) > 0 && self.severity(check) != Severity::Notice
    }

    fn failures(&self, checks: &[&Check]) -> usize {
        checks.iter().filter(|check| self.fails(check)).count()
    }
}

/// Writes each code as a case, which fails if there are errors or warnings outside the baseline.
///
/// # Errors
/// Errors of the writer.
pub(crate) fn write(report: &Report<'_>, samples: &Samples, out: &mut dyn Write) -> io::Result<()> {
    let tallies = report.tallies.iter().map(|tally| (tally.check, tally)).collect();
    let found = Found { tallies, samples };
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    let (tests, failures) = (checks::all().len(), found.failures(checks::all()));
    writeln!(out, "<testsuites name=\"mapwright audit\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">")?;
    for checks in checks::all().chunk_by(|one, next| one.topic == next.topic) {
        let Some(topic) = checks.first().map(|check| check.topic) else { continue };
        suite(out, topic, checks, &found)?;
    }
    out.write_all(b"</testsuites>\n")
}

fn suite(out: &mut dyn Write, topic: Topic, checks: &[&Check], found: &Found<'_>) -> io::Result<()> {
    let (name, tests, failures) = (escaped(topic.title()), checks.len(), found.failures(checks));
    writeln!(out, "<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">")?;
    checks.iter().try_for_each(|check| case(out, check, found))?;
    out.write_all(b"</testsuite>\n")
}

fn case(out: &mut dyn Write, check: &Check, found: &Found<'_>) -> io::Result<()> {
    write!(out, "<testcase classname=\"mapwright\" name=\"{}\"", check.code)?;
    let count = found.count(check);
    if count == 0 {
        return out.write_all(b"/>\n");
    }
    out.write_all(b">\n")?;
    let body = escaped_lines(&body(check, count, found.samples.open(check)));
    if found.fails(check) {
        let summary = escaped(&format!("{count} × {}", check.reason));
        let kind = found.severity(check).as_str();
        writeln!(out, "<failure type=\"{kind}\" message=\"{summary}\">{body}</failure>")?;
    } else {
        writeln!(out, "<system-out>{body}</system-out>")?;
    }
    out.write_all(b"</testcase>\n")
}

/// Returns the lines of a case: the reason, the fix, and the first findings.
fn body(check: &Check, count: u64, items: &[RenderedFinding]) -> Vec<String> {
    let mut lines = vec![check.reason.to_owned(), check.fix.to_owned()];
    lines.extend(items.iter().map(finding));
    let more = count.saturating_sub(u64::try_from(items.len()).unwrap_or(u64::MAX));
    if more > 0 {
        lines.push(format!("and {more} more: see report.html"));
    }
    lines
}

fn finding(item: &RenderedFinding) -> String {
    let subject = shortened(item.subject.name(), MAX_CHARS);
    let mut line = format!("{subject}: {}", shortened(&item.message, MAX_CHARS));
    if let Some(referrer) = item.linked_from.first() {
        line.push_str(&format!(" (linked from {})", shortened(&referrer.url, MAX_CHARS)));
    }
    line
}

/// Escapes lines, so that a text of the site cannot begin a line of its own.
fn escaped_lines(lines: &[String]) -> String {
    lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
