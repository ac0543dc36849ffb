//! `sitemap check`: reports each fault of a document against the limits of the protocol.

use super::document::{Completeness, Document, named};
use super::part::{Part, Parts};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Output;
use crate::stderr::print_stderr;
use clap::ArgMatches;
use mapwright_settings::{ReportFormat, Settings};
use mapwright_sitemap::{
    CheckReport, CheckRule, CrossSubmit, DocumentContext, DocumentKind, Fault, Item, ReadLimits, Reader, check,
};
use mapwright_text::counted;
use serde::Serialize;

/// Checks the named document, and with `--follow` its parts: 0 without faults, 1 with faults, 2 if its bytes cannot be
/// read. A part that cannot be read is a fault of its index.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = load::settings(matches)?.settings;
    let mut parts = Parts::new(&settings, named(matches))?;
    let first = parts.first()?;
    let mut judge = Judge::new(&settings);
    let follows = matches.get_flag("follow");
    // Without `--follow`, a document is checked by its own content.
    let cross_submit = if follows { parts.cross_submit(&first) } else { CrossSubmit::Unproven };
    judge.document(&first, cross_submit)?;
    if judge.unreadable || matches!(first.had, Completeness::Broken(_)) {
        let what = first.had.output().unwrap_or_else(|| "the bytes cannot be read".to_owned());
        judge.end(0)?;
        return Err(Failure::usage(what, first.shown, "see that the document can be read completely"));
    }
    if follows {
        follow(first, &mut parts, &mut judge)?;
    }
    judge.end(parts.beyond)?;
    Ok(if judge.faults == 0 { Exit::Done } else { Exit::Failed })
}

/// Checks the parts of an index, and of the indexes among them.
fn follow(first: Document, parts: &mut Parts<'_>, judge: &mut Judge<'_>) -> Result<(), Failure> {
    let mut stack = vec![first];
    while let Some(index) = stack.pop() {
        for loc in sitemaps(&index) {
            match parts.part(&index, &loc) {
                Part::Document(document) => {
                    let cross_submit = parts.cross_submit(&document);
                    let kind = judge.document(&document, cross_submit)?;
                    if kind == Some(DocumentKind::Index) {
                        judge.nested(&index, &loc)?;
                    }
                    stack.push(*document);
                }
                // With a known URL of the index, this fault was reported already.
                Part::Itself if index.url.is_none() => judge.nested(&index, &loc)?,
                Part::Missing(why) => judge.missing(&index, &loc, &why)?,
                Part::Skipped | Part::Itself => {}
            }
        }
    }
    Ok(())
}

/// Returns the sitemaps that a document lists, if it is an index.
fn sitemaps(document: &Document) -> Vec<String> {
    let Ok(input) = document.open() else {
        return Vec::new();
    };
    let named = Reader::new(input, &ReadLimits::default()).filter_map(|item| match item {
        Item::Sitemap { loc, .. } => Some(loc),
        Item::Page(_) => None,
    });
    named.collect()
}

/// A fault of a document, as JSON.
#[derive(Serialize)]
struct FaultJson<'f> {
    sitemap: &'f str,
    line: u64,
    rule: &'static str,
    /// The section of the protocol.
    clause: &'static str,
    /// A remark: it does not decide the exit code.
    remark: bool,
    what: &'f str,
    fix: &'f str,
}

impl<'f> FaultJson<'f> {
    fn of(sitemap: &'f str, fault: &'f Fault, remark: bool) -> Self {
        let (rule, clause) = (fault.rule.code(), fault.rule.clause());
        Self { sitemap, line: fault.line, rule, clause, remark, what: &fault.what, fix: &fault.fix }
    }
}

struct Judge<'s> {
    settings: &'s Settings,
    output: Output,
    now: jiff::Timestamp,
    rows: u64,
    faults: u64,
    remarks: u64,
    entries: u64,
    unreadable: bool,
    /// The final lines about faults that are not shown.
    unshown: Vec<String>,
}

