//! `/jobs/NAME/compare`: the differences between two runs.

use super::frame::JobPage;
use super::{Frame, render, views};
use crate::app_state::Shared;
use crate::comparison::{self, ComparedUrl, Comparison, ComparisonQuery, RunChoice};
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Link, minute, sentence_case, shown};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use mapwright_crawl::differences::text_lines;
use mapwright_text::grouped;

#[derive(Template)]
#[template(path = "compare.html")]
struct Page {
    frame: Frame,
    path: String,
    runs: Vec<Choice>,
    compared: Option<Compared>,
}

/// A run to choose from.
struct Choice {
    number: i64,
    label: String,
    /// Selected as the first run, and as the second.
    first: bool,
    second: bool,
}

struct Compared {
    before: i64,
    now: i64,
    sections: Vec<Section>,
}

/// The URLs with one kind of difference.
struct Section {
    title: String,
    count: u64,
    counted: String,
    /// The URLs, each with its difference in words and the lines of text that came and went.
    rows: Vec<(Link, String, Vec<String>)>,
    more: String,
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<ComparisonQuery>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("Crawls of {} compared", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, Some(JobPage::Compare), title).await?;
    let (runs, compared) = state.read(move |deadline| comparison::compare(&job.record, &query, deadline)).await?;
    let runs = runs.iter().map(|run| Choice::of(run, compared.as_ref())).collect();
    let compared = compared.map(Compared::of);
    Ok(render(&Page { frame, path: views::path(&name), runs, compared }))
}

impl Choice {
    fn of(run: &RunChoice, compared: Option<&Comparison>) -> Self {
        let started = run.started.map_or_else(|| "?".to_owned(), minute);
        Self {
            number: run.number,
            label: format!("{} ({started}, {})", run.number, run.state),
            first: compared.is_some_and(|compared| compared.before == run.number),
            second: compared.is_some_and(|compared| compared.now == run.number),
        }
    }
}

impl Compared {
    fn of(comparison: Comparison) -> Self {
        let Comparison { before, now, complete, sections } = comparison;
        Self { before, now, sections: sections.into_iter().map(|section| Section::of(section, complete)).collect() }
    }
}

impl Section {
    fn of(section: comparison::Section, complete: bool) -> Self {
        let more = section.count.saturating_sub(section.urls.len() as u64);
        let more =
            if more > 0 { format!("and {} more: `mapwright diff` shows all", grouped(more)) } else { String::new() };
        let row = |ComparedUrl { url, words, text }: &ComparedUrl| {
            let lines = text.as_ref().map(text_lines).unwrap_or_default();
            (Link::to(url), shown(words), lines.iter().map(|line| shown(line)).collect())
        };
        Self {
            title: sentence_case(section.kind.title(complete)),
            count: section.count,
            counted: grouped(section.count),
            rows: section.urls.iter().map(row).collect(),
            more,
        }
    }
}
