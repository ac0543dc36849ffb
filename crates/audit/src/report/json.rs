//! `report.json`: the complete report, for programs. `report.schema.json` guarantees its structure.

mod read;

pub use read::{ReportLine, ReportReader};

use super::Report;
use crate::check::{Check, Topic};
use crate::checks;
use crate::figures::Tally;
use crate::severity::Severity;
use mapwright_text::json::write_line;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, Write};

/// The version of the structure; within a version, fields are only added.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

/// A kind of finding with its texts and its counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The kind.
    #[serde(rename = "code", deserialize_with = "checks::deserialize")]
    pub check: &'static Check,
    /// Its topic.
    pub topic: Topic,
    /// Its severity, by the settings.
    pub severity: Severity,
    /// The problem, in one sentence.
    pub reason: Cow<'static, str>,
    /// The fix, in one or more sentences.
    pub fix: Cow<'static, str>,
    /// The number of findings.
    pub count: u64,
    /// The findings in the baseline.
    pub accepted: u64,
    /// The findings that the previous audit did not report.
    pub fresh: u64,
    /// Fixed findings of the previous audit.
    pub fixed: u64,
}

impl From<&Tally> for Rule {
    fn from(tally: &Tally) -> Self {
        Self {
            check: tally.check,
            topic: tally.check.topic,
            severity: tally.severity,
            reason: tally.check.reason.into(),
            fix: tally.check.fix.into(),
            count: tally.count,
            accepted: tally.accepted,
            fresh: tally.new_or_regressed,
            fixed: tally.fixed,
        }
    }
}

/// Writes the report as one JSON object, with each rule and each finding on a line of its own, so that it can be
/// searched by line.
///
/// # Errors
/// Errors of the writer, and of reading the findings.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let tool = Tool { name: "mapwright", version: env!("CARGO_PKG_VERSION") };
    write!(out, "{{\n\"$schema\": \"{}\",\n\"version\": {VERSION}", super::schema::FILE)?;
    member(out, "tool", &tool)?;
    member(out, "run", report.run)?;
    member(out, "figures", report.figures)?;
    let mut rules = Rows::begin(out, "rules")?;
    report.tallies.iter().try_for_each(|tally| rules.row(&Rule::from(tally)))?;
    rules.end()?;
    member(out, "notes", &report.notes)?;
    let mut fixed = Rows::begin(out, "fixed")?;
    report.fixed.iter().try_for_each(|gone| fixed.row(gone))?;
    fixed.end()?;
    let mut parameters = Rows::begin(out, "parameters")?;
    report.parameters.iter().try_for_each(|parameter| parameters.row(parameter))?;
    parameters.end()?;
    let mut findings = Rows::begin(out, "findings")?;
    report.items.each(&mut |item| findings.row(item))?;
    findings.end()?;
    out.write_all(b"\n}\n")
}

fn member(out: &mut dyn Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, ",\n\"{name}\": ")?;
    write_line(out, value)
}

/// An array with one element a line.
struct Rows<'o> {
    out: &'o mut dyn Write,
    any: bool,
}

impl<'o> Rows<'o> {
    fn begin(out: &'o mut dyn Write, name: &str) -> io::Result<Self> {
        write!(out, ",\n\"{name}\": [")?;
        Ok(Self { out, any: false })
    }

    fn row(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.out.write_all(if self.any { b",\n" } else { b"\n" })?;
        self.any = true;
        write_line(self.out, value)
    }

    fn end(self) -> io::Result<()> {
        self.out.write_all(if self.any { b"\n]" } else { b"]" })
    }
}

/// Returns the first start URL of the run, from the beginning of a `report.json`.
pub(super) fn start_of(beginning: &str) -> Option<&str> {
    let (_, starts) = beginning.split_once("\"starts\":[\"")?;
    starts.split_once('"').map(|(start, _)| start)
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::report::sample::{HOSTILE, Sample};
    use serde_json::Value;

    fn text(sample: &Sample) -> String {
        let mut out = Vec::new();
        write(&sample.report(), &mut out).unwrap();
        String::from_utf8(out).unwrap().replace(env!("CARGO_PKG_VERSION"), "[version]")
    }

    #[test]
    fn the_report_in_full() {
        insta::assert_snapshot!(text(&Sample::plain()));
    }

    #[test]
    fn each_finding_is_a_line() {
        let text = text(&Sample::plain());
        let lines = text.lines().filter(|line| line.starts_with("{\"code\":") && line.contains("\"message\":"));
        assert_eq!(lines.count(), Sample::plain().items.len());
    }

    #[test]
    fn hostile_texts_survive_and_control_characters_never_reach_a_terminal() {
        let text = text(&Sample::hostile());
        assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{1b}', '\u{0}', '\r', '\t']));
        let report: Value = serde_json::from_str(&text).unwrap();
        for (text, finding) in HOSTILE.iter().zip(report["findings"].as_array().unwrap()) {
            assert_eq!(finding["url"], *text);
            assert_eq!(finding["linked_from"][0]["anchor"], *text);
        }
    }

    #[test]
    fn an_audit_without_findings_is_a_complete_report() {
        let mut sample = Sample::of(Vec::new());
        sample.fixed.clear();
        sample.tallies.clear();
        let report: Value = serde_json::from_str(&text(&sample)).unwrap();
        assert_eq!(report["findings"], Value::Array(Vec::new()));
    }
}
