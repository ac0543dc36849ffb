//! `/jobs/NAME/urls`: the URLs of the newest run, with filters, and the same as CSV.

use super::frame::JobPage;
use super::{Frame, render, views};
use crate::app_state::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Link, in_query, shown, took};
use crate::urls::{self, FoundUrls, STATES, UrlQuery};
use askama::Template;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use mapwright_audit::report::csv;
use mapwright_store::UrlRow;
use mapwright_text::{counted_in_groups, grouped};
use mapwright_verdict::Reason;
use std::fmt::Write;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, channel};

/// Bytes of CSV that are sent at once.
const CHUNK: usize = 1 << 16;
/// Number of chunks that wait to be sent.
const CHUNKS: usize = 4;
const COLUMNS: &str = "url,listed,reason,evidence,status,failure,total_ms,title,depth,inlinks,lastmod\r\n";

#[derive(Template)]
#[template(path = "urls.html")]
struct Page {
    frame: Frame,
    path: String,
    run: i64,
    complete: bool,
    counted: String,
    states: Vec<Choice>,
    reasons: Vec<Choice>,
    q: String,
    rows: Vec<Row>,
    /// The query of the filter, for the CSV.
    query: String,
    next: Option<String>,
    is_first: bool,
}

/// An option of a filter.
struct Choice {
    value: &'static str,
    label: String,
    chosen: bool,
}

/// A row of the page: one URL.
struct Row {
    link: Link,
    explain: String,
    reason: &'static str,
    meaning: &'static str,
    evidence: Option<Link>,
    status: String,
    title: String,
    depth: String,
    inlinks: String,
    took: String,
    lastmod: String,
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<UrlQuery>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("URLs of {}", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, Some(JobPage::Urls), title).await?;
    let wanted = query.clone();
    let found = state.read(move |deadline| urls::read(&job.record, &wanted, deadline)).await?;
    Ok(render(&view(frame, &name, &query, &found)))
}

fn view(frame: Frame, name: &str, query: &UrlQuery, found: &FoundUrls) -> Page {
    let path = views::path(name);
    let state = |(value, label): &(&'static str, &str)| Choice {
        value,
        label: (*label).to_owned(),
        chosen: *value == query.state,
    };
    let reason = |(reason, count): &(Option<Reason>, u64)| {
        let value = reason.as_ref()?.as_str();
        Some(Choice { value, label: format!("{value} ({})", grouped(*count)), chosen: value == query.reason })
    };
    let fields = [("state", &query.state), ("reason", &query.reason), ("q", &query.q)];
    let set = fields.iter().filter(|(_, value)| !value.is_empty());
    let filter: String = set.map(|(name, value)| format!("{name}={}&", in_query(value))).collect();
    Page {
        run: found.run,
        complete: found.complete,
        counted: counted(&found.counts),
        states: STATES.iter().map(state).collect(),
        reasons: found.counts.iter().filter_map(reason).collect(),
        q: shown(&query.q),
        rows: found.rows.iter().map(|url| row(url, &path)).collect(),
        next: found.next.map(|after| format!("{path}/urls?{filter}after={after}")),
        is_first: query.after == 0,
        query: filter,
        frame,
        path,
    }
}

fn counted(counts: &[(Option<Reason>, u64)]) -> String {
    let of = |listed: bool| counts.iter().filter(|(reason, _)| reason.is_none() == listed).map(|(_, n)| n).sum::<u64>();
    format!("{} in the sitemap, {} not", counted_in_groups(of(true), "URL"), grouped(of(false)))
}

fn row(row: &UrlRow, path: &str) -> Row {
    Row {
        link: Link::to(&row.url),
        explain: format!("{path}/explain?url={}", in_query(&row.url)),
        reason: row.reason.map_or("in the sitemap", Reason::as_str),
        meaning: row.reason.map_or("", Reason::meaning),
        evidence: row.evidence.as_deref().map(Link::to),
        status: row.status.map(|status| status.to_string()).or_else(|| row.failure.clone()).unwrap_or_default(),
        title: row.title.as_deref().map(shown).unwrap_or_default(),
        depth: row.depth.map(|depth| depth.to_string()).unwrap_or_default(),
        inlinks: grouped(row.inlinks),
        took: row.total_ms.map(took).unwrap_or_default(),
        lastmod: row.lastmod.clone().unwrap_or_default(),
    }
}

/// `/jobs/NAME/urls.csv`: all URLs that match.
pub(crate) async fn csv(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<UrlQuery>,
    _visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let filter = query.filter()?;
    let (chunks, body) = channel(CHUNKS);
    // The rows are read while they are sent. A reader that goes away ends it.
    tokio::spawn(async move {
        let sender = chunks.clone();
        let reading = state.read(move |deadline| {
            let mut text = String::from(COLUMNS);
            let sent = |text: &mut String| sender.blocking_send(Ok(Bytes::from(std::mem::take(text)))).is_ok();
            urls::each(&job.record, &filter, deadline, |row| {
                line(&mut text, row);
                if text.len() < CHUNK || sent(&mut text) { Ok(()) } else { Err(Problem::not_found()) }
            })?;
            sent(&mut text);
            Ok(())
        });
        if let Err(problem) = reading.await {
            // An incomplete table must not look complete.
            let _ = chunks.send(Err(io::Error::other(problem.detail.to_string()))).await;
        }
    });
    let fields = [
        (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, "attachment; filename=\"urls.csv\"".to_owned()),
    ];
    Ok((fields, Body::from_stream(CsvStream(body))).into_response())
}

/// The chunks of a table.
struct CsvStream(Receiver<io::Result<Bytes>>);

impl Stream for CsvStream {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// Appends a row as CSV (RFC 4180).
fn line(text: &mut String, row: &UrlRow) {
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let said = |said: &Option<String>| csv::cell(said.as_deref().unwrap_or_default().into()).into_owned();
    let listed = if row.reason.is_none() { "yes" } else { "no" };
    let cells = [
        csv::cell(row.url.as_str().into()).into_owned(),
        listed.to_owned(),
        row.reason.map_or("", Reason::as_str).to_owned(),
        said(&row.evidence),
        number(row.status.map(u64::from)),
        said(&row.failure),
        number(row.total_ms),
        said(&row.title),
        number(row.depth.map(u64::from)),
        row.inlinks.to_string(),
        said(&row.lastmod),
    ];
    let _ = write!(text, "{}\r\n", cells.join(","));
}
