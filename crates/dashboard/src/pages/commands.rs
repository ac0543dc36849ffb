//! The buttons of the pages: start, stop, pause and resume.

use super::{Frame, render, views};
use crate::app_state::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use mapwright_service::{JobControl, Tested};
use serde::Deserialize;

/// A command for a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobCommand {
    Start,
    Stop,
    Pause,
    Resume,
}

impl JobCommand {
    /// Passes the command to the service.
    pub(crate) async fn give(self, state: &Shared, visitor: &Visitor, job: &str) -> Result<(), Problem> {
        let name = job.to_owned();
        let query = move |service: &dyn JobControl| match self {
            Self::Start => service.start(&name),
            Self::Stop => service.stop(&name),
            Self::Pause => service.pause(&name),
            Self::Resume => service.resume(&name),
        };
        let done = state.query_service(query).await?;
        tracing::info!(job, command = ?self, by = visitor.name.as_deref().unwrap_or("operator"), done = done.is_ok(), "a command was given");
        Ok(done?)
    }
}

/// Sends a test notification to every receiver of a job; returns the result of each.
pub(crate) async fn test_messages(state: &Shared, visitor: &Visitor, job: &str) -> Result<Vec<Tested>, Problem> {
    let name = job.to_owned();
    let sent = state.query_service(move |service| service.test_messages(&name)).await?;
    let by = visitor.name.as_deref().unwrap_or("operator");
    tracing::info!(job, by, done = sent.is_ok(), "test notifications were requested");
    sent?.await.map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

#[derive(Template)]
#[template(path = "tested.html")]
struct TestedPage {
    frame: Frame,
    name: String,
    path: String,
    /// The receivers, each with the fault if the message was not accepted.
    tested: Vec<(String, Option<String>)>,
}

/// Sends test notifications and shows the results.
pub(crate) async fn test(
    State(state): State<Shared>,
    Path(job): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let tested = test_messages(&state, &visitor, &job).await?;
    let tested = tested.into_iter().map(|one| (shown(&one.receiver), one.fault.as_deref().map(shown)));
    Ok(render(&TestedPage {
        frame: Frame::of(&visitor, "Test notifications"),
        name: shown(&job),
        path: views::path(&job),
        tested: tested.collect(),
    }))
}

/// The fields of the button's form.
#[derive(Debug, Deserialize)]
pub(crate) struct Fields {
    /// The page with the button.
    #[serde(default)]
    back: String,
}

/// Runs the command, and redirects to the page with the button.
pub(crate) async fn command(
    command: JobCommand,
    State(state): State<Shared>,
    Path(job): Path<String>,
    visitor: Visitor,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    command.give(&state, &visitor, &job).await?;
    let back = if fields.back == "list" { "/".to_owned() } else { views::path(&job) };
    Ok(Redirect::to(&back).into_response())
}
