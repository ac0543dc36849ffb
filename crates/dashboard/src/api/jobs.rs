//! Jobs, their runs, and the commands for them.

use super::document::{ChangeFields, JobPath};
use super::shapes::JobJson;
use crate::app_state::Shared;
use crate::guard::visitor::Visitor;
use crate::pages::commands::{self, JobCommand};
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mapwright_service::{JobRun, LogLine, Tested};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Maximum number of runs in one response.
const MAX_LIMIT: usize = 500;

#[derive(Serialize, ToSchema)]
struct Jobs<'j> {
    jobs: Vec<JobJson<'j>>,
}

/// All jobs, by name
#[utoipa::path(get, path = "/jobs", responses((status = 200, description = "The jobs", body = Jobs), Problem))]
pub(super) async fn jobs(State(state): State<Shared>) -> Result<Response, Problem> {
    let jobs = state.query_service(|service| service.jobs()).await?;
    Ok(Json(Jobs { jobs: jobs.iter().map(JobJson::from).collect() }).into_response())
}

/// One job
#[utoipa::path(
    get,
    path = "/jobs/{job}",
    params(JobPath),
    responses((status = 200, description = "The job", body = JobJson), Problem)
)]
pub(super) async fn job(State(state): State<Shared>, Path(name): Path<String>) -> Result<Response, Problem> {
    Ok(Json(JobJson::from(&state.job(&name).await?)).into_response())
}

/// The query parameters that select runs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RunsQuery {
    /// Only runs before this number.
    before: Option<i64>,
    /// The maximum number of runs.
    #[param(minimum = 1, maximum = 500, default = 100)]
    limit: Option<usize>,
}

#[derive(Serialize, ToSchema)]
struct JobRuns<'r> {
    runs: &'r [JobRun],
    /// The value of `before` for the next older runs.
    #[schema(required)]
    next_before: Option<i64>,
}

/// The runs of a job, newest first
#[utoipa::path(
    get,
    path = "/jobs/{job}/runs",
    params(JobPath, RunsQuery),
    responses((status = 200, description = "The runs", body = JobRuns), Problem)
)]
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
    let found = state.query_service(move |service| service.runs(&name, query.before, most + 1)).await??;
    let runs = found.get(..most).unwrap_or(&found);
    let next_before = found.get(most).and_then(|_| runs.last()).map(|run| run.number);
    Ok(Json(JobRuns { runs, next_before }).into_response())
}

#[derive(Serialize, ToSchema)]
struct RunLog {
    /// At most 1,000 lines; none if the log is not kept any more.
    lines: Vec<LogLine>,
}

/// The run of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes segments that the handler takes as a pair")]
struct RunPath {
    /// The name of the job.
    job: String,
    /// The number of the run.
    run: i64,
}

/// The log of a run: its steps, and the requests that failed
#[utoipa::path(
    get,
    path = "/jobs/{job}/runs/{run}/log",
    params(RunPath),
    responses((status = 200, description = "The log", body = RunLog), Problem)
)]
pub(super) async fn log(
    State(state): State<Shared>,
    Path((name, run)): Path<(String, i64)>,
) -> Result<Response, Problem> {
    state.job(&name).await?;
    let lines = state.query_service(move |service| service.run_log(&name, run)).await??;
    Ok(Json(RunLog { lines }).into_response())
}

/// Start a job now, whatever its schedule says
#[utoipa::path(
    post,
    path = "/jobs/{job}/start",
    params(JobPath, ChangeFields),
    responses((status = 204, description = "It starts"), Problem)
)]
pub(super) async fn start(state: State<Shared>, job: Path<String>, visitor: Visitor) -> Result<StatusCode, Problem> {
    command(JobCommand::Start, &state, &job, &visitor).await
}

/// Stop a running job, or one that waits to run; what it committed is kept
#[utoipa::path(
    post,
    path = "/jobs/{job}/stop",
    params(JobPath, ChangeFields),
    responses((status = 204, description = "It stops"), Problem)
)]
pub(super) async fn stop(state: State<Shared>, job: Path<String>, visitor: Visitor) -> Result<StatusCode, Problem> {
    command(JobCommand::Stop, &state, &job, &visitor).await
}

/// Pause a job: no run of it begins
#[utoipa::path(
    post,
    path = "/jobs/{job}/pause",
    params(JobPath, ChangeFields),
    responses((status = 204, description = "It is paused"), Problem)
)]
pub(super) async fn pause(state: State<Shared>, job: Path<String>, visitor: Visitor) -> Result<StatusCode, Problem> {
    command(JobCommand::Pause, &state, &job, &visitor).await
}

/// Resume a paused job
#[utoipa::path(
    post,
    path = "/jobs/{job}/resume",
    params(JobPath, ChangeFields),
    responses((status = 204, description = "It is resumed"), Problem)
)]
pub(super) async fn resume(state: State<Shared>, job: Path<String>, visitor: Visitor) -> Result<StatusCode, Problem> {
    command(JobCommand::Resume, &state, &job, &visitor).await
}

async fn command(command: JobCommand, state: &Shared, job: &str, visitor: &Visitor) -> Result<StatusCode, Problem> {
    command.give(state, visitor, job).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Serialize, ToSchema)]
struct TestedReceivers {
    receivers: Vec<Tested>,
}

/// Send a test notification to every receiver of a job
#[utoipa::path(
    post,
    path = "/jobs/{job}/test",
    params(JobPath, ChangeFields),
    responses((status = 200, description = "What each answered", body = TestedReceivers), Problem)
)]
pub(super) async fn test(
    State(state): State<Shared>,
    Path(job): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let receivers = commands::test_messages(&state, &visitor, &job).await?;
    Ok(Json(TestedReceivers { receivers }).into_response())
}
