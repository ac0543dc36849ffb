//! The routes of the dashboard.

use crate::app_state::Shared;
use crate::guard::{add_security_headers, guard};
use crate::pages::commands::{self, JobCommand, command};
use crate::pages::{
    assets, compare, edit, explain, files, findings, job, jobs, login, parameters, run, settings, urls,
};
use crate::problem::Problem;
use crate::{api, metrics};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use mapwright_service::Outage;
use std::sync::Arc;

/// All routes.
pub(crate) fn routes(state: &Shared) -> Router {
    pages()
        .merge(api::routes())
        .route("/metrics", get(metrics::metrics))
        .route("/healthz", get(healthy))
        .route("/readyz", get(ready))
        .fallback(|| async { Problem::not_found() })
        .layer(from_fn_with_state(Arc::clone(state), guard))
        .layer(from_fn(add_security_headers))
        .with_state(Arc::clone(state))
}

fn pages() -> Router<Shared> {
    Router::new()
        .route("/", get(jobs::page))
        .route("/new", get(edit::new).post(edit::make))
        .route("/jobs/{job}", get(job::page))
        .route("/jobs/{job}/edit", get(edit::page).post(edit::change))
        .route("/jobs/{job}/remove", get(edit::remove_page).post(edit::remove))
        .route("/jobs/{job}/runs/{run}", get(run::page))
        .route("/jobs/{job}/compare", get(compare::page))
        .route("/jobs/{job}/findings", get(findings::page))
        .route("/jobs/{job}/explain", get(explain::page))
        .route("/jobs/{job}/urls", get(urls::page))
        .route("/jobs/{job}/urls.csv", get(urls::csv))
        .route("/jobs/{job}/parameters", get(parameters::page))
        .route("/jobs/{job}/settings", get(settings::page))
        .route("/jobs/{job}/files", get(files::page))
        .route("/jobs/{job}/files/{kind}/{file}", get(files::file))
        .route("/jobs/{job}/start", post(|state, job, who, form| command(JobCommand::Start, state, job, who, form)))
        .route("/jobs/{job}/stop", post(|state, job, who, form| command(JobCommand::Stop, state, job, who, form)))
        .route("/jobs/{job}/pause", post(|state, job, who, form| command(JobCommand::Pause, state, job, who, form)))
        .route("/jobs/{job}/resume", post(|state, job, who, form| command(JobCommand::Resume, state, job, who, form)))
        .route("/jobs/{job}/test", post(commands::test))
        .route("/login", get(login::form).post(login::log_in))
        .route("/logout", post(login::log_out))
        .route("/assets/dashboard.css", get(assets::style))
        .route("/assets/dashboard.js", get(assets::script))
        .route("/assets/times.js", get(assets::times))
        .route("/assets/refresh.js", get(assets::refresh))
        .route("/assets/icon.svg", get(assets::icon))
}

/// `/healthz`: answers 503 if the database of the service was removed, which needs a restart.
async fn healthy(State(state): State<Shared>) -> Response {
    match state.service.outage() {
        Some(outage) if outage.is_lost => unavailable("the database of the service was removed; start it again\n"),
        _ => "ok\n".into_response(),
    }
}

/// `/readyz`: reports whether the service accepts work.
async fn ready(State(state): State<Shared>) -> Response {
    match state.service.outage() {
        Some(Outage { is_lost: true, .. }) => {
            return unavailable("not ready: the database of the service was removed\n");
        }
        Some(_) => return unavailable("not ready: the database of the service cannot be written\n"),
        None => {}
    }
    match state.query_service(|service| service.figures().ready).await {
        Ok(true) if !state.stop.is_cancelled() => "ready\n".into_response(),
        _ => unavailable("not ready\n"),
    }
}

fn unavailable(why: &'static str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, why).into_response()
}
