//! `/jobs/NAME/explain`: why a URL is in the sitemap, or out of it.

use super::{Frame, render, views};
use crate::archive;
use crate::desk::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use mapwright_jobs::explain;
use serde::Deserialize;

#[derive(Template)]
#[template(path = "explain.html")]
struct Page {
    frame: Frame,
    name: String,
    path: String,
    /// What was asked for, as it was written.
    url: String,
    explained: Option<Explained>,
}

/// What is known.
struct Explained {
    /// The URL is in the sitemap, by the newest verdict.
    listed: Option<bool>,
    /// The lines of the command, without those that were indented for it; and how deep each is.
    lines: Vec<(usize, String)>,
}

/// Which URL is asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    pub(crate) url: String,
}

pub(crate) async fn page(
    State(desk): State<Shared>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let text = asked.url.trim().to_owned();
    let wanted = text.clone();
    let explained = match wanted.is_empty() {
        true => None,
        false => Some(desk.read(move |_| of_record(&job.record, &wanted)).await?),
    };
    let frame = Frame::of(&visitor, format!("A page of {}", shown(&name)));
    Ok(render(&Page { frame, name: shown(&name), path: views::path(&name), url: shown(&text), explained }))
}

fn of_record(folder: &std::path::Path, text: &str) -> Result<Explained, Problem> {
    let record = archive::open(folder)?;
    let Some((url, explained)) = explain::explain(&record, text)? else {
        return Ok(Explained { listed: None, lines: never_met() });
    };
    let verdict = explained.verdict.as_ref().map(|judged| judged.reason.is_none());
    let lines = explain::lines(&url, &explained);
    let told = lines.iter().map(|line| {
        let bare = line.trim_start_matches(' ');
        ((line.len() - bare.len()) / 2, shown(bare))
    });
    Ok(Explained { listed: verdict, lines: told.collect() })
}

fn never_met() -> Vec<(usize, String)> {
    let what = "never met: no link, sitemap, feed, redirect or canonical that was seen leads there";
    let remedy = "to do: link to it, list it in a sitemap, or give it with --url-list";
    vec![(1, what.to_owned()), (1, remedy.to_owned())]
}
