//! `/jobs/NAME`: one job with its runs, live while it runs.

use super::frame::JobPage;
use super::views::{JobSummary, RunSummary};
use super::{Frame, render};
use crate::app_state::Shared;
use crate::charts::{Chart, Column};
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{note, shown, took};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use mapwright_crawl::CrawlError;
use mapwright_service::{JobRun, JobRunCounts, Live, Phase};
use mapwright_text::grouped;
use serde::Deserialize;

/// Number of runs on a page, and in its charts.
const MAX_RUNS: usize = 60;

#[derive(Template)]
#[template(path = "job.html")]
struct Page {
    frame: Frame,
    job: JobSummary,
    live: Option<LiveView>,
    runs: Vec<RunSummary>,
    /// The number that the link to older runs starts at.
    older: Option<i64>,
    charts: Vec<String>,
}

/// The state of a running crawl when the page was rendered.
struct LiveView {
    phase: &'static str,
    done: String,
    queued: String,
    errors: String,
    rate: String,
    elapsed: String,
    /// The notice of a run that waits; otherwise empty.
    note: String,
    latest: Vec<(String, String)>,
}

/// The query parameter that selects older runs.
#[derive(Debug, Deserialize)]
pub(crate) struct RunsQuery {
    before: Option<i64>,
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<RunsQuery>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("Job {}", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, Some(JobPage::Overview), title).await?;
    let wanted = name.clone();
    let runs = state.query_service(move |service| service.runs(&wanted, query.before, MAX_RUNS + 1)).await??;
    let live = state.service.live(&name).map(|live| LiveView::of(&live.borrow()));
    let shown_runs = runs.get(..MAX_RUNS).unwrap_or(&runs);
    Ok(render(&Page {
        frame,
        job: JobSummary::of(&job),
        live,
        charts: charts(shown_runs),
        older: runs.get(MAX_RUNS).and_then(|_| shown_runs.last()).map(|run| run.number),
        runs: shown_runs.iter().map(RunSummary::of).collect(),
    }))
}

impl LiveView {
    fn of(live: &Live) -> Self {
        Self {
            phase: phase(live.phase),
            done: grouped(live.done),
            queued: grouped(live.queued),
            errors: grouped(live.errors),
            rate: format!("{:.1}", live.rate),
            elapsed: took(u64::try_from(live.elapsed.as_millis()).unwrap_or(u64::MAX)),
            note: note(live).unwrap_or_default(),
            latest: live.latest.iter().take(20).map(|(url, what)| (shown(url), shown(what))).collect(),
        }
    }
}

/// The phase of a run in words; `assets/dashboard.js` has the same.
fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Crawling => "crawling",
        Phase::Finishing => "finishing: judging, publishing",
    }
}

/// The charts of the finished runs that fetched pages.
fn charts(runs: &[JobRun]) -> Vec<String> {
    let counted: Vec<&JobRun> = runs.iter().rev().filter(|run| run.ended.is_some() && run.counts.fetched > 0).collect();
    let column = |run: &JobRun, values: fn(&JobRunCounts) -> Vec<u64>| Column {
        run: run.number,
        day: run.key.scheduled_for.strftime("%Y-%m-%d").to_string(),
        values: values(&run.counts),
    };
    let columns = |values: fn(&JobRunCounts) -> Vec<u64>| -> Vec<Column> {
        counted.iter().map(|run| column(run, values)).collect()
    };
    let published = counted.iter().filter(|run| run.publishes());
    [
        Chart {
            id: "pages",
            title: "Pages",
            unit: "fetched",
            parts: &[("bar-rest", "pages")],
            columns: columns(|counts| vec![counts.fetched]),
        },
        Chart {
            id: "listed",
            title: "Sitemap",
            unit: "URLs listed",
            parts: &[("bar-good", "URLs")],
            columns: published.map(|run| column(run, |counts| vec![counts.listed])).collect(),
        },
        Chart {
            id: "found",
            title: "Findings",
            unit: "by severity",
            parts: &[("bar-error", "errors"), ("bar-warning", "warnings"), ("bar-notice", "notices")],
            columns: columns(|counts| vec![counts.errors, counts.warnings, counts.notices]),
        },
        Chart {
            id: "times",
            title: "Response time",
            unit: "median to the first byte, in milliseconds",
            parts: &[("bar-rest", "ms")],
            columns: columns(|counts| vec![counts.median_ms]),
        },
    ]
    .iter()
    .map(Chart::markup)
    .filter(|markup| !markup.is_empty())
    .collect()
}

impl From<CrawlError> for Problem {
    fn from(error: CrawlError) -> Self {
        Self::new(axum::http::StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::phase;
    use mapwright_service::Phase;

    #[test]
    fn the_script_shows_phases_in_the_same_words() {
        let script = include_str!("../../assets/dashboard.js");
        for one in [Phase::Crawling, Phase::Finishing] {
            let line = format!("  {}: '{}',", one.as_str(), phase(one));
            assert!(script.contains(&line), "no {line}");
        }
    }
}
