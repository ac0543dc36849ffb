//! Jobs and runs as JSON, without paths of this machine.

use crate::text::note;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use mapwright_service::{JobRun, JobView, Live};
use serde_json::{Value, json};

/// A JSON response.
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
        "state": job.state.as_str(),
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
        "scheduled_for": run.key.scheduled_for,
        "started": run.started,
        "ended": run.ended,
        "record_run": run.record_run,
        "outcome": run.state.as_str(),
        "reason": run.known_reason(),
        "hints": run.hints,
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
