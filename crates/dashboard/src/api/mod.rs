//! `/api/v1`: the JSON API. `openapi.json` describes it.

mod compare;
mod files;
mod findings;
mod jobs;
mod live;
mod shapes;

use crate::app_state::Shared;
use crate::pages::commands::JobCommand;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::{get, post};
use jobs::command;

/// The paths of the API.
pub(crate) fn routes() -> Router<Shared> {
    let api = Router::new()
        .route("/openapi.json", get(|| async { ([(CONTENT_TYPE, "application/json")], include_str!("openapi.json")) }))
        .route("/jobs", get(jobs::all))
        .route("/jobs/{job}", get(jobs::one))
        .route("/jobs/{job}/runs", get(jobs::runs))
        .route("/jobs/{job}/live", get(live::live))
        .route("/jobs/{job}/findings", get(findings::findings))
        .route("/jobs/{job}/explain", get(findings::explain))
        .route("/jobs/{job}/compare", get(compare::compare))
        .route("/jobs/{job}/files", get(files::files))
        .route("/jobs/{job}/test", post(jobs::test))
        .route("/jobs/{job}/start", post(|state, job, who| command(JobCommand::Start, state, job, who)))
        .route("/jobs/{job}/stop", post(|state, job, who| command(JobCommand::Stop, state, job, who)))
        .route("/jobs/{job}/pause", post(|state, job, who| command(JobCommand::Pause, state, job, who)))
        .route("/jobs/{job}/resume", post(|state, job, who| command(JobCommand::Resume, state, job, who)));
    Router::new().nest("/api/v1", api)
}
