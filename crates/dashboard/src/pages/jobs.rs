//! `/`: all jobs.

use super::views::JobSummary;
use super::{Frame, render};
use crate::app_state::Shared;
use crate::guard::visitor::Visitor;
use crate::job_list::{JobListQuery, ORDERS, STATES, is_failing};
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use mapwright_service::JobView;
use mapwright_text::counted_in_groups;

#[derive(Template)]
#[template(path = "jobs.html")]
struct Page {
    frame: Frame,
    /// The number of all jobs, and how many fail, in words.
    head: String,
    /// The number of all jobs.
    all: usize,
    q: String,
    states: Vec<Choice>,
    orders: Vec<Choice>,
    jobs: Vec<JobSummary>,
    notifications_pending: u64,
    notifications_failed: u64,
    /// The newest undeliverable notifications, in words.
    failed: Vec<String>,
    fault: Option<String>,
    ready: bool,
}

/// An option of the filter.
struct Choice {
    value: &'static str,
    label: &'static str,
    chosen: bool,
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Query(query): Query<JobListQuery>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let (jobs, figures) = state.query_service(|service| (service.jobs(), service.figures())).await?;
    Ok(render(&Page {
        frame: Frame::of(&visitor, "Jobs"),
        head: head(&jobs),
        all: jobs.len(),
        q: shown(&query.q),
        states: STATES.map(|one| choice(one, &query.state)).into(),
        orders: ORDERS.map(|one| choice(one, &query.sort)).into(),
        jobs: query.select(jobs).iter().map(JobSummary::of).collect(),
        notifications_pending: figures.notifications_pending,
        notifications_failed: figures.notifications_failed,
        failed: figures.failed_notifications.iter().map(failed).collect(),
        fault: figures.fault.as_deref().map(shown),
        ready: figures.ready,
    }))
}

fn choice((value, label): (&'static str, &'static str), chosen: &str) -> Choice {
    Choice { value, label, chosen: value == chosen }
}

/// The head of the list: `2 of 50 failing`.
fn head(jobs: &[JobView]) -> String {
    let all = counted_in_groups(jobs.len() as u64, "job");
    match jobs.iter().filter(|job| is_failing(job)).count() {
        0 => format!("{all}, none failing"),
        failing => format!("{failing} of {all} failing"),
    }
}

/// An undeliverable notification.
fn failed((job, receiver, why): &(String, String, String)) -> String {
    shown(&format!("{job} to {receiver}: {why}"))
}
