//! Starting, stopping, pausing: the buttons of the pages.

use super::{Frame, render, views};
use crate::desk::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use mapwright_jobs::service::{Service, Tested};
use serde::Deserialize;

/// What may be asked of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Start,
    Stop,
    Pause,
    Resume,
}

impl Order {
    /// Asks it of the service.
    pub(crate) async fn give(self, desk: &Shared, visitor: &Visitor, job: &str) -> Result<(), Problem> {
        let name = job.to_owned();
        let asked = move |service: &dyn Service| match self {
            Self::Start => service.start(&name),
            Self::Stop => service.stop(&name),
            Self::Pause => service.pause(&name, true),
            Self::Resume => service.pause(&name, false),
        };
        let done = desk.ask(asked).await?;
        tracing::info!(job, order = ?self, by = visitor.name.as_deref().unwrap_or("operator"), done = done.is_ok(), "an order was given");
        Ok(done?)
    }
}

/// Sends a test message to every receiver of a job; tells what each answered.
pub(crate) async fn test_messages(desk: &Shared, visitor: &Visitor, job: &str) -> Result<Vec<Tested>, Problem> {
    let name = job.to_owned();
    let sent = desk.ask(move |service| service.test_messages(&name)).await?;
    let by = visitor.name.as_deref().unwrap_or("operator");
    tracing::info!(job, by, done = sent.is_ok(), "test messages were asked for");
    sent?.await.map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

#[derive(Template)]
#[template(path = "tested.html")]
struct TestedPage {
    frame: Frame,
    name: String,
    path: String,
    /// Receivers, and what each answered where it did not take the message.
    tested: Vec<(String, Option<String>)>,
}

/// Sends them, and shows what came of it.
pub(crate) async fn test(
    State(desk): State<Shared>,
    Path(job): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let tested = test_messages(&desk, &visitor, &job).await?;
    let tested = tested.into_iter().map(|one| (shown(&one.receiver), one.fault.as_deref().map(shown)));
    Ok(render(&TestedPage {
        frame: Frame::of(&visitor, "Test messages"),
        name: shown(&job),
        path: views::path(&job),
        tested: tested.collect(),
    }))
}

/// The fields of the button's form.
#[derive(Debug, Deserialize)]
pub(crate) struct Fields {
    /// The page that the button stands on.
    #[serde(default)]
    back: String,
}

/// Does it, and leads back to where the button was.
pub(crate) async fn order(
    order: Order,
    State(desk): State<Shared>,
    Path(job): Path<String>,
    visitor: Visitor,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    order.give(&desk, &visitor, &job).await?;
    let back = if fields.back == "list" { "/".to_owned() } else { views::path(&job) };
    Ok(Redirect::to(&back).into_response())
}
