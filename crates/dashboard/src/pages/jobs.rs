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
    /// Letters that wait, and letters that were given up.
    letters: (u64, u64),
    fault: Option<String>,
    ready: bool,
}

pub(crate) async fn page(State(desk): State<Shared>, visitor: Visitor) -> Result<Response, Problem> {
    let (jobs, figures) = desk.ask(|service| (service.jobs(), service.figures())).await?;
    Ok(render(&Page {
        frame: Frame::of(&visitor, "Jobs"),
        jobs: jobs.iter().map(Job::of).collect(),
        letters: (figures.letters_waiting, figures.letters_given_up),
        fault: figures.fault.as_deref().map(shown),
        ready: figures.ready,
    }))
}
