//! The figures of many runs, and their required values.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use mapwright_testkit::living::{Day, DayKind, Traffic};

/// The minimum precision and recall of reported changes, in percent.
const LEAST_PERCENT: f64 = 99.0;
/// The maximum bytes of a run without changes, in percent of the first run's, in sections that answer 304.
const MAX_QUIET_PERCENT: f64 = 10.0;
/// The number of runs between two sizes in the table.
const MONTH: u32 = 30;
/// The maximum number of printed examples of each kind of fault.
const EXAMPLES: usize = 12;

/// A kind of fault that no run may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The set of listed pages is wrong.
    Set,
    /// A page has lost its lastmod.
    TakenBack,
    /// A lastmod is later than the end of the crawl that could first see the change.
    Late,
    /// A lastmod of a change is earlier than the last crawl before the change.
    Early,
    /// The lastmod of a page differs from the date that the page declares.
    Own,
    /// A page has a lastmod although its date cannot be known.
    Invented,
    /// The lastmod of a page changes in a run in which the page fails.
    Failing,
    /// Files differ after a run without changes.
    Quiet,
    /// The files are faulty.
    Parts,
}

/// The counts of reported changes in one section.
#[derive(Debug, Clone, Copy, Default)]
struct ReportedChanges {
    pages: u64,
    rightly: u64,
    in_error: u64,
    missed: u64,
}

/// The bytes transferred in a run.
#[derive(Debug, Clone, Copy, Default)]
struct Bytes {
    /// Those of the sections that answer 304.
    sparing: u64,
    all: u64,
}

/// The figures.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The size of the record's folder after each run, in bytes.
    pub(crate) sizes: Vec<(u32, u64)>,
    sections: BTreeMap<&'static str, ReportedChanges>,
    flips: (u64, u64),
    faults: BTreeMap<Fault, Vec<String>>,
    examples: Vec<String>,
    days: u32,
    pages: usize,
    millis: i64,
    boilerplate: usize,
    first: Bytes,
    quiet: Vec<(u32, Bytes)>,
}

impl Tally {
    pub(crate) fn begin(&mut self, day: &Day, millis: i64, traffic: BTreeMap<&'static str, Traffic>) {
        self.days = day.number;
        self.pages = day.listed.len();
        self.millis += millis;
        self.boilerplate += day.boilerplate.len();
        let sum = |fits: fn(&Traffic) -> bool| traffic.values().filter(|it| fits(it)).map(|it| it.bytes).sum();
        let bytes = Bytes { sparing: sum(|traffic| traffic.answers_304), all: sum(|_| true) };
        match day.kind {
            DayKind::First => self.first = bytes,
            DayKind::Quiet => self.quiet.push((day.number, bytes)),
            DayKind::Plain | DayKind::Deploy => {}
        }
    }

    pub(crate) fn count(&mut self, section: &'static str, changed: bool, output: bool) {
        let row = self.sections.entry(section).or_default();
        row.pages += 1;
        match (changed, output) {
            (true, true) => row.rightly += 1,
            (false, true) => row.in_error += 1,
            (true, false) => row.missed += 1,
            (false, false) => {}
        }
    }

    pub(crate) fn flipped(&mut self, output: bool) {
        self.flips.0 += u64::from(output);
        self.flips.1 += 1;
    }

    pub(crate) fn example(&mut self, text: String) {
        self.examples.push(text);
    }

    pub(crate) fn fault(&mut self, fault: Fault, text: String) {
        self.faults.entry(fault).or_default().push(text);
    }

