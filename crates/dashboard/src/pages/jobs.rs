//! `/`: all jobs.

use super::views::Job;
use super::{Frame, render};
use crate::desk::Shared;
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
    jobs: Vec<Job>,
    notifications_pending: u64,
    notifications_failed: u64,
    /// The last of those given up, in words.
    lost: Vec<String>,
    fault: Option<String>,
    ready: bool,
}

pub(crate) async fn page(State(desk): State<Shared>, visitor: Visitor) -> Result<Response, Problem> {
    let (jobs, figures) = desk.ask(|service| (service.jobs(), service.figures())).await?;
    Ok(render(&Page {
        frame: Frame::of(&visitor, "Jobs"),
        jobs: jobs.iter().map(Job::of).collect(),
        notifications_pending: figures.notifications_pending,
        notifications_failed: figures.notifications_failed,
        lost: figures.failed_notifications.iter().map(lost).collect(),
        fault: figures.fault.as_deref().map(shown),
        ready: figures.ready,
    }))
}

/// A message that nobody got.
fn lost((job, receiver, why): &(String, String, String)) -> String {
    shown(&format!("{job} to {receiver}: {why}"))
}
