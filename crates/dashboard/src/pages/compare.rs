//! `/jobs/NAME/compare`: what is other in one run than in another.

use super::{Frame, render, views};
use crate::comparison::{self, Asked, Comparison, Run, Sort};
use crate::desk::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Link, minute, shown};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use mapwright_audit::report::grouped;

#[derive(Template)]
#[template(path = "compare.html")]
struct Page {
    frame: Frame,
    name: String,
    path: String,
    runs: Vec<Choice>,
    compared: Option<Compared>,
}

/// A run that can be chosen.
struct Choice {
    number: i64,
    told: String,
    /// Chosen as the first, and as the second.
    first: bool,
    second: bool,
}

struct Compared {
    before: i64,
    now: i64,
    sections: Vec<Section>,
}

/// URLs in which the runs differ in one way.
struct Section {
    title: &'static str,
    count: u64,
    counted: String,
    rows: Vec<(Link, String)>,
    more: String,
}

pub(crate) async fn page(
    State(desk): State<Shared>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let (runs, compared) = desk.read(move |deadline| comparison::compare(&job.record, &asked, deadline)).await?;
    let frame = Frame::of(&visitor, format!("Runs of {} compared", shown(&name)));
    let runs = runs.iter().map(|run| Choice::of(run, compared.as_ref())).collect();
    let compared = compared.map(Compared::of);
    Ok(render(&Page { frame, name: shown(&name), path: views::path(&name), runs, compared }))
}

impl Choice {
    fn of(run: &Run, compared: Option<&Comparison>) -> Self {
        let started = run.started.map_or_else(|| "?".to_owned(), minute);
        Self {
            number: run.number,
            told: format!("{} ({started}, {})", run.number, run.state),
            first: compared.is_some_and(|compared| compared.before == run.number),
            second: compared.is_some_and(|compared| compared.now == run.number),
        }
    }
}

impl Compared {
    fn of(comparison: Comparison) -> Self {
        let Comparison { before, now, whole, sections } = comparison;
        Self { before, now, sections: sections.into_iter().map(|section| Section::of(section, whole)).collect() }
    }
}

impl Section {
    fn of(section: comparison::Section, whole: bool) -> Self {
        let more = section.count.saturating_sub(section.urls.len() as u64);
        let more =
            if more > 0 { format!("and {} more: `mapwright diff` tells all", grouped(more)) } else { String::new() };
        let row = |(url, words): &(String, String)| (Link::to(url), shown(words));
        Self {
            title: title(section.sort, whole),
            count: section.count,
            counted: grouped(section.count),
            rows: section.urls.iter().map(row).collect(),
            more,
        }
    }
}

fn title(sort: Sort, whole: bool) -> &'static str {
    match sort {
        Sort::CameIn => "Into the sitemap",
        Sort::WentOut => "Out of the sitemap",
        Sort::OtherAnswer => "Other answers",
        Sort::Changed => "Changed",
        Sort::Added => "Added",
        Sort::Removed if whole => "Removed (nothing that was read leads there any more)",
        Sort::Removed => "Not met",
    }
}
