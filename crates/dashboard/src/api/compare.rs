//! What is other in one run than in another.

use super::shapes::answer;
use crate::comparison::{self, Asked, Section, Sort};
use crate::desk::Shared;
use crate::problem::Problem;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

pub(super) async fn compare(
    State(desk): State<Shared>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let (runs, compared) = desk.read(move |deadline| comparison::compare(&job.record, &asked, deadline)).await?;
    let none = || Problem::new(StatusCode::NOT_FOUND, "there are no two whole runs to compare yet");
    let compared = compared.ok_or_else(none)?;
    let runs = runs.iter().map(|run| json!({ "number": run.number, "started": run.started, "state": run.state }));
    let mut told = Map::from_iter([
        ("runs".to_owned(), runs.collect()),
        ("a".to_owned(), compared.before.into()),
        ("b".to_owned(), compared.now.into()),
        ("whole".to_owned(), compared.whole.into()),
    ]);
    told.extend(compared.sections.iter().map(|section| (key(section.sort).to_owned(), shape(section))));
    Ok(answer(&Value::Object(told)))
}

/// The names that `mapwright diff --format json` uses.
fn key(sort: Sort) -> &'static str {
    match sort {
        Sort::CameIn => "into_sitemap",
        Sort::WentOut => "out_of_sitemap",
        Sort::OtherAnswer => "answers",
        Sort::Changed => "changed",
        Sort::Added => "added",
        Sort::Removed => "removed",
    }
}

fn shape(section: &Section) -> Value {
    let urls = section.urls.iter().map(|(url, what)| json!({ "url": url, "what": what }));
    json!({ "count": section.count, "urls": urls.collect::<Vec<Value>>() })
}
