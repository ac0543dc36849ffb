//! A report of a hundred thousand findings, and of more than a page may hold.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod crawled_site;

use crawled_site::Audit;
use mapwright_audit::report::{github, write_all};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read as _};
use std::path::Path;

/// Writes the reports, and returns each file's text by its name; of the workbook, the texts of its cells.
fn written(findings: usize) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let files = write_all(&Audit::new(findings).unwrap().report(), folder.path()).unwrap();
    let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
    let text = |file: &Path| match fs::read(file).unwrap() {
        bytes if file.extension().is_some_and(|kind| kind == "xlsx") => cells(&bytes),
        bytes => String::from_utf8(bytes).unwrap(),
    };
    files.iter().map(|file| (name(file), text(file))).collect()
}

fn cells(workbook: &[u8]) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(workbook)).unwrap();
    let mut text = String::new();
    archive.by_name("xl/sharedStrings.xml").unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn every_format_holds_a_hundred_thousand_findings_or_counts_those_left_out() {
    let files = written(100_000);
    assert_eq!(files.len(), 8);
    let findings = |text: &str| text.lines().filter(|line| line.contains("\"message\":")).count();
    assert_eq!(findings(&files["report.json"]), 100_000);
    assert_eq!(files["issues.csv"].lines().count(), 100_001);
    assert!(files["issues.xlsx"].contains("The sheets have the 50000 gravest findings of 100000"));
    assert!(files["report.sarif"].contains("the 25000 gravest findings of 100000"));
    assert!(files["report.md"].len() < 60_000);
    assert!(files["report.junit.xml"].len() < 200_000);
    assert_eq!(files["report.html"].matches("\"message\":").count(), 100_000);
}

#[test]
fn a_page_holds_the_most_severe_hundred_thousand() {
    let files = written(100_500);
    assert_eq!(files["report.html"].matches("\"message\":").count(), 100_000);
    assert!(files["report.html"].contains("data-total=\"100500\""));
}

#[test]
fn annotations_are_few() {
    let mut out = Vec::new();
    github(&Audit::new(100_000).unwrap().report(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap().lines().count(), 153);
}
