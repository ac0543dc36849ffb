//! Jobs and nights as JSON. Paths of this machine are not told.

use crate::text::note;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use mapwright_jobs::service::{JobView, Live, NightView};
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
        "next": job.next,
        "standing": job.standing.as_str(),
        "waiting": job.waiting,
        "paused": job.paused,
        "publishes": job.sitemaps.is_some(),
        "audits": job.reports.is_some(),
        "last": job.last.as_ref().map(night),
    })
}

pub(super) fn night(night: &NightView) -> Value {
    json!({
        "number": night.number,
        "job": night.job,
        "due": night.due,
        "began": night.began,
        "ended": night.ended,
        "run": night.run,
        "outcome": night.outcome.as_str(),
        "why": night.why,
        "advice": night.advice,
        "counts": night.counts,
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
