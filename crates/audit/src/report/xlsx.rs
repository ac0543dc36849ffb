//! `issues.xlsx`: the findings as a workbook (ECMA-376) with one sheet for each topic.

use super::Report;
use super::samples::first;
use crate::check::Topic;
use crate::rendered_finding::RenderedFinding;
use mapwright_text::{shortened, visible};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, Read as _, Write};
use zip::ZipArchive;

/// The file's name.
pub(super) const FILE: &str = "issues.xlsx";
/// The most findings in the file. Spreadsheets take some 1,000,000 rows, and are slow long before.
const MAX_ROWS: usize = 50_000;
/// The most characters of a cell: at most half of what spreadsheets take, which count UTF-16 units.
const MAX_CHARS: usize = 16_000;
/// The author in the properties of the document, by which the file is recognised.
const AUTHOR: &str = "mapwright";
/// The part of the file that holds its author (ECMA-376 part 2, section 11).
const PROPERTIES: &str = "docProps/core.xml";
/// The most bytes of this part that are read.
const MAX_PROPERTIES: u64 = 64 << 10;

/// The columns of a topic, with their widths in characters.
const COLUMNS: [(&str, u8); 12] = [
    ("Severity", 9),
    ("Check", 30),
    ("URL", 60),
    ("What was found", 70),
    ("State", 11),
    ("Accepted", 9),
    ("Links to it", 10),
    ("Linked from", 50),
    ("Link text", 25),
    ("Leads to", 50),
    ("What to do", 70),
    ("Code", 24),
];
/// The columns of the summary.
const SUMMARY: [(&str, u8); 8] = [
    ("Severity", 9),
    ("Topic", 20),
    ("Check", 40),
    ("Findings", 10),
    ("New", 8),
    ("Accepted", 9),
    ("Fixed", 8),
    ("Code", 24),
];

/// Writes the gravest findings, at most [`MAX_ROWS`]. The same report gives the same bytes.
///
/// # Errors
/// Errors of the writer, and of reading the findings.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut sheets: BTreeMap<Topic, Sheet> = BTreeMap::new();
    first(report.items, MAX_ROWS, &mut |item| add(&mut sheets, item).map_err(io::Error::other))?;
    let bytes = workbook(report, sheets).map_err(io::Error::other)?;
    out.write_all(&bytes)
}

/// Adds a finding to the sheet of its topic.
fn add(sheets: &mut BTreeMap<Topic, Sheet>, item: &RenderedFinding) -> Result<(), XlsxError> {
    let topic = item.check.topic;
    let sheet = match sheets.entry(topic) {
        Entry::Occupied(sheet) => sheet.into_mut(),
        Entry::Vacant(vacant) => vacant.insert(Sheet::new(topic.title(), &COLUMNS)?),
    };
    sheet.finding(item)
}

fn workbook(report: &Report<'_>, topics: BTreeMap<Topic, Sheet>) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let created = ExcelDateTime::from_timestamp(report.run.started.as_second())?;
    workbook.set_properties(&DocProperties::new().set_author(AUTHOR).set_creation_datetime(&created));
    workbook.push_worksheet(summary(report)?);
    for topic in topics.into_values() {
        workbook.push_worksheet(topic.finish()?);
    }
    workbook.save_to_buffer()
}

/// The first sheet: each check that found something, and what the workbook leaves out.
fn summary(report: &Report<'_>) -> Result<Worksheet, XlsxError> {
    let mut sheet = Sheet::new("Summary", &SUMMARY)?;
    for tally in report.tallies {
        let check = tally.check;
        sheet.texts(&[(0, tally.severity.as_str()), (1, check.topic.title()), (2, check.title), (7, check.code)])?;
        sheet.numbers(&[(3, tally.count), (4, tally.new_or_regressed), (5, tally.accepted), (6, tally.fixed)])?;
        sheet.rows += 1;
    }
    let all = report.items.len();
    let mut sheet = sheet.finish()?;
    let below = u32::try_from(report.tallies.len()).unwrap_or(u32::MAX).saturating_add(2);
    if all > MAX_ROWS {
        let text = format!("The sheets have the {MAX_ROWS} gravest findings of {all}; issues.csv has all.");
        sheet.write_string(below, 0, text)?;
    }
    Ok(sheet)
}

/// A table with a header that stays in view, and with filters.
struct Sheet {
    sheet: Worksheet,
    /// The rows below the header.
    rows: u32,
    columns: u16,
}

impl Sheet {
    fn new(name: &str, columns: &[(&str, u8)]) -> Result<Self, XlsxError> {
        let mut sheet = Worksheet::new();
        sheet.set_name(name)?.set_freeze_panes(1, 0)?;
        let bold = Format::new().set_bold();
        for (column, (title, width)) in (0..).zip(columns) {
            sheet.set_column_width(column, *width)?.write_string_with_format(0, column, *title, &bold)?;
        }
        Ok(Self { sheet, rows: 0, columns: u16::try_from(columns.len()).unwrap_or(u16::MAX) })
    }

