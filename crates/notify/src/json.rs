//! The body of a webhook.

use serde_json::{Value, json};

use crate::event::{FindingLine, MAX_EXAMPLES, PageSample, RunEvent, total};

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
    json!({
        "version": VERSION,
        "id": id,
        "kind": event.kind.as_str(),
        "reason": event.kind.reason().map(short),
        "job": short(&event.job),
        "site": short(&event.site),
        "scheduled_for": event.scheduled_for.to_string(),
        "record_run": event.run,
        "listed": event.listed,
        "listed_before": event.listed_before,
        "added": listing(&event.added),
        "removed": listing(&event.removed),
        "findings": {
            "new": group(&event.findings.new),
            "fixed": group(&event.findings.fixed),
            "regressed": group(&event.findings.regressed),
        },
        "hints": shorts(&event.hints, MAX_ADVICE),
        "link": event.safe_link(),
    })
}

fn listing(listing: &PageSample) -> Value {
    json!({ "count": listing.count, "examples": shorts(&listing.examples, MAX_EXAMPLES) })
}

fn group(lines: &[FindingLine]) -> Value {
    let shown: Vec<Value> = lines.iter().take(MAX_LINES).map(line).collect();
    json!({ "count": total(lines), "codes": lines.len(), "lines": shown })
}

fn line(line: &FindingLine) -> Value {
    json!({
        "code": short(&line.code),
        "severity": short(&line.severity),
        "title": short(&line.title),
        "count": line.count,
        "examples": shorts(&line.examples, MAX_OF_FINDING),
    })
}

fn shorts(texts: &[String], most: usize) -> Vec<String> {
    texts.iter().take(most).map(|text| short(text)).collect()
}

fn short(text: &str) -> String {
    mapwright_text::cut(text, MAX_TEXT).into_owned()
}
