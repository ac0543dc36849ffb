//! `/jobs/NAME/runs/N`: one run.

use super::views::{self, RunSummary};
use super::{Frame, render};
use crate::app_state::{AppState, Shared};
use crate::comparison;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Time, shown};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use mapwright_service::{JobRunState, JobView, KeptReports};
use std::path::PathBuf;

#[derive(Template)]
#[template(path = "run.html")]
struct Page {
    frame: Frame,
    path: String,
    run: RunSummary,
    /// The record's runs of the previous and of this job run, where the record still holds both.
    compared: Option<(i64, i64)>,
    /// The path of the findings of this run, or of the newest audit, and which of the two it is.
    findings: Option<(String, &'static str)>,
    /// The log: time, class of the level, text.
    log: Vec<(Time, &'static str, String)>,
}

/// Number of earlier job runs that are searched for one to compare with.
const BEFORE: usize = 30;

pub(crate) async fn page(
    State(state): State<Shared>,
    Path((name, number)): Path<(String, i64)>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("Run {number} of {}", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, None, title).await?;
    let wanted = name.clone();
    let runs = state.query_service(move |service| service.runs(&wanted, number.checked_add(1), BEFORE)).await??;
    let mut runs = runs.iter();
    let run = runs.next().filter(|run| run.number == number).ok_or_else(Problem::not_found)?;
    let before = runs.filter(|other| other.state == JobRunState::Done).find_map(|other| other.record_run);
    let pair = before.zip(run.record_run).filter(|(before, now)| before != now);
    let wanted = name.clone();
    let log = state.query_service(move |service| service.run_log(&wanted, number)).await??;
    let log = log.iter().map(|line| (Time::of(Some(line.at)), line.level.as_str(), shown(&line.text))).collect();
    let findings = findings(&state, &job, run.record_run, &views::path(&name)).await?;
    let compared = match pair {
        Some(pair) => held(&state, job.record, pair).await,
        None => None,
    };
    Ok(render(&Page { frame, path: views::path(&name), run: RunSummary::of(run), compared, findings, log }))
}

/// Returns the path and the title of the findings of this crawl, or of the newest audit where none of this crawl is kept.
async fn findings(
    state: &AppState,
    job: &JobView,
    record_run: Option<i64>,
    path: &str,
) -> Result<Option<(String, &'static str)>, Problem> {
    let kept = KeptReports::of(&job.record);
    let runs = state.query_service(move |_| kept.runs()).await?;
    if let Some(run) = record_run.filter(|run| job.reports.is_some() && runs.contains(run)) {
        return Ok(Some((format!("{path}/findings?run={run}"), "Findings of this run")));
    }
    Ok(state.job_results(job).await?.findings.then(|| (format!("{path}/findings"), "Findings of the newest audit")))
}

/// Returns the two runs if both can still be compared: old ones are pruned, and a record may be missing or damaged.
async fn held(state: &AppState, record: PathBuf, pair: (i64, i64)) -> Option<(i64, i64)> {
    let runs = state.read(move |_| comparison::runs(&record)).await.ok()?;
    let is_held = |wanted: i64| runs.iter().any(|run| run.number == wanted);
    (is_held(pair.0) && is_held(pair.1)).then_some(pair)
}