impl Judge<'_> {
    fn new(settings: &Settings) -> Judge<'_> {
        let now = jiff::Timestamp::now();
        let output = Output::new();
        let unshown = Vec::new();
        Judge { settings, output, now, rows: 0, faults: 0, remarks: 0, entries: 0, unreadable: false, unshown }
    }

    /// Checks one document; returns its kind.
    fn document(&mut self, document: &Document, cross_submit: CrossSubmit) -> Result<Option<DocumentKind>, Failure> {
        let report = match document.open() {
            Ok(input) => {
                let url = document.url.as_ref().map(|url| url.as_url().clone());
                check(input, &DocumentContext { url, charset: document.charset.clone(), cross_submit }, self.now)
            }
            Err(error) => return self.row(document, &broken(&error.to_string()), false).map(|()| None),
        };
        let CheckReport { faults, remarks, entries, further_faults, further_remarks, kind } = report;
        self.entries += entries;
        for fault in &faults {
            self.unreadable |= fault.rule == CheckRule::Unreadable;
            self.row(document, fault, false)?;
        }
        for remark in &remarks {
            self.row(document, remark, true)?;
        }
        self.faults += self.further(document, "fault", further_faults);
        self.remarks += self.further(document, "remark", further_remarks);
        Ok(kind)
    }

    /// Counts the faults of a document beyond the number that is shown per rule.
    fn further(&mut self, document: &Document, what: &str, further: Vec<(CheckRule, u64)>) -> u64 {
        for (rule, count) in &further {
            let (s, are) = if *count == 1 { ("", "is") } else { ("s", "are") };
            self.unshown.push(format!("{}: {count} more {what}{s} of the rule {rule} {are} not shown", document.shown));
        }
        further.iter().map(|(_, count)| count).sum()
    }

    /// Reports an index within an index, which may list only sitemaps.
    fn nested(&mut self, index: &Document, loc: &str) -> Result<(), Failure> {
        let (rule, what) = (CheckRule::NestedIndex, format!("the part {loc} is an index"));
        self.row(index, &Fault { line: 1, rule, what, fix: rule.fix().to_owned() }, false)
    }

    fn missing(&mut self, index: &Document, loc: &str, why: &str) -> Result<(), Failure> {
        self.row(index, &broken(&format!("the part {loc} is not available: {why}")), false)
    }

    fn row(&mut self, document: &Document, fault: &Fault, is_remark: bool) -> Result<(), Failure> {
        let separator = if self.rows == 0 { "[" } else { "," };
        self.rows += 1;
        *(if is_remark { &mut self.remarks } else { &mut self.faults }) += 1;
        match self.settings.output.format {
            ReportFormat::Text | ReportFormat::Github => {
                let mark = if is_remark { "remark: " } else { "" };
                let Fault { line, rule, what, fix } = fault;
                self.output.line(&format!("{}:{line}: {mark}{rule}: {what} — {fix}", document.shown))
            }
            ReportFormat::Json => {
                let row = FaultJson::of(&document.shown, fault, is_remark);
                self.output.json_after(&format!("{separator}\n"), &row)
            }
        }
    }

    fn end(&mut self, beyond: u64) -> Result<(), Failure> {
        if self.settings.output.format == ReportFormat::Json {
            self.output.raw(if self.rows == 0 { b"[]\n" } else { b"\n]\n" })?;
        }
        self.output.finish()?;
        if self.settings.output.quiet {
            return Ok(());
        }
        self.unshown.iter().for_each(|line| print_stderr(line));
        if beyond > 0 {
            print_stderr(&format!(
                "{} not judged: raise --max-sitemap-files or --max-sitemap-depth",
                counted(beyond, "part")
            ));
        }
        let (entries, faults) = (counted(self.entries, "entry"), counted(self.faults, "fault"));
        print_stderr(&format!("{entries}, {faults}, {}", counted(self.remarks, "remark")));
        Ok(())
    }
}

fn broken(what: &str) -> Fault {
    Fault { line: 1, rule: CheckRule::Unreadable, what: what.to_owned(), fix: "see that it can be read".to_owned() }
}
