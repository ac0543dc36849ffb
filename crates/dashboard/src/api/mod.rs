//! `/api/v1`: the same for programs, in JSON. `openapi.json` describes it.

mod compare;
mod files;
mod findings;
mod jobs;
mod live;
mod shapes;

use crate::desk::Shared;
use crate::pages::orders::Order;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::{get, post};
use jobs::order;

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
        .route("/jobs/{job}/start", post(|desk, job, who| order(Order::Start, desk, job, who)))
        .route("/jobs/{job}/stop", post(|desk, job, who| order(Order::Stop, desk, job, who)))
        .route("/jobs/{job}/pause", post(|desk, job, who| order(Order::Pause, desk, job, who)))
        .route("/jobs/{job}/resume", post(|desk, job, who| order(Order::Resume, desk, job, who)));
    Router::new().nest("/api/v1", api)
}
