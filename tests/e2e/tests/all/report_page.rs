//! `report.html` in a browser, compared with the content of `report.json`.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; only JSON is indexed, where what is missing is null"
)]

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use mapwright_e2e::browser::{Browser, Screen};

/// The lock that lets one test open a page at a time, so that pages do not slow each other down.
static TURN: Mutex<()> = Mutex::new(());

/// A row of the table: severity, kind, state, subject, message, count of referrers.
pub(crate) type Row = [String; 6];

/// The JavaScript expression for the visible rows and a few around them, in order.
const ROWS: &str = "[...document.querySelectorAll('#grid .body [role=row][data-place]')]
    .sort((a, b) => a.dataset.place - b.dataset.place)
    .map((row) => ['.severity', '.code', '.state', '.subject .url', '.subject .muted', '.count']
        .map((part) => part === '.state' ? row.querySelector(part).firstChild.data : row.querySelector(part).textContent))";

/// A column to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Severity,
    Code,
    State,
    Subject,
    Count,
}

/// The sort direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SortDirection {
    Up,
    Down,
}

/// The values of the filters; an empty text matches all findings.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Filters<'w> {
    pub(crate) severity: &'w str,
    pub(crate) code: &'w str,
    pub(crate) text: &'w str,
}

/// The files of a report.
#[derive(Debug)]
pub(crate) struct Report {
    /// The folder of the files.
    pub(crate) folder: PathBuf,
    /// The content of `report.json`.
    pub(crate) json: Value,
}

impl Report {
    /// Reads the report in this folder.
    #[track_caller]
    pub(crate) fn read(folder: PathBuf) -> Report {
        let text = std::fs::read(folder.join("report.json")).expect("a report.json");
        Report { folder, json: serde_json::from_slice(&text).expect("JSON in report.json") }
    }

    /// The path of `report.html`.
    pub(crate) fn page(&self) -> PathBuf {
        self.folder.join("report.html")
    }

    /// All findings, in the order of the report.
    pub(crate) fn findings(&self) -> Vec<&Value> {
        self.json["findings"].as_array().into_iter().flatten().collect()
    }

    /// The kinds that were found, in the order of the report.
    pub(crate) fn kinds(&self) -> Vec<&str> {
        let found = self.rules().iter().filter(|rule| rule["count"] != 0);
        found.map(|rule| rule["code"].as_str().unwrap_or_default()).collect()
    }

    /// These findings sorted by a column. The sort is stable.
    pub(crate) fn sorted<'f>(&self, findings: &[&'f Value], column: Column, way: SortDirection) -> Vec<&'f Value> {
        let mut keyed: Vec<_> = findings.iter().map(|finding| (key(finding, column, self.rules()), *finding)).collect();
        keyed.sort_by(|(one, _), (other, _)| match way {
            SortDirection::Up => one.cmp(other),
            SortDirection::Down => other.cmp(one),
        });
        keyed.into_iter().map(|(_, finding)| finding).collect()
    }

    fn rules(&self) -> &[Value] {
        self.json["rules"].as_array().map_or(&[], Vec::as_slice)
    }
}

/// A report in a browser.
#[derive(Debug)]
pub(crate) struct ReportPage {
    /// The browser.
    pub(crate) browser: Browser,
    /// The number of findings in the report.
    findings: usize,
    _turn: MutexGuard<'static, ()>,
}

impl ReportPage {
    /// Opens a report, and waits until all findings are read.
    #[track_caller]
    pub(crate) fn open(report: &Report, screen: Screen) -> ReportPage {
        let mut page = ReportPage::show(report, || Browser::on(screen));
        page.browser.until("document.documentElement.dataset.ready === 'true'");
        page
    }

    /// Opens a report with scripts switched off.
    #[track_caller]
    pub(crate) fn without_scripts(report: &Report, screen: Screen) -> ReportPage {
        ReportPage::show(report, || Browser::on(screen).without_scripts())
    }

    #[track_caller]
    fn show(report: &Report, browser: impl FnOnce() -> Browser) -> ReportPage {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut browser = browser();
        browser.open(report.page());
        ReportPage { browser, findings: report.findings().len(), _turn: turn }
    }

    /// The rows in the table now: the visible ones and a few around them.
    #[track_caller]
    pub(crate) fn rows(&mut self) -> Vec<Row> {
        serde_json::from_value(self.browser.value(ROWS)).expect("rows of texts")
    }

