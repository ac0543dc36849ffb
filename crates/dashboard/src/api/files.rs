//! The sitemaps and reports that there are.

use super::shapes::answer;
use crate::desk::Shared;
use crate::folder::{Entry, Kind, listed};
use crate::pages::files;
use crate::problem::Problem;
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

pub(super) async fn files(State(desk): State<Shared>, Path(name): Path<String>) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let told = desk.read(move |_| {
        let files = |kind: Kind| -> Option<Vec<Value>> {
            Some(listed(&job, kind)?.iter().map(|entry| shape(&job.name, kind, entry)).collect())
        };
        Ok(json!({ "sitemaps": files(Kind::Sitemaps), "reports": files(Kind::Reports) }))
    });
    Ok(answer(&told.await?))
}

fn shape(job: &str, kind: Kind, entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "path": files::path(job, kind, entry),
        "bytes": entry.bytes,
        "changed": entry.changed,
    })
}
