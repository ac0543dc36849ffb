//! `/jobs/NAME/files`: the sitemaps and reports themselves.

use super::frame::JobPage;
use super::{Frame, render, views};
use crate::app_state::Shared;
use crate::folder::{self, Entry, FileKind, listed};
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Time, segment, shown};
use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use mapwright_service::JobView;
use mapwright_text::size;
use tokio_util::io::ReaderStream;

/// The content security policy of a report: its own script and style run, in a page with an opaque origin that reaches
/// nothing. The report's own policy admits these two by their hashes only.
const REPORT_POLICY: &str = "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; \
                             script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; \
                             form-action 'none'; frame-ancestors 'none'";
/// The content security policy of all other files: no script or style runs.
const FILE_POLICY: &str = "sandbox; default-src 'none'; frame-ancestors 'none'";
/// Size of the pieces that are read from a file, in bytes.
const CHUNK: usize = 64 << 10;

#[derive(Template)]
#[template(path = "files.html")]
struct Page {
    frame: Frame,
    sitemaps: Option<Vec<Row>>,
    reports: Option<Vec<Row>>,
}

struct Row {
    name: String,
    path: String,
    size: String,
    changed: Time,
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("Files of {}", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, Some(JobPage::Files), title).await?;
    let (sitemaps, reports) =
        state.read(move |_| Ok((rows(&job, FileKind::Sitemaps), rows(&job, FileKind::Reports)))).await?;
    Ok(render(&Page { frame, sitemaps, reports }))
}

fn rows(job: &JobView, kind: FileKind) -> Option<Vec<Row>> {
    let row = |entry: Entry| Row {
        path: path(&job.name, kind, &entry),
        size: size(entry.bytes),
        changed: Time::of(entry.changed),
        name: entry.name,
    };
    Some(listed(job, kind)?.into_iter().map(row).collect())
}

/// The path of a file.
pub(crate) fn path(job: &str, kind: FileKind, entry: &Entry) -> String {
    format!("{}/files/{}/{}", views::path(job), kind.as_str(), segment(&entry.name))
}

pub(crate) async fn file(
    State(state): State<Shared>,
    Path((name, kind, file)): Path<(String, String, String)>,
    _visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let kind = FileKind::of(&kind).ok_or_else(Problem::not_found)?;
    let opened = state.read(move |_| {
        let opened = kind.directory(&job).and_then(|directory| folder::open(directory, kind, &file));
        opened.ok_or_else(Problem::not_found)
    });
    Ok(serve(opened.await?))
}

fn serve((file, entry): (std::fs::File, Entry)) -> Response {
    let is_page = entry.name.ends_with(".html");
    let body = Body::from_stream(ReaderStream::with_capacity(tokio::fs::File::from_std(file), CHUNK));
    let mut response = body.into_response();
    let fields = response.headers_mut();
    let policy = if is_page { REPORT_POLICY } else { FILE_POLICY };
    fields.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    fields.insert(CONTENT_TYPE, HeaderValue::from_static(media_type(&entry.name)));
    if !is_page && let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{}\"", entry.name)) {
        fields.insert(CONTENT_DISPOSITION, value);
    }
    response
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "json" | "sarif" => "application/json",
        "csv" => "text/csv; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "gz" => "application/gzip",
        "xml" => "application/xml",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ => "application/octet-stream",
    }
}