    fn finding(&mut self, item: &RenderedFinding) -> Result<(), XlsxError> {
        let referrer = item.linked_from.first();
        self.texts(&[
            (0, item.severity.as_str()),
            (1, item.check.title),
            (2, item.subject.name()),
            (3, &item.message),
            (4, item.state.as_str()),
            (5, if item.accepted { "yes" } else { "no" }),
            (7, referrer.map_or("", |referrer| &referrer.url)),
            (8, referrer.map_or("", |referrer| &referrer.anchor)),
            (9, item.target.as_deref().unwrap_or_default()),
            (10, item.check.fix),
            (11, item.check.code),
        ])?;
        if let Some(count) = item.linked_from_count {
            self.numbers(&[(6, count)])?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Writes cells of the next row as text, which no spreadsheet takes for a formula or a link.
    fn texts(&mut self, cells: &[(u16, &str)]) -> Result<(), XlsxError> {
        for (column, text) in cells.iter().filter(|(_, text)| !text.is_empty()) {
            self.sheet.write_string(self.rows + 1, *column, shortened(&visible(text), MAX_CHARS))?;
        }
        Ok(())
    }

    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn numbers(&mut self, cells: &[(u16, u64)]) -> Result<(), XlsxError> {
        for (column, number) in cells {
            self.sheet.write_number(self.rows + 1, *column, *number as f64)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Worksheet, XlsxError> {
        self.sheet.autofilter(0, 0, self.rows, self.columns - 1)?;
        Ok(self.sheet)
    }
}

/// Returns true if mapwright wrote the workbook.
pub(super) fn is_own(file: File) -> bool {
    let author = || -> Option<bool> {
        let mut archive = ZipArchive::new(file).ok()?;
        let mut text = String::new();
        archive.by_name(PROPERTIES).ok()?.take(MAX_PROPERTIES).read_to_string(&mut text).ok()?;
        Some(text.contains(&format!("<dc:creator>{AUTHOR}</dc:creator>")))
    };
    author().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::Sample;
    use std::collections::BTreeSet;
    use std::io::Cursor;

    /// The text of a part of the workbook.
    fn part(bytes: &[u8], name: &str) -> String {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    fn written(sample: &Sample) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&sample.report(), &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn each_topic_has_a_sheet_with_its_findings_and_the_summary_is_first() {
        let sample = Sample::plain();
        let bytes = written(&sample);
        let workbook = part(&bytes, "xl/workbook.xml");
        let topics: BTreeSet<&str> = sample.items.iter().map(|item| item.check.topic.title()).collect();
        assert!(workbook.contains("<sheet name=\"Summary\" sheetId=\"1\""), "{workbook}");
        assert_eq!(workbook.matches("<sheet ").count(), topics.len() + 1, "{workbook}");
        assert!(topics.iter().all(|topic| workbook.contains(&format!("name=\"{topic}\""))), "{workbook}");
        let rows: usize = (2..topics.len() + 2)
            .map(|sheet| part(&bytes, &format!("xl/worksheets/sheet{sheet}.xml")).matches("<row ").count() - 1)
            .sum();
        assert_eq!(rows, sample.items.len());
        let texts = part(&bytes, "xl/sharedStrings.xml");
        for item in &sample.items {
            assert!(texts.contains(item.check.title) && texts.contains(item.subject.name()), "{texts}");
        }
    }

    #[test]
    fn hostile_texts_are_texts() {
        let bytes = written(&Sample::hostile());
        let sheets = part(&bytes, "xl/workbook.xml").matches("<sheet ").count();
        for sheet in 1..=sheets {
            let text = part(&bytes, &format!("xl/worksheets/sheet{sheet}.xml"));
            assert!(!text.contains("<f>") && !text.contains("<hyperlink"), "{text}");
        }
        let texts = part(&bytes, "xl/sharedStrings.xml");
        assert!(texts.contains("=HYPERLINK(") && !texts.contains('\u{202e}'), "{texts}");
    }

    #[test]
    fn the_same_report_gives_the_same_bytes_and_is_recognised() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = written(&Sample::plain());
        assert_eq!(bytes, written(&Sample::plain()));
        let is_own_file = |bytes: &[u8]| {
            std::fs::write(folder.path().join(FILE), bytes).unwrap();
            is_own(File::open(folder.path().join(FILE)).unwrap())
        };
        assert!(is_own_file(&bytes));
        let other = Workbook::new().save_to_buffer().unwrap();
        assert!(!is_own_file(&other) && !is_own_file(b"notes") && !is_own_file(b""));
    }
}