    /// Asserts that the figures have their required values.
    #[track_caller]
    pub(crate) fn assert_good(&self) {
        let output = self.total();
        assert!(output.rightly + output.missed >= 20, "too few changes to report anything: {output:?}");
        let mut wrong = Vec::new();
        if self.precision() < LEAST_PERCENT || self.recall() < LEAST_PERCENT {
            wrong.push(format!("{} reported in error, {} missed:", output.in_error, output.missed));
            wrong.extend(self.examples.iter().take(EXAMPLES).cloned());
        }
        for (fault, texts) in &self.faults {
            wrong.push(format!("{fault:?}, {} times:", texts.len()));
            wrong.extend(texts.iter().take(EXAMPLES).cloned());
        }
        let (quiet, _) = self.quiet_percent();
        if self.quiet.is_empty() || quiet > MAX_QUIET_PERCENT {
            wrong.push(format!("{quiet:.1} % of the first run's bytes in a run without change"));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    fn total(&self) -> ReportedChanges {
        self.sections.values().fold(ReportedChanges::default(), |sum, row| ReportedChanges {
            pages: sum.pages + row.pages,
            rightly: sum.rightly + row.rightly,
            in_error: sum.in_error + row.in_error,
            missed: sum.missed + row.missed,
        })
    }

    /// The percentage of pages reported as changed that did change.
    fn precision(&self) -> f64 {
        let output = self.total();
        percent(output.rightly, output.rightly + output.in_error)
    }

    /// The percentage of changed pages that were reported.
    fn recall(&self) -> f64 {
        let output = self.total();
        percent(output.rightly, output.rightly + output.missed)
    }

    /// The largest percentage of bytes in a run without changes: of sections that answer 304, and of the entire site.
    fn quiet_percent(&self) -> (f64, f64) {
        let worst = |of: fn(&Bytes) -> u64| {
            let shares = self.quiet.iter().map(|(_, bytes)| percent(of(bytes), of(&self.first)));
            shares.fold(0.0, f64::max)
        };
        (worst(|bytes| bytes.sparing), worst(|bytes| bytes.all))
    }
}

impl Display for Tally {
    /// One table.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let output = self.total();
        let mean = self.millis / i64::from(self.days.max(1));
        writeln!(f, "{} runs, {} pages in the last, {mean} ms a crawl", self.days, self.pages)?;
        writeln!(
            f,
            "{:10} {:>12} {:>13} {:>14} {:>7}",
            "section", "judged", "reported, changed", "reported in error", "missed"
        )?;
        for (name, row) in self.sections.iter().chain([(&"all", &output)]) {
            writeln!(f, "{name:10} {:12} {:13} {:14} {:7}", row.pages, row.rightly, row.in_error, row.missed)?;
        }
        writeln!(f, "precision  {:.2} %, recall {:.2} %", self.precision(), self.recall())?;
        writeln!(f, "cells      {} of {} that went from yes to no or back were reported", self.flips.0, self.flips.1)?;
        writeln!(f, "around     {} times boilerplate alone changed", self.boilerplate)?;
        let (sparing, all) = self.quiet_percent();
        let first = self.first;
        writeln!(f, "first      {} bytes, {} of them where 304 is to be had", first.all, first.sparing)?;
        writeln!(
            f,
            "quiet      {sparing:.1} % of them there, {all:.1} % of the entire site: the most of {} runs",
            self.quiet.len()
        )?;
        let last = self.sizes.last().map_or(0, |(day, _)| *day);
        let shown = self.sizes.iter().filter(|(day, _)| *day == 1 || day % MONTH == 0 || *day == last);
        let sizes: Vec<String> = shown.map(|(day, bytes)| format!("{day}: {} KiB", bytes >> 10)).collect();
        writeln!(f, "record     after run {}", sizes.join(", "))?;
        let faults: Vec<String> = self.faults.iter().map(|(fault, all)| format!("{fault:?} {}", all.len())).collect();
        writeln!(f, "faults     {}", if faults.is_empty() { "none".to_owned() } else { faults.join(", ") })
    }
}

#[allow(clippy::cast_precision_loss, reason = "shares of counts, for people")]
fn percent(part: u64, complete: u64) -> f64 {
    if complete == 0 { 0.0 } else { part as f64 * 100.0 / complete as f64 }
}
