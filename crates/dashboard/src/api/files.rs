//! The list of sitemaps and reports.

use super::document::JobPath;
use crate::app_state::Shared;
use crate::folder::{Entry, FileKind, listed};
use crate::pages::files;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, State};
use jiff::Timestamp;
use mapwright_service::JobView;
use serde::Serialize;
use utoipa::ToSchema;

/// The files that a job wrote; null if it writes none of the kind.
#[derive(Serialize, ToSchema)]
pub(super) struct Files {
    #[schema(required)]
    sitemaps: Option<Vec<FileJson>>,
    #[schema(required)]
    reports: Option<Vec<FileJson>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = File)]
struct FileJson {
    name: String,
    /// Where the dashboard serves it, from its root.
    path: String,
    bytes: u64,
    #[schema(required)]
    changed: Option<Timestamp>,
}

/// The sitemaps and reports that a job wrote
#[utoipa::path(
    get,
    path = "/jobs/{job}/files",
    params(JobPath),
    responses((status = 200, description = "The files", body = Files), Problem)
)]
pub(super) async fn files(State(state): State<Shared>, Path(name): Path<String>) -> Result<Json<Files>, Problem> {
    let job = state.job(&name).await?;
    let read =
        move |_| Ok(Files { sitemaps: of_kind(&job, FileKind::Sitemaps), reports: of_kind(&job, FileKind::Reports) });
    Ok(Json(state.read(read).await?))
}

fn of_kind(job: &JobView, kind: FileKind) -> Option<Vec<FileJson>> {
    let file = |entry: Entry| FileJson {
        path: files::path(&job.name, kind, &entry),
        name: entry.name,
        bytes: entry.bytes,
        changed: entry.changed,
    };
    Some(listed(job, kind)?.into_iter().map(file).collect())
}
