//! The differences between two runs of a record.

use crate::archive;
use crate::deadline::Deadline;
use crate::problem::Problem;
use axum::http::StatusCode;
use jiff::Timestamp;
use mapwright_crawl::differences::{DifferenceKind, answers, noindex_change, removal_reason, titles, word};
use mapwright_store::{Difference, Record, RunRow, RunState, TextChange};
use serde::{Deserialize, Serialize};
use std::path::Path;
use utoipa::{IntoParams, ToSchema};

/// Maximum number of listed URLs of one kind of difference; all are counted.
const MAX_URLS: usize = 200;
/// Maximum number of runs to choose from.
const RUNS: usize = 200;

/// The runs to compare; by default the two newest complete ones.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct ComparisonQuery {
    /// The run before.
    #[param(pattern = "^[0-9]*$")]
    a: String,
    /// The run that is compared with it.
    #[param(pattern = "^[0-9]*$")]
    b: String,
}

/// A run to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Run)]
pub(crate) struct RunChoice {
    pub(crate) number: i64,
    #[schema(required)]
    pub(crate) started: Option<Timestamp>,
    /// `complete`, `cut`, `failed` or `dropped`.
    #[schema(value_type = String)]
    pub(crate) state: RunState,
}

/// The comparison of two runs.
pub(crate) struct Comparison {
    pub(crate) before: i64,
    pub(crate) now: i64,
    /// The second run was complete: a URL that it did not find is gone.
    pub(crate) complete: bool,
    pub(crate) sections: Vec<Section>,
}

/// The kinds of differences, in the order of the page.
const SECTIONS: [DifferenceKind; 8] = [
    DifferenceKind::AddedToSitemap,
    DifferenceKind::RemovedFromSitemap,
    DifferenceKind::StatusChanged,
    DifferenceKind::Changed,
    DifferenceKind::TitleChanged,
    DifferenceKind::Added,
    DifferenceKind::Removed,
    DifferenceKind::Noindex,
];

/// The URLs with one kind of difference.
pub(crate) struct Section {
    pub(crate) kind: DifferenceKind,
    /// The number of URLs.
    pub(crate) count: u64,
    /// The first URLs.
    pub(crate) urls: Vec<ComparedUrl>,
}

/// A URL in which two runs differ.
pub(crate) struct ComparedUrl {
    pub(crate) url: String,
    /// The difference, in words.
    pub(crate) words: String,
    /// The text that came and went, where its content changed.
    pub(crate) text: Option<TextChange>,
}

/// The description of a URL with a kind of difference.
fn words(kind: DifferenceKind, difference: &Difference, complete: bool) -> String {
    match kind {
        DifferenceKind::AddedToSitemap | DifferenceKind::Changed | DifferenceKind::Added => {
            word(difference.now.as_ref())
        }
        DifferenceKind::RemovedFromSitemap => removal_reason(difference, complete).to_owned(),
        DifferenceKind::TitleChanged => titles(difference),
        DifferenceKind::StatusChanged => answers(difference).join(" → "),
        DifferenceKind::Removed => word(difference.before.as_ref()),
        DifferenceKind::Noindex => noindex_change(difference).unwrap_or_default().to_owned(),
    }
}

/// Returns the runs of a record to choose from, the newest first.
pub(crate) fn runs(folder: &Path) -> Result<Vec<RunChoice>, Problem> {
    Ok(rows(&archive::open(folder)?)?.into_iter().map(RunChoice::of).collect())
}

/// Returns the runs of a record to choose from, and the comparison of two of them; `None` where no runs are named and
/// there are no two complete ones.
pub(crate) fn compare(
    folder: &Path,
    query: &ComparisonQuery,
    deadline: Deadline,
) -> Result<(Vec<RunChoice>, Option<Comparison>), Problem> {
    let record = archive::open(folder)?;
    let rows = rows(&record)?;
    let newest = record.comparable()?;
    let find = |text: &str, place: usize| -> Result<Option<&RunRow>, Problem> {
        if text.is_empty() {
            return Ok(newest.get(place).and_then(|run| rows.iter().find(|row| row.run == *run)));
        }
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "there is no such crawl in the crawl database");
        rows.iter().find(|row| row.run.to_string() == text).map(Some).ok_or_else(unknown)
    };
    let pair = find(&query.a, 0)?.zip(find(&query.b, 1)?);
    let compared = pair.map(|(before, now)| differences(&record, before, now, deadline)).transpose()?;
    Ok((rows.into_iter().map(RunChoice::of).collect(), compared))
}

fn rows(record: &Record) -> Result<Vec<RunRow>, Problem> {
    Ok(record.runs()?.into_iter().filter(|run| run.state != RunState::Running).take(RUNS).collect())
}

fn differences(record: &Record, before: &RunRow, now: &RunRow, deadline: Deadline) -> Result<Comparison, Problem> {
    let complete = now.state == RunState::Complete;
    let mut sections = SECTIONS.map(|kind| Section { kind, count: 0, urls: Vec::new() });
    record.diff(before.run, now.run, |difference| {
        sections.iter_mut().try_for_each(|section| section.take(&difference, complete, record))?;
        deadline.check()
    })?;
    Ok(Comparison { before: before.run, now: now.run, complete, sections: sections.into() })
}

impl Section {
    fn take(&mut self, difference: &Difference, complete: bool, record: &Record) -> Result<(), Problem> {
        if !self.kind.includes(difference) {
            return Ok(());
        }
        self.count += 1;
        if self.urls.len() < MAX_URLS {
            let text = if self.kind == DifferenceKind::Changed { record.text_change(difference)? } else { None };
            let (url, words) = (difference.url.clone(), words(self.kind, difference, complete));
            self.urls.push(ComparedUrl { url, words, text });
        }
        Ok(())
    }
}

impl RunChoice {
    fn of(row: RunRow) -> Self {
        Self { number: row.run, started: Timestamp::from_millisecond(row.started).ok(), state: row.state }
    }
}
