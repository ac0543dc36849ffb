//! Which path leads where.

use crate::desk::Shared;
use crate::guard::{dress, guard};
use crate::pages::orders::{self, Order, order};
use crate::pages::{assets, compare, explain, files, findings, job, jobs, login, run};
use crate::problem::Problem;
use crate::{api, metrics};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use mapwright_jobs::service::Outage;
use std::sync::Arc;

/// Everything that is answered.
pub(crate) fn routes(desk: &Shared) -> Router {
    pages()
        .merge(api::routes())
        .route("/metrics", get(metrics::metrics))
        .route("/healthz", get(healthy))
        .route("/readyz", get(ready))
        .fallback(|| async { Problem::not_found() })
        .layer(from_fn_with_state(Arc::clone(desk), guard))
        .layer(from_fn(dress))
        .with_state(Arc::clone(desk))
}

fn pages() -> Router<Shared> {
    Router::new()
        .route("/", get(jobs::page))
        .route("/jobs/{job}", get(job::page))
        .route("/jobs/{job}/runs/{run}", get(run::page))
        .route("/jobs/{job}/compare", get(compare::page))
        .route("/jobs/{job}/findings", get(findings::page))
        .route("/jobs/{job}/explain", get(explain::page))
        .route("/jobs/{job}/files", get(files::page))
        .route("/jobs/{job}/files/{kind}/{file}", get(files::file))
        .route("/jobs/{job}/start", post(|desk, job, who, form| order(Order::Start, desk, job, who, form)))
        .route("/jobs/{job}/stop", post(|desk, job, who, form| order(Order::Stop, desk, job, who, form)))
        .route("/jobs/{job}/pause", post(|desk, job, who, form| order(Order::Pause, desk, job, who, form)))
        .route("/jobs/{job}/resume", post(|desk, job, who, form| order(Order::Resume, desk, job, who, form)))
        .route("/jobs/{job}/test", post(orders::test))
        .route("/login", get(login::form).post(login::log_in))
        .route("/logout", post(login::log_out))
        .route("/assets/board.css", get(assets::style))
        .route("/assets/board.js", get(assets::script))
        .route("/assets/times.js", get(assets::times))
        .route("/assets/icon.svg", get(assets::icon))
}

/// Whether the service lives: one whose database is gone has to be started again.
async fn healthy(State(desk): State<Shared>) -> Response {
    match desk.service.outage() {
        Some(outage) if outage.is_lost => unavailable("the database of the service was removed; start it again\n"),
        _ => "ok\n".into_response(),
    }
}

/// Whether the service takes work.
async fn ready(State(desk): State<Shared>) -> Response {
    match desk.service.outage() {
        Some(Outage { is_lost: true, .. }) => {
            return unavailable("not ready: the database of the service was removed\n");
        }
        Some(_) => return unavailable("not ready: the database of the service cannot be written\n"),
        None => {}
    }
    match desk.ask(|service| service.figures().ready).await {
        Ok(true) if !desk.stop.is_cancelled() => "ready\n".into_response(),
        _ => unavailable("not ready\n"),
    }
}

fn unavailable(why: &'static str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, why).into_response()
}