    /// Sets the filters. The count is cleared, so that the one that the filters bring is not that of the rows before.
    #[track_caller]
    pub(crate) fn filter(&mut self, wanted: Filters<'_>) {
        let Filters { severity, code, text } = wanted;
        let (severity, code) = (json!(severity), json!(code));
        let _ = self.browser.value(&format!(
            "document.getElementById('count').textContent = '';
             for (const box of document.querySelectorAll('[name=severity]'))
                 if (box.checked !== ({severity} === '' || box.value === {severity})) box.click();
             document.getElementById('code').value = {code};
             document.getElementById('code').dispatchEvent(new Event('input', {{ bubbles: true }}));
             document.getElementById('text').focus();
             document.getElementById('text').select()"
        ));
        self.browser.write(text);
    }

    /// Clicks on the head of a column.
    #[track_caller]
    pub(crate) fn sort_by(&mut self, column: Column) {
        let name = format!("{column:?}").to_lowercase();
        let _ =
            self.browser.value(&format!("document.querySelector('#grid .head [data-column={name}] button').click()"));
    }

    /// Waits until the table shows this number of findings, then asserts that its rows are the first of them.
    #[track_caller]
    pub(crate) fn assert_shows(&mut self, expected: &[&Value]) {
        let expected: Vec<Row> = expected.iter().map(|finding| row(finding)).collect();
        let output = format!("{} of {} findings.", grouped(expected.len()), grouped(self.findings));
        self.browser.until(&format!("document.getElementById('count').textContent === {}", json!(output)));
        let rows = self.rows();
        assert!(rows.len() >= expected.len().min(8), "only {} rows of {}", rows.len(), expected.len());
        assert!(rows.len() < 100, "{} rows at once", rows.len());
        for (place, (row, expected)) in rows.iter().zip(&expected).enumerate() {
            assert_eq!(row, expected, "row {place}");
        }
    }
}

impl Filters<'_> {
    /// The findings that match the filters.
    pub(crate) fn among<'f>(&self, findings: &[&'f Value]) -> Vec<&'f Value> {
        let is = |finding: &Value, key: &str, value: &str| value.is_empty() || finding[key] == value;
        let fits = |finding: &&Value| {
            is(finding, "severity", self.severity)
                && is(finding, "code", self.code)
                && texts(finding).any(|text| text.to_lowercase().contains(self.text))
        };
        findings.iter().copied().filter(fits).collect()
    }
}

/// The row of the table for a finding.
pub(crate) fn row(finding: &Value) -> Row {
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let count = finding["linked_from_count"].as_u64().and_then(|count| usize::try_from(count).ok());
    [
        text("severity"),
        text("code"),
        text("state"),
        subject(finding),
        text("message"),
        count.map_or_else(String::new, grouped),
    ]
}

/// The subject of a finding, or the first of several.
fn subject(finding: &Value) -> String {
    let one = ["url", "site", "pattern"].into_iter().find_map(|key| finding[key].as_str());
    one.or(finding["urls"][0].as_str()).unwrap_or_default().to_owned()
}

fn texts(finding: &Value) -> impl Iterator<Item = &str> {
    let one = ["message", "final", "url", "site", "pattern"].into_iter().filter_map(|key| finding[key].as_str());
    one.chain(finding["urls"].as_array().into_iter().flatten().filter_map(Value::as_str))
}

fn key(finding: &Value, column: Column, codes: &[Value]) -> (Option<usize>, String) {
    let text = |key: &str| finding[key].as_str().unwrap_or_default();
    match column {
        Column::Severity => {
            (["error", "warning", "notice"].iter().position(|name| *name == text("severity")), String::new())
        }
        Column::Code => (codes.iter().position(|rule| rule["code"] == finding["code"]), String::new()),
        Column::State => {
            let accepted = if finding["accepted"] == true { " accepted" } else { "" };
            (None, format!("{}{accepted}", text("state")))
        }
        Column::Subject => (None, subject(finding)),
        // `None` sorts before all numbers.
        Column::Count => (finding["linked_from_count"].as_u64().and_then(|count| count.try_into().ok()), String::new()),
    }
}

/// A number in the format of the report: `1,234,567`.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn numbers_are_grouped_by_three_digits() {
        assert_eq!([0, 999, 1_000, 100_000, 1_234_567].map(grouped), ["0", "999", "1,000", "100,000", "1,234,567"]);
    }
}
