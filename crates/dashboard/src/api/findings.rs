//! The findings, and the explanation of a URL.

use super::shapes::answer;
use crate::app_state::Shared;
use crate::archive;
use crate::findings::{self, FindingFilter, PAGE};
use crate::pages::explain::ExplainQuery;
use crate::problem::Problem;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use mapwright_crawl::explain;
use serde_json::json;

pub(super) async fn findings(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(filter): Query<FindingFilter>,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let none = || Problem::new(StatusCode::NOT_FOUND, "this job makes no audit, and has no findings");
    let reports = job.reports.ok_or_else(none)?;
    filter.check()?;
    let page = filter.page;
    let found = state.read(move |deadline| findings::read(&reports, &filter, deadline)).await?;
    let pages = found.matching.div_ceil(PAGE);
    Ok(answer(&json!({
        "run": found.run,
        "checks": found.checks,
        "all": found.all,
        "matching": found.matching,
        "page": page,
        "pages": pages,
        "findings": found.findings,
    })))
}

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
    let listing = state.read(move |_| {
        let record = archive::open(&job.record)?;
        let explained = explain::explain(&record, &text)?;
        Ok(explained.map_or_else(|| explain::unknown_json(&text), |(url, explained)| explain::json(&url, &explained)))
    });
    Ok(answer(&listing.await?))
}
