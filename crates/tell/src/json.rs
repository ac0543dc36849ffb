//! The body of a webhook.

use serde_json::{Value, json};

use crate::night::{FindingLine, Listing, MOST_EXAMPLES, Night, total};
use crate::visible;

/// Raised when a reader of the version before would break; fields are added without.
const VERSION: u32 = 1;
/// Lines of findings in each group, at most.
const MOST_LINES: usize = 50;
/// Examples of each line of findings, at most.
const MOST_OF_FINDING: usize = 5;
/// Pieces of advice, at most.
const MOST_ADVICE: usize = 20;
/// Characters of a text, at most.
const MOST_TEXT: usize = 2_000;

/// The night as JSON. Lists are bounded; counts are exact.
pub(crate) fn write(night: &Night, id: &str) -> Value {
    json!({
        "version": VERSION,
        "id": id,
        "kind": night.outcome.kind(),
        "why": night.outcome.why().map(short),
        "job": short(&night.job),
        "site": short(&night.site),
        "due": night.due.to_string(),
        "run": night.run,
        "listed": night.listed,
        "listed_before": night.listed_before,
        "gained": listing(&night.gained),
        "lost": listing(&night.lost),
        "findings": {
            "new": group(&night.findings.new),
            "fixed": group(&night.findings.fixed),
            "regressed": group(&night.findings.regressed),
        },
        "advice": shorts(&night.advice, MOST_ADVICE),
        "link": night.safe_link(),
    })
}

fn listing(listing: &Listing) -> Value {
    json!({ "count": listing.count, "examples": shorts(&listing.examples, MOST_EXAMPLES) })
}

fn group(lines: &[FindingLine]) -> Value {
    let shown: Vec<Value> = lines.iter().take(MOST_LINES).map(line).collect();
    json!({ "count": total(lines), "codes": lines.len(), "lines": shown })
}

fn line(line: &FindingLine) -> Value {
    json!({
        "code": short(&line.code),
        "severity": short(&line.severity),
        "title": short(&line.title),
        "count": line.count,
        "examples": shorts(&line.examples, MOST_OF_FINDING),
    })
}

fn shorts(texts: &[String], most: usize) -> Vec<String> {
    texts.iter().take(most).map(|text| short(text)).collect()
}

fn short(text: &str) -> String {
    visible::cut(text, MOST_TEXT)
}
