//! `/jobs/NAME/parameters`: the URL parameters of the newest complete run, with roles, evidence and advice.

use super::frame::JobPage;
use super::{Frame, render};
use crate::app_state::Shared;
use crate::guard::visitor::Visitor;
use crate::parameters::{self, AdvisedParameter};
use crate::problem::Problem;
use crate::text::{Link, shown};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use mapwright_text::{counted_in_groups, grouped};

#[derive(Template)]
#[template(path = "parameters.html")]
struct Page {
    frame: Frame,
    counted: String,
    rows: Vec<Row>,
}

/// A row of the page: one parameter.
struct Row {
    name: String,
    role: String,
    pattern: String,
    evidence: String,
    urls: String,
    example: Link,
    advice: Vec<String>,
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("URL parameters of {}", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, Some(JobPage::Parameters), title).await?;
    let found = state.read(move |deadline| parameters::read(&job.record, deadline)).await?;
    let shown_only = match found.all.checked_sub(found.parameters.len() as u64) {
        None | Some(0) => String::new(),
        Some(_) => format!(" The {} most frequent are shown.", grouped(found.parameters.len() as u64)),
    };
    Ok(render(&Page {
        frame,
        counted: format!("{}.{shown_only}", counted_in_groups(found.all, "parameter")),
        rows: found.parameters.iter().map(row).collect(),
    }))
}

fn row(parameter: &AdvisedParameter) -> Row {
    let AdvisedParameter { row, advice } = parameter;
    let counts = &row.evidence;
    let (equal, sorted, subset, differs) = (counts.equal, counts.sorted, counts.subset, counts.differs);
    Row {
        name: shown(&row.parameter),
        role: row.role.as_deref().map_or_else(|| "not certain".to_owned(), shown),
        pattern: shown(&row.pattern),
        evidence: format!("{equal} equal, {sorted} in another order, {subset} a part, {differs} different"),
        urls: grouped(row.urls),
        example: Link::to(&row.example),
        advice: advice.iter().map(|line| shown(line)).collect(),
    }
}
