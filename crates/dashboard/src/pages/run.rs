//! `/jobs/NAME/runs/N`: one run.

use super::views::{self, Run};
use super::{Frame, render};
use crate::comparison;
use crate::desk::{Desk, Shared};
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use mapwright_jobs::service::JobRunState;
use std::path::PathBuf;

#[derive(Template)]
#[template(path = "run.html")]
struct Page {
    frame: Frame,
    name: String,
    path: String,
    run: Run,
    /// The runs of the run before and of this one, where the record holds both still.
    compared: Option<(i64, i64)>,
    /// There are findings to lead to.
    findings: bool,
}

/// Runs that are looked through for one with a run to compare with.
const BEFORE: usize = 30;

pub(crate) async fn page(
    State(state): State<Shared>,
    Path((name, number)): Path<(String, i64)>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let wanted = name.clone();
    let runs = state.ask(move |service| service.runs(&wanted, number.checked_add(1), BEFORE)).await??;
    let mut runs = runs.iter();
    let run = runs.next().filter(|run| run.number == number).ok_or_else(Problem::not_found)?;
    let before = runs.filter(|other| other.outcome == JobRunState::Done).find_map(|other| other.run);
    let pair = before.zip(run.run).filter(|(before, now)| before != now);
    let findings = state.kept(&job).await?.findings;
    let compared = match pair {
        Some(pair) => held(&state, job.record, pair).await,
        None => None,
    };
    Ok(render(&Page {
        frame: Frame::of(&visitor, format!("Run {number} of {}", shown(&name))),
        name: shown(&name),
        path: views::path(&name),
        run: Run::of(run),
        compared,
        findings,
    }))
}

/// Two runs, where both can be compared still: old ones are pruned, and a record may be gone or damaged.
async fn held(state: &Desk, record: PathBuf, pair: (i64, i64)) -> Option<(i64, i64)> {
    let runs = state.read(move |_| comparison::runs(&record)).await.ok()?;
    let is_held = |wanted: i64| runs.iter().any(|run| run.number == wanted);
    (is_held(pair.0) && is_held(pair.1)).then_some(pair)
}
