//! The figures of many nights, and what they must be.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use mapwright_testkit::living::{Kind, Night, Traffic};

/// Told as changed and true; and told in error; and changed and missed: of a hundred at least so many are right.
const LEAST_PERCENT: f64 = 99.0;
/// Bytes of a night without change, of a hundred of the first night's, where 304 is to be had.
const MOST_QUIET_PERCENT: f64 = 10.0;
/// The nights between two sizes in the table.
const MONTH: u32 = 30;
/// Examples that are kept of each kind of fault.
const EXAMPLES: usize = 12;

/// What must never be, in any night.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// The set that is listed is not the true one.
    Set,
    /// A lastmod fell back to none.
    TakenBack,
    /// A lastmod is later than the end of the crawl that could first see the change.
    Late,
    /// A lastmod of a change is earlier than the crawl that did not see it yet.
    Early,
    /// A page that tells its own date has another.
    Own,
    /// A date where none can be known.
    Invented,
    /// A page that fails for a night has another lastmod.
    Failing,
    /// Files differ after a night in which nothing changed.
    Quiet,
    /// Something is wrong with the files.
    Parts,
}

/// How pages of one section were told.
#[derive(Debug, Clone, Copy, Default)]
struct Told {
    pages: u64,
    rightly: u64,
    in_error: u64,
    missed: u64,
}

/// The bytes of a night.
#[derive(Debug, Clone, Copy, Default)]
struct Bytes {
    /// Of the sections in which a 304 is to be had.
    sparing: u64,
    all: u64,
}

/// The figures.
#[derive(Debug, Default)]
pub struct Tally {
    /// The bytes of the record's folder after each night.
    pub sizes: Vec<(u32, u64)>,
    sections: BTreeMap<&'static str, Told>,
    flips: (u64, u64),
    faults: BTreeMap<Fault, Vec<String>>,
    examples: Vec<String>,
    nights: u32,
    pages: usize,
    millis: i64,
    boilerplate: usize,
    first: Bytes,
    quiet: Vec<(u32, Bytes)>,
}

impl Tally {
    pub(super) fn begin(&mut self, night: &Night, millis: i64, traffic: BTreeMap<&'static str, Traffic>) {
        self.nights = night.number;
        self.pages = night.listed.len();
        self.millis += millis;
        self.boilerplate += night.boilerplate.len();
        let sum = |fits: fn(&Traffic) -> bool| traffic.values().filter(|it| fits(it)).map(|it| it.bytes).sum();
        let bytes = Bytes { sparing: sum(|traffic| traffic.answers_304), all: sum(|_| true) };
        match night.kind {
            Kind::First => self.first = bytes,
            Kind::Quiet => self.quiet.push((night.number, bytes)),
            Kind::Plain | Kind::Deploy => {}
        }
    }

    pub(super) fn count(&mut self, section: &'static str, changed: bool, told: bool) {
        let row = self.sections.entry(section).or_default();
        row.pages += 1;
        match (changed, told) {
            (true, true) => row.rightly += 1,
            (false, true) => row.in_error += 1,
            (true, false) => row.missed += 1,
            (false, false) => {}
        }
    }

    pub(super) fn flipped(&mut self, told: bool) {
        self.flips.0 += u64::from(told);
        self.flips.1 += 1;
    }

    pub(super) fn example(&mut self, text: String) {
        self.examples.push(text);
    }

    pub(super) fn fault(&mut self, fault: Fault, text: String) {
        self.faults.entry(fault).or_default().push(text);
    }

    /// The bytes of the record's folder after a night; 0 where it was not reached.
    #[must_use]
    pub fn size_after(&self, night: u32) -> u64 {
        self.sizes.iter().find(|(number, _)| *number == night).map_or(0, |(_, bytes)| *bytes)
    }

    /// Asserts what must hold over any number of nights.
    ///
    /// # Panics
    /// When it does not hold.
    #[track_caller]
    pub fn assert_good(&self) {
        let told = self.total();
        assert!(told.rightly + told.missed >= 20, "too few changes to tell anything: {told:?}");
        let mut wrong = Vec::new();
        if self.precision() < LEAST_PERCENT || self.recall() < LEAST_PERCENT {
            wrong.push(format!("{} told in error, {} missed:", told.in_error, told.missed));
            wrong.extend(self.examples.iter().take(EXAMPLES).cloned());
        }
        for (fault, texts) in &self.faults {
            wrong.push(format!("{fault:?}, {} times:", texts.len()));
            wrong.extend(texts.iter().take(EXAMPLES).cloned());
        }
        let (quiet, _) = self.quiet_percent();
        if self.quiet.is_empty() || quiet > MOST_QUIET_PERCENT {
            wrong.push(format!("{quiet:.1} % of the first night's bytes in a night without change"));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    fn total(&self) -> Told {
        self.sections.values().fold(Told::default(), |sum, row| Told {
            pages: sum.pages + row.pages,
            rightly: sum.rightly + row.rightly,
            in_error: sum.in_error + row.in_error,
            missed: sum.missed + row.missed,
        })
    }

    /// Of a hundred pages told as changed, so many did change.
    fn precision(&self) -> f64 {
        let told = self.total();
        percent(told.rightly, told.rightly + told.in_error)
    }

    /// Of a hundred pages that changed, so many were told.
    fn recall(&self) -> f64 {
        let told = self.total();
        percent(told.rightly, told.rightly + told.missed)
    }

    /// The worst quiet night: where 304 is to be had, and of the whole site.
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
        let told = self.total();
        let mean = self.millis / i64::from(self.nights.max(1));
        writeln!(f, "{} nights, {} pages in the last, {mean} ms a crawl", self.nights, self.pages)?;
        writeln!(
            f,
            "{:10} {:>12} {:>13} {:>14} {:>7}",
            "section", "judged", "told, changed", "told in error", "missed"
        )?;
        for (name, row) in self.sections.iter().chain([(&"all", &told)]) {
            writeln!(f, "{name:10} {:12} {:13} {:14} {:7}", row.pages, row.rightly, row.in_error, row.missed)?;
        }
        writeln!(f, "precision  {:.2} %, recall {:.2} %", self.precision(), self.recall())?;
        writeln!(f, "cells      {} of {} that went from yes to no or back were told", self.flips.0, self.flips.1)?;
        writeln!(f, "around     {} times boilerplate alone changed", self.boilerplate)?;
        let (sparing, all) = self.quiet_percent();
        let first = self.first;
        writeln!(f, "first      {} bytes, {} of them where 304 is to be had", first.all, first.sparing)?;
        writeln!(
            f,
            "quiet      {sparing:.1} % of them there, {all:.1} % of the whole site: the most of {} nights",
            self.quiet.len()
        )?;
        let last = self.sizes.last().map_or(0, |(night, _)| *night);
        let shown = self.sizes.iter().filter(|(night, _)| *night == 1 || night % MONTH == 0 || *night == last);
        let sizes: Vec<String> = shown.map(|(night, bytes)| format!("{night}: {} KiB", bytes >> 10)).collect();
        writeln!(f, "record     after night {}", sizes.join(", "))?;
        let faults: Vec<String> = self.faults.iter().map(|(fault, all)| format!("{fault:?} {}", all.len())).collect();
        writeln!(f, "faults     {}", if faults.is_empty() { "none".to_owned() } else { faults.join(", ") })
    }
}

#[allow(clippy::cast_precision_loss, reason = "shares of counts, for people")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}
