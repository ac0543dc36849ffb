//! The URLs of the newest run, and the reason for each that is not in the sitemap.

use super::document::JobPath;
use crate::app_state::Shared;
use crate::problem::Problem;
use crate::urls::{self, UrlQuery};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use mapwright_store::UrlRow;
use mapwright_verdict::Reason;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
struct Urls<'u> {
    /// The run of the crawl database.
    run: i64,
    /// That run is complete.
    complete: bool,
    /// The number of URLs by reason.
    #[schema(max_items = 100)]
    counts: Vec<ReasonCount>,
    #[schema(max_items = 100)]
    urls: Vec<UrlJson<'u>>,
    /// The value of `after` for the next page; null on the last one.
    #[schema(required)]
    next: Option<u32>,
}

#[derive(Serialize, ToSchema)]
struct ReasonCount {
    /// The reason; null for URLs in the sitemap.
    #[schema(required)]
    reason: Option<&'static str>,
    /// Its meaning.
    #[schema(required)]
    meaning: Option<&'static str>,
    urls: u64,
}

/// A URL.
#[derive(Serialize, ToSchema)]
#[schema(as = Url)]
struct UrlJson<'u> {
    url: &'u str,
    /// It is in the sitemap.
    listed: bool,
    /// Why it is not.
    #[schema(required)]
    reason: Option<&'static str>,
    /// Another URL that the reason refers to.
    #[schema(required)]
    evidence: Option<&'u str>,
    #[schema(required)]
    status: Option<u16>,
    #[schema(required)]
    failure: Option<&'u str>,
    /// The response time in milliseconds.
    #[schema(required)]
    total_ms: Option<u64>,
    #[schema(required)]
    title: Option<&'u str>,
    /// Clicks from the start.
    #[schema(required)]
    depth: Option<u32>,
    inlinks: u64,
    #[schema(required)]
    lastmod: Option<&'u str>,
}

impl<'u> From<&'u UrlRow> for UrlJson<'u> {
    fn from(row: &'u UrlRow) -> Self {
        Self {
            url: &row.url,
            listed: row.reason.is_none(),
            reason: row.reason.map(Reason::as_str),
            evidence: row.evidence.as_deref(),
            status: row.status,
            failure: row.failure.as_deref(),
            total_ms: row.total_ms,
            title: row.title.as_deref(),
            depth: row.depth,
            inlinks: row.inlinks,
            lastmod: row.lastmod.as_deref(),
        }
    }
}

/// The URLs of the newest run that ended, a hundred at a time, in the order in which they were found
#[utoipa::path(
    get,
    path = "/jobs/{job}/urls",
    params(JobPath, UrlQuery),
    responses((status = 200, description = "The URLs", body = Urls), Problem)
)]
pub(super) async fn urls(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<UrlQuery>,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let found = state.read(move |deadline| urls::read(&job.record, &query, deadline)).await?;
    let count = |(reason, urls): &(Option<Reason>, u64)| ReasonCount {
        reason: reason.map(Reason::as_str),
        meaning: reason.map(Reason::meaning),
        urls: *urls,
    };
    let response = Urls {
        run: found.run,
        complete: found.complete,
        counts: found.counts.iter().map(count).collect(),
        urls: found.rows.iter().map(UrlJson::from).collect(),
        next: found.next,
    };
    Ok(Json(response).into_response())
}
