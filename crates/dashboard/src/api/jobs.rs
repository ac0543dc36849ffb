//! Jobs, their runs, and the commands for them.

use super::shapes::{self, answer};
use crate::app_state::Shared;
use crate::guard::visitor::Visitor;
use crate::pages::commands::{self, JobCommand};
use crate::problem::Problem;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mapwright_service::Tested;
use serde::Deserialize;
use serde_json::{Value, json};

/// Maximum number of runs in one response.
const MAX_LIMIT: usize = 500;

pub(super) async fn all(State(state): State<Shared>) -> Result<Response, Problem> {
    let jobs = state.query_service(|service| service.jobs()).await?;
    Ok(answer(&json!({ "jobs": jobs.iter().map(shapes::job).collect::<Vec<Value>>() })))
}

pub(super) async fn one(State(state): State<Shared>, Path(name): Path<String>) -> Result<Response, Problem> {
    Ok(answer(&shapes::job(&state.job(&name).await?)))
}

/// The query parameters that select runs.
#[derive(Debug, Deserialize)]
pub(super) struct RunsQuery {
    before: Option<i64>,
    limit: Option<usize>,
}

pub(super) async fn runs(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<RunsQuery>,
) -> Result<Response, Problem> {
    state.job(&name).await?;
    let most = query.limit.unwrap_or(100);
    if !(1..=MAX_LIMIT).contains(&most) {
        return Err(Problem::new(StatusCode::BAD_REQUEST, format!("limit is from 1 to {MAX_LIMIT}")));
    }
    let runs = state.query_service(move |service| service.runs(&name, query.before, most + 1)).await??;
    let shown = runs.get(..most).unwrap_or(&runs);
    let next = runs.get(most).and_then(|_| shown.last()).map(|run| run.number);
    Ok(answer(&json!({ "runs": shown.iter().map(shapes::run).collect::<Vec<Value>>(), "next_before": next })))
}

pub(super) async fn command(
    command: JobCommand,
    State(state): State<Shared>,
    Path(job): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    command.give(&state, &visitor, &job).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

pub(super) async fn test(
    State(state): State<Shared>,
    Path(job): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let tested = commands::test_messages(&state, &visitor, &job).await?;
    let receiver = |one: &Tested| json!({ "receiver": one.receiver, "fault": one.fault });
    Ok(answer(&json!({ "receivers": tested.iter().map(receiver).collect::<Vec<Value>>() })))
}
