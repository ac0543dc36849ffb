//! Jobs and runs as JSON. Paths of this machine are left out.

use crate::text::note;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use mapwright_jobs::service::{JobRun, JobView, Live};
use serde_json::{Value, json};

/// An answer in JSON.
pub(super) fn answer(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

pub(super) fn job(job: &JobView) -> Value {
    json!({
        "name": job.name,
        "urls": job.urls,
        "task": job.task,
        "schedule": job.schedule,
        "next_run": job.next,
        "state": job.standing.as_str(),
        "waiting": job.waiting,
        "paused": job.paused,
        "publishes": job.sitemaps.is_some(),
        "audits": job.reports.is_some(),
        "newest_run": job.newest.as_ref().map(run),
    })
}

pub(super) fn run(run: &JobRun) -> Value {
    json!({
        "number": run.number,
        "job": run.job,
        "scheduled_for": run.due,
        "started": run.began,
        "ended": run.ended,
        "record_run": run.run,
        "outcome": run.outcome.as_str(),
        "reason": run.why,
        "advice": run.advice,
        "counts": run.counts,
    })
}

pub(super) fn live(live: &Live) -> Value {
    json!({
        "phase": live.phase.as_str(),
        "done": live.done,
        "queued": live.queued,
        "errors": live.errors,
        "rate": live.rate,
        "note": note(live),
        "elapsed_ms": u64::try_from(live.elapsed.as_millis()).unwrap_or(u64::MAX),
        "latest": live.latest.iter().map(|(url, what)| json!({ "url": url, "what": what })).collect::<Vec<_>>(),
    })
}
