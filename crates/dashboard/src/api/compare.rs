//! The differences between two runs.

use super::shapes::answer;
use crate::app_state::Shared;
use crate::comparison::{self, ComparisonQuery, DifferenceKind, Section};
use crate::problem::Problem;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

pub(super) async fn compare(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<ComparisonQuery>,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let (runs, compared) = state.read(move |deadline| comparison::compare(&job.record, &query, deadline)).await?;
    let none = || Problem::new(StatusCode::NOT_FOUND, "there are no two complete runs to compare yet");
    let compared = compared.ok_or_else(none)?;
    let runs = runs.iter().map(|run| json!({ "number": run.number, "started": run.started, "state": run.state }));
    let mut sections = Map::from_iter([
        ("runs".to_owned(), runs.collect()),
        ("a".to_owned(), compared.before.into()),
        ("b".to_owned(), compared.now.into()),
        ("complete".to_owned(), compared.complete.into()),
    ]);
    sections.extend(compared.sections.iter().map(|section| (key(section.kind).to_owned(), shape(section))));
    Ok(answer(&Value::Object(sections)))
}

/// The names that `mapwright diff --format json` uses.
fn key(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::AddedToSitemap => "added_to_sitemap",
        DifferenceKind::RemovedFromSitemap => "removed_from_sitemap",
        DifferenceKind::StatusChanged => "status_changed",
        DifferenceKind::Changed => "changed",
        DifferenceKind::Added => "added",
        DifferenceKind::Removed => "removed",
    }
}

fn shape(section: &Section) -> Value {
    let urls = section.urls.iter().map(|(url, what)| json!({ "url": url, "what": what }));
    json!({ "count": section.count, "urls": urls.collect::<Vec<Value>>() })
}
