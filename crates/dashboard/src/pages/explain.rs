//! `/jobs/NAME/explain`: the reason why a URL is in the sitemap or not.

use super::frame::JobPage;
use super::{Frame, render, views};
use crate::app_state::Shared;
use crate::archive;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Link, in_query, shown};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use mapwright_crawl::explain;
use serde::Deserialize;
use url::Url;
use utoipa::IntoParams;

#[derive(Template)]
#[template(path = "explain.html")]
struct Page {
    frame: Frame,
    path: String,
    /// The requested URL as it was entered.
    url: String,
    link: Link,
    explained: Option<Explained>,
}

/// The explanation of a URL.
struct Explained {
    /// The newest verdict on the URL: in the sitemap or not; `None` also where that run published nothing.
    listed: Option<bool>,
    /// The lines of `mapwright explain`, each with its indentation.
    lines: Vec<(usize, Vec<Piece>)>,
}

/// A piece of a line.
struct Piece {
    text: String,
    /// The path of its explanation, if it is a URL.
    explain: Option<String>,
}

/// The query parameter with the URL.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExplainQuery {
    #[param(required)]
    pub(crate) url: String,
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<ExplainQuery>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("A page of {}", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, Some(JobPage::Explain), title).await?;
    let text = query.url.trim().to_owned();
    let wanted = resolved(&text, job.urls.first());
    let explained = match wanted.is_empty() {
        true => None,
        false => Some(state.read(move |_| of_record(&job.record, &job.name, &wanted)).await?),
    };
    let path = views::path(&name);
    Ok(render(&Page { frame, path, url: shown(&text), link: Link::to(&text), explained }))
}

/// Resolves the entered text: a path belongs to the site of the job's start URL.
fn resolved(text: &str, start: Option<&String>) -> String {
    let is_path = text.starts_with('/') && !text.starts_with("//");
    let start = start.filter(|_| is_path).and_then(|start| Url::parse(start).ok());
    start.and_then(|start| start.join(text).ok()).map_or_else(|| text.to_owned(), Into::into)
}

fn of_record(folder: &std::path::Path, job: &str, text: &str) -> Result<Explained, Problem> {
    let record = archive::open(folder)?;
    let Some((url, explained)) = explain::explain(&record, text)? else {
        return Ok(Explained { listed: None, lines: never_met() });
    };
    let verdict = explained.verdict.as_ref().map(|judged| judged.reason.is_none());
    let verdict = verdict.filter(|listed| !listed || explained.published == Some(true));
    let lines = explain::lines(&url, &explained);
    let rendered = lines.iter().map(|line| {
        let bare = line.trim_start_matches(' ');
        ((line.len() - bare.len()) / 2, pieces(bare, job))
    });
    Ok(Explained { listed: verdict, lines: rendered.collect() })
}

/// Splits a line into pieces; each URL links to its explanation.
fn pieces(line: &str, job: &str) -> Vec<Piece> {
    let piece = |word: &str| {
        let is_url = word.starts_with("http://") || word.starts_with("https://");
        let url = word.trim_end_matches([' ', ',', ';', ':', ')']);
        let explain = is_url.then(|| format!("{}/explain?url={}", views::path(job), in_query(url)));
        Piece { text: shown(word), explain }
    };
    line.split_inclusive(' ').map(piece).collect()
}

fn never_met() -> Vec<(usize, Vec<Piece>)> {
    let what = "not found in any crawl: no link, sitemap, feed, redirect or canonical leads there";
    let hint = "hint: link to it, list it in a sitemap, or give it with --url-list";
    [what, hint].map(|text| (1, vec![Piece { text: text.to_owned(), explain: None }])).into()
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn a_path_is_one_of_the_site_of_the_job() {
        let start = "https://shop.example/en/".to_owned();
        let of = |text| resolved(text, Some(&start));
        assert_eq!(of("/about?x=1"), "https://shop.example/about?x=1");
        for other in ["https://other.example/a", "//other.example/a", "shop.example/a", ""] {
            assert_eq!(of(other), other);
        }
        assert_eq!(resolved("/about", None), "/about");
    }
}
