//! `/jobs/NAME/compare`: what is other in one run than in another.

use super::{Frame, render, views};
use crate::archive::{self, Deadline};
use crate::desk::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Link, shown, when};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use mapwright_audit::report::grouped;
use mapwright_jobs::differences::{why_out, word};
use mapwright_store::{Difference, RunRow};
use serde::Deserialize;
use std::path::PathBuf;

/// URLs of one sort that are shown; all are counted.
const MOST: usize = 200;
/// Runs that can be chosen.
const RUNS: usize = 200;

#[derive(Template)]
#[template(path = "compare.html")]
struct Page {
    frame: Frame,
    name: String,
    path: String,
    runs: Vec<Run>,
    compared: Option<Compared>,
}

/// A run that can be chosen.
struct Run {
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

/// The runs to compare; by default the two newest whole ones.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    a: String,
    b: String,
}

pub(crate) async fn page(
    State(desk): State<Shared>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let (runs, compared) = desk.read(move |deadline| compare(job.record, &asked, deadline)).await?;
    let frame = Frame::of(&visitor, format!("Runs of {} compared", shown(&name)));
    Ok(render(&Page { frame, name: shown(&name), path: views::path(&name), runs, compared }))
}

fn compare(folder: PathBuf, asked: &Asked, deadline: Deadline) -> Result<(Vec<Run>, Option<Compared>), Problem> {
    let record = archive::open(&folder)?;
    let runs: Vec<RunRow> = record.runs()?.into_iter().filter(|run| run.state != "running").take(RUNS).collect();
    let newest = record.comparable()?;
    let find = |text: &str, place: usize| -> Result<Option<&RunRow>, Problem> {
        if text.is_empty() {
            return Ok(newest.get(place).and_then(|run| runs.iter().find(|row| row.run == *run)));
        }
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "there is no such run in the record");
        runs.iter().find(|row| row.run.to_string() == text).map(Some).ok_or_else(unknown)
    };
    let pair = find(&asked.a, 0)?.zip(find(&asked.b, 1)?);
    let listed = runs.iter().map(|run| Run {
        number: run.run,
        told: format!("{} ({}, {})", run.run, time(run.started), run.state),
        first: pair.is_some_and(|(before, _)| before.run == run.run),
        second: pair.is_some_and(|(_, now)| now.run == run.run),
    });
    let listed = listed.collect();
    let Some((before, now)) = pair else { return Ok((listed, None)) };
    let mut sections = sections(now.state == "whole");
    record.diff(before.run, now.run, |difference| {
        sections.iter_mut().for_each(|section| section.take(&difference));
        deadline.check()
    })?;
    let sections = sections.into_iter().map(Gathered::told).collect();
    Ok((listed, Some(Compared { before: before.run, now: now.run, sections })))
}

fn time(millis: i64) -> String {
    Timestamp::from_millisecond(millis).map_or_else(|_| "?".to_owned(), when)
}

/// A section that is being filled: the words of a URL that belongs to it.
struct Gathered {
    title: &'static str,
    words: fn(&Difference, bool) -> Option<String>,
    /// The second run was whole.
    whole: bool,
    count: u64,
    rows: Vec<(Link, String)>,
}

fn sections(whole: bool) -> [Gathered; 6] {
    let of = |title, words| Gathered { title, words, whole, count: 0, rows: Vec::new() };
    [
        of("Into the sitemap", |d, _| d.came_in().then(|| word(d.now.as_ref()))),
        of("Out of the sitemap", |d, whole| d.went_out().then(|| why_out(d, whole).to_owned())),
        of("Other answers", |d, _| {
            d.has_other_status().then(|| format!("{} → {}", word(d.before.as_ref()), word(d.now.as_ref())))
        }),
        of("Changed", |d, _| d.is_changed().then(|| word(d.now.as_ref()))),
        of("Added", |d, _| d.is_added().then(|| word(d.now.as_ref()))),
        of(if whole { "Removed (nothing leads there any more)" } else { "Not met" }, |d, _| {
            d.is_removed().then(|| word(d.before.as_ref()))
        }),
    ]
}

impl Gathered {
    fn take(&mut self, difference: &Difference) {
        let Some(words) = (self.words)(difference, self.whole) else { return };
        self.count += 1;
        if self.rows.len() < MOST {
            self.rows.push((Link::to(&difference.url), shown(&words)));
        }
    }

    fn told(self) -> Section {
        let more = self.count.saturating_sub(self.rows.len() as u64);
        let more =
            if more > 0 { format!("and {} more: `mapwright diff` tells all", grouped(more)) } else { String::new() };
        Section { title: self.title, count: self.count, counted: grouped(self.count), rows: self.rows, more }
    }
}
