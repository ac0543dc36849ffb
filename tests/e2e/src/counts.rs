//! Counts of the URLs that a run listed, and excluded by reason, as each output of the product reports them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::{Command, csv, record, sitemaps};

/// URLs listed, and URLs excluded by reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// URLs listed.
    pub listed: u64,
    /// URLs excluded, including robots.txt and sitemap files.
    pub excluded: BTreeMap<String, u64>,
}

impl Counts {
    /// Reads the counts of a JSON summary.
    #[track_caller]
    pub fn of_json(summary: &Value) -> Counts {
        let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("no number: {value} of {summary}"));
        let excluded = summary.get("excluded").and_then(Value::as_object);
        let excluded = excluded.unwrap_or_else(|| panic!("nothing of what is excluded: {summary}"));
        let of_reason = |(reason, count): (&String, &Value)| (reason.clone(), number(count));
        let listed = number(summary.get("listed").unwrap_or(&Value::Null));
        Counts { listed, excluded: excluded.iter().map(of_reason).collect() }
    }

    /// Reads the counts of a text summary, and adds up the rows of each reason.
    #[track_caller]
    pub fn of_text(summary: &str) -> Counts {
        let first = summary.lines().find(|line| line.contains(" fetched in ")).unwrap_or_else(|| panic!("{summary}"));
        let listed = first.rsplit(", ").next().and_then(|words| words.split(' ').next()?.parse().ok());
        let mut counts = Counts { listed: listed.unwrap_or_else(|| panic!("{first}")), ..Counts::default() };
        let rows = summary.lines().skip_while(|line| *line != "not listed:").skip(1);
        for row in rows.take_while(|line| line.starts_with("  ")) {
            let mut words = row.split_whitespace();
            let (count, reason) = (words.next().and_then(|word| word.parse::<u64>().ok()), words.next());
            let (Some(count), Some(reason)) = (count, reason) else { panic!("no row: {row}") };
            *counts.excluded.entry(reason.to_owned()).or_default() += count;
        }
        counts
    }

    /// The number of URLs, listed or excluded.
    pub fn known(&self) -> u64 {
        self.listed + self.excluded.values().sum::<u64>()
    }
}

/// Reads the counts of the only run in the record in the folder `state`, and asserts that all outputs agree: both
/// formats of `export excluded`, `export pages`, `runs`, and the tables, in which every URL is listed or excluded.
#[track_caller]
pub fn of_record(state: &Path) -> Counts {
    let lines = jsonl(&query(state, &["export", "excluded", "--format", "jsonl"]));
    let excluded = by_reason(lines.iter().map(|line| text(line, "reason")));
    let table = csv::read(&query(state, &["export", "excluded", "--format", "csv"]));
    let reasons = table.iter().skip(1).filter_map(|row| row.get(1).cloned());
    assert_eq!(by_reason(reasons), excluded, "export excluded, as CSV and as JSON");
    let reasons: BTreeMap<String, String> =
        lines.iter().map(|line| (text(line, "url"), text(line, "reason"))).collect();
    let (mut listed, pages) = (0_u64, jsonl(&query(state, &["export", "pages", "--format", "jsonl"])));
    for page in &pages {
        let reason = reasons.get(&text(page, "url")).cloned().unwrap_or_default();
        assert_eq!(text(page, "reason"), reason, "export pages: {page}");
        listed += page.get("listed").and_then(Value::as_u64).unwrap_or_default();
    }
    let counts = Counts { listed, excluded };
    let runs = query(state, &["runs", "--format", "json"]);
    let runs: Value = serde_json::from_str(&runs).unwrap_or_else(|error| panic!("{error}: {runs}"));
    let figure = |name: &str| runs.get(0)?.get("summary")?.get(name)?.as_u64();
    assert_eq!(figure("listed"), Some(counts.listed), "runs: {runs}");
    assert_eq!(figure("excluded"), Some(counts.known() - counts.listed), "runs: {runs}");
    // The probes of random names are not part of the crawl.
    let known = "SELECT count(*) FROM url WHERE id NOT IN (SELECT url FROM visit WHERE purpose = 4)";
    for sql in ["SELECT count(*) FROM verdict", known] {
        assert_eq!(record::query(state, sql), [[counts.known().to_string()]], "{sql}");
    }
    counts
}

/// The number of URLs that the sitemap in a folder lists; `None` without a sitemap.
pub fn of_sitemap(out: &Path) -> Option<u64> {
    out.join("sitemap.xml").exists().then(|| sitemaps::entries(out).len() as u64)
}

#[track_caller]
fn query(state: &Path, words: &[&str]) -> String {
    Command::new(words).arg("--state").arg(state).run().exited(0).stdout
}

#[track_caller]
fn jsonl(text: &str) -> Vec<Value> {
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("no JSON ({error}): {line}"));
    text.lines().map(read).collect()
}

fn text(row: &Value, key: &str) -> String {
    row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn by_reason(reasons: impl Iterator<Item = String>) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    reasons.for_each(|reason| *counts.entry(reason).or_default() += 1);
    counts
}
