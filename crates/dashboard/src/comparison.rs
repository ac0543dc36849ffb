//! What is other in one run of a record than in another.

use crate::archive::{self, Deadline};
use crate::problem::Problem;
use axum::http::StatusCode;
use jiff::Timestamp;
use mapwright_jobs::differences::{answers, why_out, word};
use mapwright_store::{Difference, Record, RunRow, RunState};
use serde::Deserialize;
use std::path::Path;

/// URLs of one sort that are told; all are counted.
const MOST: usize = 200;
/// Runs that can be chosen.
const RUNS: usize = 200;

/// The runs to compare; by default the two newest whole ones.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    a: String,
    b: String,
}

/// A run that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) number: i64,
    pub(crate) started: Option<Timestamp>,
    pub(crate) state: RunState,
}

/// Two runs, and in what they differ.
pub(crate) struct Comparison {
    pub(crate) before: i64,
    pub(crate) now: i64,
    /// The second run was whole: what it did not meet is gone.
    pub(crate) whole: bool,
    pub(crate) sections: Vec<Section>,
}

/// In what way a URL differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    CameIn,
    WentOut,
    OtherAnswer,
    Changed,
    Added,
    Removed,
}

const SORTS: [Sort; 6] = [Sort::CameIn, Sort::WentOut, Sort::OtherAnswer, Sort::Changed, Sort::Added, Sort::Removed];

/// URLs that differ in one way.
pub(crate) struct Section {
    pub(crate) sort: Sort,
    /// How many there are.
    pub(crate) count: u64,
    /// The first of them, and what is to be said of each.
    pub(crate) urls: Vec<(String, String)>,
}

impl Sort {
    /// What is to be said of a URL that differs in this way.
    fn words(self, difference: &Difference, whole: bool) -> Option<String> {
        let (before, now) = (difference.before.as_ref(), difference.now.as_ref());
        match self {
            Self::CameIn => difference.came_in().then(|| word(now)),
            Self::WentOut => difference.went_out().then(|| why_out(difference, whole).to_owned()),
            Self::OtherAnswer => difference.has_other_status().then(|| answers(difference).join(" → ")),
            Self::Changed => difference.is_changed().then(|| word(now)),
            Self::Added => difference.is_added().then(|| word(now)),
            Self::Removed => difference.is_removed().then(|| word(before)),
        }
    }
}

/// The runs of a record that can be chosen, newest first.
pub(crate) fn runs(folder: &Path) -> Result<Vec<Run>, Problem> {
    Ok(rows(&archive::open(folder)?)?.into_iter().map(Run::of).collect())
}

/// The runs of a record that can be chosen, and what is other in one than in the other; nothing where no runs are
/// named, and there are no two whole ones.
pub(crate) fn compare(
    folder: &Path,
    asked: &Asked,
    deadline: Deadline,
) -> Result<(Vec<Run>, Option<Comparison>), Problem> {
    let record = archive::open(folder)?;
    let rows = rows(&record)?;
    let newest = record.comparable()?;
    let find = |text: &str, place: usize| -> Result<Option<&RunRow>, Problem> {
        if text.is_empty() {
            return Ok(newest.get(place).and_then(|run| rows.iter().find(|row| row.run == *run)));
        }
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "there is no such run in the record");
        rows.iter().find(|row| row.run.to_string() == text).map(Some).ok_or_else(unknown)
    };
    let pair = find(&asked.a, 0)?.zip(find(&asked.b, 1)?);
    let compared = pair.map(|(before, now)| differences(&record, before, now, deadline)).transpose()?;
    Ok((rows.into_iter().map(Run::of).collect(), compared))
}

fn rows(record: &Record) -> Result<Vec<RunRow>, Problem> {
    Ok(record.runs()?.into_iter().filter(|run| run.state != RunState::Running).take(RUNS).collect())
}

fn differences(record: &Record, before: &RunRow, now: &RunRow, deadline: Deadline) -> Result<Comparison, Problem> {
    let whole = now.state == RunState::Whole;
    let mut sections = SORTS.map(|sort| Section { sort, count: 0, urls: Vec::new() });
    record.diff(before.run, now.run, |difference| {
        sections.iter_mut().for_each(|section| section.take(&difference, whole));
        deadline.check()
    })?;
    Ok(Comparison { before: before.run, now: now.run, whole, sections: sections.into() })
}

impl Section {
    fn take(&mut self, difference: &Difference, whole: bool) {
        let Some(words) = self.sort.words(difference, whole) else { return };
        self.count += 1;
        if self.urls.len() < MOST {
            self.urls.push((difference.url.clone(), words));
        }
    }
}

impl Run {
    fn of(row: RunRow) -> Self {
        Self { number: row.run, started: Timestamp::from_millisecond(row.started).ok(), state: row.state }
    }
}
