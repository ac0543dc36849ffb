//! The findings, and the explanation of a URL.

use super::document::JobPath;
use crate::app_state::Shared;
use crate::archive;
use crate::findings::{self, AuditedRun, Check, Finding, FindingFilter, PAGE};
use crate::pages::explain::ExplainQuery;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mapwright_crawl::explain::{ExplanationJson, explain as explanation};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct Findings {
    run: AuditedRun,
    checks: Vec<Check>,
    /// The number of all findings.
    all: u64,
    /// The number of matching findings.
    matching: u64,
    page: u64,
    pages: u64,
    #[schema(max_items = 100)]
    findings: Vec<Finding>,
}

/// The findings of the newest audit, a hundred at a time
#[utoipa::path(
    get,
    path = "/jobs/{job}/findings",
    params(JobPath, FindingFilter),
    responses((status = 200, description = "The findings", body = Findings), Problem)
)]
pub(super) async fn findings(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(filter): Query<FindingFilter>,
) -> Result<Json<Findings>, Problem> {
    let job = state.job(&name).await?;
    let none = || Problem::new(StatusCode::NOT_FOUND, "this job makes no audit, and has no findings");
    let reports = job.reports.ok_or_else(none)?;
    filter.check()?;
    let page = filter.page;
    let found = state.read(move |deadline| findings::read(&reports, &filter, deadline)).await?;
    Ok(Json(Findings {
        run: found.run,
        checks: found.checks,
        all: found.all,
        matching: found.matching,
        page,
        pages: found.matching.div_ceil(PAGE),
        findings: found.findings,
    }))
}

/// Why a URL is in the sitemap, or not; the same as `mapwright explain --format json`
#[utoipa::path(
    get,
    path = "/jobs/{job}/explain",
    params(JobPath, ExplainQuery),
    responses((status = 200, description = "The explanation", body = ExplanationJson), Problem)
)]
pub(super) async fn explain(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<ExplainQuery>,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let text = query.url.trim().to_owned();
    if text.is_empty() {
        return Err(Problem::new(StatusCode::BAD_REQUEST, "say which URL: ?url=…"));
    }
    let response = state.read(move |_| {
        let explained = explanation(&archive::open(&job.record)?, &text)?;
        Ok(match &explained {
            Some((url, explained)) => Json(ExplanationJson::found(url, explained)).into_response(),
            None => Json(ExplanationJson::unknown(&text)).into_response(),
        })
    });
    response.await
}
