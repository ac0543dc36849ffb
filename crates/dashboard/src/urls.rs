//! The URLs of a job's newest run, read from its record.

use crate::archive;
use crate::deadline::Deadline;
use crate::problem::Problem;
use axum::http::StatusCode;
use mapwright_store::{Record, RunState, UrlFilter, UrlRow};
use mapwright_verdict::Reason;
use serde::Deserialize;
use std::path::Path;
use utoipa::IntoParams;

/// Number of URLs on a page.
pub(crate) const PAGE: u64 = 100;
/// Number of rows between two checks of the deadline.
const STRIDE: u64 = 512;

/// The filter of URLs; an empty field does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct UrlQuery {
    /// `listed`: in the sitemap; `excluded`: not.
    pub(crate) state: String,
    /// A reason for not being in the sitemap, such as `redirect`.
    pub(crate) reason: String,
    /// A part of the URL, in any case.
    pub(crate) q: String,
    /// The number of the URL before the first one.
    #[param(minimum = 0, default = 0)]
    pub(crate) after: u32,
}

/// The states to filter by, each with its label.
pub(crate) const STATES: [(&str, &str); 2] = [("listed", "in the sitemap"), ("excluded", "not in the sitemap")];

/// The URLs that match.
#[derive(Debug)]
pub(crate) struct FoundUrls {
    /// The run of the record.
    pub(crate) run: i64,
    /// That run is complete.
    pub(crate) complete: bool,
    /// The number of URLs by reason; those without one are in the sitemap.
    pub(crate) counts: Vec<(Option<Reason>, u64)>,
    /// A page of matching URLs.
    pub(crate) rows: Vec<UrlRow>,
    /// The key of the next page, if there is one.
    pub(crate) next: Option<u32>,
}

impl UrlQuery {
    /// Returns the filter.
    ///
    /// # Errors
    /// When a field has an unknown value.
    pub(crate) fn filter(&self) -> Result<UrlFilter, Problem> {
        let unknown = |what: &str| Problem::new(StatusCode::BAD_REQUEST, format!("there is no such {what}"));
        let listed = match self.state.as_str() {
            "" => None,
            "listed" => Some(true),
            "excluded" => Some(false),
            _ => return Err(unknown("state: it is `listed` or `excluded`")),
        };
        let named = |reason: &&Reason| reason.as_str() == self.reason;
        let reason = match self.reason.as_str() {
            "" => None,
            _ => Some(*Reason::ALL.iter().find(named).ok_or_else(|| unknown("reason"))?),
        };
        Ok(UrlFilter { part: self.q.trim().to_owned(), listed, reason })
    }
}

/// Opens the record of a job as of its newest run with results.
fn open(folder: &Path) -> Result<(Record, bool), Problem> {
    let record = archive::open(folder)?;
    let runs = record.runs()?;
    let ended = runs.iter().find(|run| matches!(run.state, RunState::Complete | RunState::Cut));
    let none = || Problem::new(StatusCode::NOT_FOUND, "no run of this job has ended yet");
    let run = ended.ok_or_else(none)?;
    Ok((record.as_of(run.run), run.state == RunState::Complete))
}

/// Reads a page of URLs of the record in this folder.
///
/// # Errors
/// When the filter is invalid, there is no record, or it cannot be read.
pub(crate) fn read(folder: &Path, query: &UrlQuery, deadline: Deadline) -> Result<FoundUrls, Problem> {
    let filter = query.filter()?;
    let (record, complete) = open(folder)?;
    let counts = record.urls_by_reason()?;
    deadline.check()?;
    let mut rows = Vec::new();
    record.each_url_row(&filter, query.after, PAGE + 1, |row| {
        rows.push(row);
        Ok::<(), Problem>(())
    })?;
    let is_more = rows.len() as u64 > PAGE;
    rows.truncate(PAGE as usize);
    let next = rows.last().filter(|_| is_more).map(|row| row.id);
    Ok(FoundUrls { run: record.run(), complete, counts, rows, next })
}

/// Passes all matching URLs to `take`.
///
/// # Errors
/// When the filter is invalid, there is no record, or it cannot be read; and the errors of `take`.
pub(crate) fn each(
    folder: &Path,
    filter: &UrlFilter,
    deadline: Deadline,
    mut take: impl FnMut(&UrlRow) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let (record, _) = open(folder)?;
    let mut count = 0_u64;
    record.each_url_row(filter, 0, u64::MAX, |row| {
        count += 1;
        if count.is_multiple_of(STRIDE) {
            deadline.check()?;
        }
        take(&row)
    })
}
