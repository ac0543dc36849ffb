//! The findings, and the explanation of a URL.

use super::document::JobPath;
use super::finding_shapes::{CheckJson, FindingJson};
use crate::app_state::Shared;
use crate::archive;
use crate::findings::{self, FindingFilter, JobReports, PAGE};
use crate::pages::explain::ExplainQuery;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mapwright_audit::figures::AuditedRun;
use mapwright_crawl::explain::{ExplanationJson, explain as explanation};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
struct Findings<'f> {
    run: &'f AuditedRun,
    checks: Vec<CheckJson<'f>>,
    /// The number of all findings.
    all: u64,
    /// The number of matching findings.
    matching: u64,
    page: u64,
    pages: u64,
    #[schema(max_items = 100)]
    findings: Vec<FindingJson<'f>>,
}

/// The findings of the newest audit or of an earlier one, a hundred at a time
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
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let reports = JobReports::of(&job)?;
    filter.check()?;
    let page = filter.page;
    let found = state.read(move |deadline| findings::read(&reports, &filter, deadline)).await?;
    let response = Findings {
        run: &found.run,
        checks: found.rules.iter().map(CheckJson::from).collect(),
        all: found.all,
        matching: found.matching,
        page,
        pages: found.matching.div_ceil(PAGE),
        findings: found.findings.iter().map(FindingJson::from).collect(),
    };
    Ok(Json(response).into_response())
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
