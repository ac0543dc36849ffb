//! The list of sitemaps and reports.

use super::shapes::answer;
use crate::app_state::Shared;
use crate::folder::{Entry, FileKind, listed};
use crate::pages::files;
use crate::problem::Problem;
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

pub(super) async fn files(State(state): State<Shared>, Path(name): Path<String>) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let listing = state.read(move |_| {
        let files = |kind: FileKind| -> Option<Vec<Value>> {
            Some(listed(&job, kind)?.iter().map(|entry| shape(&job.name, kind, entry)).collect())
        };
        Ok(json!({ "sitemaps": files(FileKind::Sitemaps), "reports": files(FileKind::Reports) }))
    });
    Ok(answer(&listing.await?))
}

fn shape(job: &str, kind: FileKind, entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "path": files::path(job, kind, entry),
        "bytes": entry.bytes,
        "changed": entry.changed,
    })
}
