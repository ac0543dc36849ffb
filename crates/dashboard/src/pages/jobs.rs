//! `/`: all jobs.

use super::views::JobSummary;
use super::{Frame, render};
use crate::app_state::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::extract::State;
use axum::response::Response;

#[derive(Template)]
#[template(path = "jobs.html")]
struct Page {
    frame: Frame,
    jobs: Vec<JobSummary>,
    notifications_pending: u64,
    notifications_failed: u64,
    /// The newest undeliverable notifications, in words.
    failed: Vec<String>,
    fault: Option<String>,
    ready: bool,
}

pub(crate) async fn page(State(state): State<Shared>, visitor: Visitor) -> Result<Response, Problem> {
    let (jobs, figures) = state.query_service(|service| (service.jobs(), service.figures())).await?;
    Ok(render(&Page {
        frame: Frame::of(&visitor, "Jobs"),
        jobs: jobs.iter().map(JobSummary::of).collect(),
        notifications_pending: figures.notifications_pending,
        notifications_failed: figures.notifications_failed,
        failed: figures.failed_notifications.iter().map(failed).collect(),
        fault: figures.fault.as_deref().map(shown),
        ready: figures.ready,
    }))
}

/// An undeliverable notification.
fn failed((job, receiver, why): &(String, String, String)) -> String {
    shown(&format!("{job} to {receiver}: {why}"))
}
