//! Starting, stopping, pausing: the buttons of the pages.

use super::views;
use crate::desk::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use mapwright_jobs::service::Service;
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
        tracing::info!(job, order = ?self, by = visitor.name.as_deref().unwrap_or("operator"), done = done.is_ok(), "asked for in the dashboard");
        Ok(done?)
    }
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
