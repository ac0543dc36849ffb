//! Findings, and what is known of a URL.

use super::shapes::answer;
use crate::archive;
use crate::desk::Shared;
use crate::findings::{self, PAGE, Wanted};
use crate::pages::explain::Asked;
use crate::problem::Problem;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use mapwright_jobs::explain;
use serde_json::json;

pub(super) async fn findings(
    State(desk): State<Shared>,
    Path(name): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let none = || Problem::new(StatusCode::NOT_FOUND, "this job makes no audit, and has no findings");
    let reports = job.reports.ok_or_else(none)?;
    wanted.check()?;
    let page = wanted.page;
    let found = desk.read(move |deadline| findings::read(&reports, &wanted, deadline)).await?;
    let pages = found.matching.div_ceil(PAGE);
    Ok(answer(&json!({
        "run": found.run,
        "kinds": found.kinds,
        "all": found.all,
        "matching": found.matching,
        "page": page,
        "pages": pages,
        "findings": found.findings,
    })))
}

pub(super) async fn explain(
    State(desk): State<Shared>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let text = asked.url.trim().to_owned();
    if text.is_empty() {
        return Err(Problem::new(StatusCode::BAD_REQUEST, "say which URL: ?url=…"));
    }
    let told = desk.read(move |_| {
        let record = archive::open(&job.record)?;
        let explained = explain::explain(&record, &text)?;
        Ok(explained.map_or_else(|| explain::unknown_json(&text), |(url, explained)| explain::json(&url, &explained)))
    });
    Ok(answer(&told.await?))
}
