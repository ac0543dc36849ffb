//! The differences between two runs.

use super::document::JobPath;
use crate::app_state::Shared;
use crate::comparison::{self, ComparedUrl, ComparisonQuery, RunChoice, Section};
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mapwright_crawl::differences::{DifferenceKind, TextChangeJson};
use serde::Serialize;
use utoipa::ToSchema;

/// The differences between two runs, under the names that `mapwright diff --format json` uses.
#[derive(Serialize, ToSchema)]
#[schema(as = Comparison)]
struct ComparisonJson<'c> {
    /// The runs that can be compared, newest first.
    #[schema(max_items = 200)]
    runs: &'c [RunChoice],
    /// The run before.
    a: i64,
    /// The run that is compared with it.
    b: i64,
    /// That run is complete: a URL that it did not find is gone.
    complete: bool,
    added_to_sitemap: Differences<'c>,
    removed_from_sitemap: Differences<'c>,
    status_changed: Differences<'c>,
    changed: Differences<'c>,
    title_changed: Differences<'c>,
    added: Differences<'c>,
    removed: Differences<'c>,
    /// Pages that are set to noindex and came, went or changed; they are not among those before.
    noindex: Differences<'c>,
}

#[derive(Default, Serialize, ToSchema)]
struct Differences<'c> {
    count: u64,
    /// The first of them; `mapwright diff` shows all.
    #[schema(max_items = 200)]
    urls: Vec<ComparedUrlJson<'c>>,
}

/// A URL in which two runs differ.
#[derive(Serialize, ToSchema)]
#[schema(as = ComparedUrl)]
struct ComparedUrlJson<'c> {
    url: &'c str,
    what: &'c str,
    /// The text that came and went, where the content changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<TextChangeJson>,
}

impl<'c> From<&'c ComparedUrl> for ComparedUrlJson<'c> {
    fn from(ComparedUrl { url, words, text }: &'c ComparedUrl) -> Self {
        Self { url, what: words, text: text.clone().map(TextChangeJson::from) }
    }
}

impl<'c> From<&'c Section> for Differences<'c> {
    fn from(section: &'c Section) -> Self {
        Self { count: section.count, urls: section.urls.iter().map(ComparedUrlJson::from).collect() }
    }
}

/// The differences between two runs; by default between the two newest complete ones
#[utoipa::path(
    get,
    path = "/jobs/{job}/compare",
    params(JobPath, ComparisonQuery),
    responses((status = 200, description = "The differences", body = ComparisonJson), Problem)
)]
pub(super) async fn compare(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<ComparisonQuery>,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let (runs, compared) = state.read(move |deadline| comparison::compare(&job.record, &query, deadline)).await?;
    let none = || Problem::new(StatusCode::NOT_FOUND, "there are no two complete runs to compare yet");
    let compared = compared.ok_or_else(none)?;
    let of = |kind: DifferenceKind| {
        let section = compared.sections.iter().find(|section| section.kind == kind);
        section.map(Differences::from).unwrap_or_default()
    };
    let comparison = ComparisonJson {
        runs: &runs,
        a: compared.before,
        b: compared.now,
        complete: compared.complete,
        added_to_sitemap: of(DifferenceKind::AddedToSitemap),
        removed_from_sitemap: of(DifferenceKind::RemovedFromSitemap),
        status_changed: of(DifferenceKind::StatusChanged),
        changed: of(DifferenceKind::Changed),
        title_changed: of(DifferenceKind::TitleChanged),
        added: of(DifferenceKind::Added),
        removed: of(DifferenceKind::Removed),
        noindex: of(DifferenceKind::Noindex),
    };
    Ok(Json(comparison).into_response())
}
