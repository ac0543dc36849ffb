//! `report.junit.xml`: one suite for each topic and one case for each code, for build servers.

use super::Report;
use super::samples::Samples;
use crate::code::{Code, Topic};
use crate::figures::Tally;
use crate::item::RenderedFinding;
use crate::severity::Severity;
use mapwright_text::{escaped, shortened};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The most characters of a URL or a message.
const MAX_CHARS: usize = 500;

/// The counts of each code, without findings in the baseline.
struct Found<'r> {
    tallies: BTreeMap<Code, &'r Tally>,
    samples: &'r Samples,
}

impl Found<'_> {
    fn count(&self, code: Code) -> u64 {
        self.tallies.get(&code).map_or(0, |tally| tally.count.saturating_sub(tally.accepted))
    }

    fn severity(&self, code: Code) -> Severity {
        self.tallies.get(&code).map_or(code.severity(), |tally| tally.severity)
    }

    /// Returns true if a code has errors or warnings: notices do not fail a build.
    fn fails(&self, code: Code) -> bool {
        self.count(code) > 0 && self.severity(code) != Severity::Notice
    }

    fn failures(&self, codes: &[Code]) -> usize {
        codes.iter().filter(|code| self.fails(**code)).count()
    }
}

/// Writes each code as a case, which fails if there are errors or warnings outside the baseline.
///
/// # Errors
/// Errors of the writer.
pub(crate) fn write(report: &Report<'_>, samples: &Samples, out: &mut dyn Write) -> io::Result<()> {
    let tallies = report.tallies.iter().map(|tally| (tally.code, tally)).collect();
    let found = Found { tallies, samples };
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    let (tests, failures) = (Code::ALL.len(), found.failures(Code::ALL));
    writeln!(out, "<testsuites name=\"mapwright audit\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">")?;
    for codes in Code::ALL.chunk_by(|one, next| one.topic() == next.topic()) {
        let Some(topic) = codes.first().map(|code| code.topic()) else { continue };
        suite(out, topic, codes, &found)?;
    }
    out.write_all(b"</testsuites>\n")
}

fn suite(out: &mut dyn Write, topic: Topic, codes: &[Code], found: &Found<'_>) -> io::Result<()> {
    let (name, tests, failures) = (escaped(topic.title()), codes.len(), found.failures(codes));
    writeln!(out, "<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">")?;
    codes.iter().try_for_each(|code| case(out, *code, found))?;
    out.write_all(b"</testsuite>\n")
}

fn case(out: &mut dyn Write, code: Code, found: &Found<'_>) -> io::Result<()> {
    write!(out, "<testcase classname=\"mapwright\" name=\"{code}\"", code = code.as_str())?;
    let count = found.count(code);
    if count == 0 {
        return out.write_all(b"/>\n");
    }
    out.write_all(b">\n")?;
    let body = escaped_lines(&body(code, count, found.samples.open(code)));
    if found.fails(code) {
        let summary = escaped(&format!("{count} × {}", code.reason()));
        let kind = found.severity(code).as_str();
        writeln!(out, "<failure type=\"{kind}\" message=\"{summary}\">{body}</failure>")?;
    } else {
        writeln!(out, "<system-out>{body}</system-out>")?;
    }
    out.write_all(b"</testcase>\n")
}

/// Returns the lines of a case: the reason, the fix, and the first findings.
fn body(code: Code, count: u64, items: &[RenderedFinding]) -> Vec<String> {
    let mut lines = vec![code.reason().to_owned(), code.fix().to_owned()];
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
