//! `/jobs/NAME`: one job, live where it runs, and its runs.

use super::views::{Job, Run};
use super::{Frame, render};
use crate::archive::Kept;
use crate::charts::{Chart, Column};
use crate::desk::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{note, shown, took};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use mapwright_audit::report::grouped;
use mapwright_jobs::JobError;
use mapwright_jobs::service::{JobRun, JobRunCounts, Live, Phase};
use serde::Deserialize;

/// Runs on a page, and in its charts.
const MAX_RUNS: usize = 60;

#[derive(Template)]
#[template(path = "job.html")]
struct Page {
    frame: Frame,
    job: Job,
    /// There is an audit's report, and a record.
    has: Kept,
    live: Option<LiveView>,
    runs: Vec<Run>,
    /// Runs before those, from this number on.
    older: Option<i64>,
    charts: Vec<String>,
}

/// A running crawl as it stood when the page was made.
struct LiveView {
    phase: &'static str,
    done: String,
    queued: String,
    errors: String,
    rate: String,
    elapsed: String,
    /// That it waits, if it does.
    note: String,
    latest: Vec<(String, String)>,
}

/// Which runs are asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    before: Option<i64>,
}

pub(crate) async fn page(
    State(desk): State<Shared>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let wanted = name.clone();
    let runs = desk.ask(move |service| service.runs(&wanted, asked.before, MAX_RUNS + 1)).await??;
    let has = desk.kept(&job).await?;
    let live = desk.service.live(&name).map(|live| LiveView::of(&live.borrow()));
    let shown_runs = runs.get(..MAX_RUNS).unwrap_or(&runs);
    Ok(render(&Page {
        frame: Frame::of(&visitor, format!("Job {}", shown(&name))),
        job: Job::of(&job),
        has,
        live,
        charts: charts(shown_runs),
        older: runs.get(MAX_RUNS).and_then(|_| shown_runs.last()).map(|run| run.number),
        runs: shown_runs.iter().map(Run::of).collect(),
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

/// What a run is at, in words; `board.js` has the same.
fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Crawling => "crawling",
        Phase::Finishing => "finishing: judging, publishing",
    }
}

/// What is drawn of runs that counted something.
fn charts(runs: &[JobRun]) -> Vec<String> {
    let counted: Vec<&JobRun> = runs.iter().rev().filter(|run| run.ended.is_some() && run.counts.fetched > 0).collect();
    let columns = |values: fn(&JobRunCounts) -> Vec<u64>| {
        let column = |run: &&JobRun| Column {
            run: run.number,
            day: run.due.strftime("%Y-%m-%d").to_string(),
            values: values(&run.counts),
        };
        counted.iter().map(column).collect::<Vec<Column>>()
    };
    [
        Chart {
            id: "pages",
            title: "Pages",
            told: "fetched",
            parts: &[("bar-rest", "pages")],
            columns: columns(|counts| vec![counts.fetched]),
        },
        Chart {
            id: "listed",
            title: "Sitemap",
            told: "URLs listed",
            parts: &[("bar-good", "URLs")],
            columns: columns(|counts| vec![counts.listed]),
        },
        Chart {
            id: "found",
            title: "Findings",
            told: "by severity",
            parts: &[("bar-error", "errors"), ("bar-warning", "warnings"), ("bar-notice", "notices")],
            columns: columns(|counts| vec![counts.errors, counts.warnings, counts.notices]),
        },
        Chart {
            id: "times",
            title: "Response time",
            told: "median to the first byte, in milliseconds",
            parts: &[("bar-rest", "ms")],
            columns: columns(|counts| vec![counts.median_ms]),
        },
    ]
    .iter()
    .map(Chart::markup)
    .filter(|markup| !markup.is_empty())
    .collect()
}

impl From<JobError> for Problem {
    fn from(error: JobError) -> Self {
        Self::new(axum::http::StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::phase;
    use mapwright_jobs::service::Phase;

    #[test]
    fn the_script_tells_phases_in_the_same_words() {
        let script = include_str!("../../assets/board.js");
        for one in [Phase::Crawling, Phase::Finishing] {
            let line = format!("  {}: '{}',", one.as_str(), phase(one));
            assert!(script.contains(&line), "no {line}");
        }
    }
}
