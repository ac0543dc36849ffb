//! The body of a webhook.

use crate::event::{FindingChanges, FindingLine, MAX_EXAMPLES, PageSample, RunEvent, total};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// The version of the format, raised when a reader of the previous one would break. New fields do not raise it.
const VERSION: u32 = 1;
/// Lines of findings in each group, at most.
const MAX_LINES: usize = 50;
/// Examples of each line of findings, at most.
const MAX_OF_FINDING: usize = 5;
/// Pieces of advice, at most.
const MAX_ADVICE: usize = 20;
/// Characters of a text, at most.
const MAX_TEXT: usize = 2_000;

/// Renders the event as JSON. Lists are bounded; counts are exact.
pub(crate) fn write(event: &RunEvent, id: &str) -> Value {
    serde_json::to_value(WebhookBody::of(event, id)).unwrap_or_default()
}

#[derive(Serialize)]
struct WebhookBody<'e> {
    version: u32,
    id: &'e str,
    kind: &'static str,
    reason: Option<Cow<'e, str>>,
    job: Cow<'e, str>,
    site: Cow<'e, str>,
    scheduled_for: Timestamp,
    record_run: Option<i64>,
    listed: Option<u64>,
    listed_before: Option<u64>,
    added: Pages<'e>,
    removed: Pages<'e>,
    findings: Changes<'e>,
    hints: Vec<Cow<'e, str>>,
    link: Option<String>,
}

impl<'e> WebhookBody<'e> {
    fn of(event: &'e RunEvent, id: &'e str) -> Self {
        Self {
            version: VERSION,
            id,
            kind: event.kind.as_str(),
            reason: event.kind.reason().map(short),
            job: short(&event.job),
            site: short(&event.site),
            scheduled_for: event.scheduled_for,
            record_run: event.run,
            listed: event.listed,
            listed_before: event.listed_before,
            added: Pages::from(&event.added),
            removed: Pages::from(&event.removed),
            findings: Changes::from(&event.findings),
            hints: shorts(&event.hints, MAX_ADVICE),
            link: event.safe_link(),
        }
    }
}

#[derive(Serialize)]
struct Pages<'e> {
    count: u64,
    examples: Vec<Cow<'e, str>>,
}

impl<'e> From<&'e PageSample> for Pages<'e> {
    fn from(sample: &'e PageSample) -> Self {
        Self { count: sample.count, examples: shorts(&sample.examples, MAX_EXAMPLES) }
    }
}

#[derive(Serialize)]
struct Changes<'e> {
    new: Group<'e>,
    fixed: Group<'e>,
    regressed: Group<'e>,
}

impl<'e> From<&'e FindingChanges> for Changes<'e> {
    fn from(changes: &'e FindingChanges) -> Self {
        let FindingChanges { new, fixed, regressed } = changes;
        Self { new: Group::of(new), fixed: Group::of(fixed), regressed: Group::of(regressed) }
    }
}

#[derive(Serialize)]
struct Group<'e> {
    count: u64,
    codes: usize,
    lines: Vec<Line<'e>>,
}

impl<'e> Group<'e> {
    fn of(lines: &'e [FindingLine]) -> Self {
        let shown = lines.iter().take(MAX_LINES).map(Line::from).collect();
        Self { count: total(lines), codes: lines.len(), lines: shown }
    }
}

#[derive(Serialize)]
struct Line<'e> {
    code: Cow<'e, str>,
    severity: Cow<'e, str>,
    title: Cow<'e, str>,
    count: u64,
    examples: Vec<Cow<'e, str>>,
}

impl<'e> From<&'e FindingLine> for Line<'e> {
    fn from(line: &'e FindingLine) -> Self {
        Self {
            code: short(&line.code),
            severity: short(&line.severity),
            title: short(&line.title),
            count: line.count,
            examples: shorts(&line.examples, MAX_OF_FINDING),
        }
    }
}

fn shorts(texts: &[String], most: usize) -> Vec<Cow<'_, str>> {
    texts.iter().take(most).map(|text| short(text)).collect()
}

fn short(text: &str) -> Cow<'_, str> {
    mapwright_text::cut(text, MAX_TEXT)
}
