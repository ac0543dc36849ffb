//! One visit: a task is fetched, its answer read, and what it leads to is told. One hop, one request.

use crate::desk::Desk;
use crate::reading;
use crate::visited::{Outcome, Visit};
use jiff::Timestamp;
use mapwright_fetch::{Accept, Conditions, Failure, FailureKind, Fetch, Reply, Request};
use mapwright_frontier::{Finished, Purpose, Refusal, RobotsAnswer, Settlement, Task, Weather};
use std::sync::Arc;
use std::time::Duration;

/// Bodies larger than this are read on a thread of their own, so that they hold up nothing else.
const LARGE: usize = 256 << 10;

/// What a visit comes to.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) finished: Finished<Visit>,
    pub(crate) weather: Weather,
}

/// Fetches and reads one task.
pub(crate) async fn visit<C: Fetch>(desk: Arc<Desk<C>>, task: Task) -> Ending {
    let at = Timestamp::now();
    match desk.fetcher.fetch(request(&desk, &task)).await {
        Err(failure) => failed(&desk, task, at, failure),
        Ok(reply) => {
            let weather = weather_of(&reply, at);
            let finished = if reply.body.len() > LARGE {
                read_apart(desk, task, at, reply).await
            } else {
                reading::read(&desk, task, at, reply)
            };
            Ending { finished, weather }
        }
    }
}

/// A panic inside becomes a panic of the visit, which the engine records as a failure.
async fn read_apart<C: Fetch>(desk: Arc<Desk<C>>, task: Task, at: Timestamp, reply: Reply) -> Finished<Visit> {
    let copy = task.clone();
    match tokio::task::spawn_blocking(move || reading::read(&desk, task, at, reply)).await {
        Ok(finished) => finished,
        Err(error) => crashed(copy, &error.to_string()),
    }
}

fn request<C>(desk: &Desk<C>, task: &Task) -> Request {
    let (accept, max_body) = match task.purpose {
        Purpose::Page => (Accept::Page, desk.reading.max_body),
        Purpose::Robots => (Accept::Robots, desk.reading.max_robots),
        Purpose::Sitemap | Purpose::Feed => (Accept::Sitemap, desk.reading.max_sitemap),
    };
    Request { url: task.url.clone(), conditions: Conditions::default(), accept, max_body }
}

fn weather_of(reply: &Reply, now: Timestamp) -> Weather {
    let throttled = matches!(reply.status, 429 | 503);
    Weather {
        first_byte: Some(reply.first_byte),
        throttled,
        reset: false,
        retry_after: throttled.then(|| mapwright_fetch::retry_after(&reply.headers, now)).flatten(),
        none: false,
    }
}

/// No head came, or none that HTTP allows.
fn failed<C>(desk: &Desk<C>, task: Task, at: Timestamp, failure: Failure) -> Ending {
    let again = failure.kind.transient() && task.attempt < desk.retries;
    let weather = Weather {
        first_byte: failure.head_seen.then_some(failure.after),
        reset: failure.kind == FailureKind::Reset,
        none: matches!(failure.kind, FailureKind::Guarded | FailureKind::Internal),
        ..Weather::default()
    };
    let settlement = match (task.purpose, again) {
        (Purpose::Robots, true) => Settlement::Robots(RobotsAnswer::Again(None)),
        (Purpose::Robots, false) => Settlement::Robots(RobotsAnswer::Silent(failure.kind.as_str())),
        (_, true) => Settlement::Again { after: None, free: false },
        (_, false) => Settlement::Done,
    };
    let outcome = if failure.kind == FailureKind::Guarded { Outcome::Guarded } else { Outcome::NoAnswer };
    let visit = Visit {
        failure: Some(failure.kind),
        detail: Some(failure.detail),
        total: Some(failure.after),
        to_be_tried_again: again,
        ..Visit::new(task.clone(), at, outcome)
    };
    Ending { finished: Finished { settles: Some((task, settlement)), found: Vec::new(), visit: Some(visit) }, weather }
}

/// A task that may not be fetched: what became of it is recorded all the same.
pub(crate) fn refused(task: Task, refusal: Refusal) -> Finished<Visit> {
    let silent = if let Refusal::RobotsSilent(cause) = &refusal { FailureKind::from_name(cause) } else { None };
    let outcome = match (&refusal, silent) {
        (Refusal::RobotsSilent(_), Some(FailureKind::Guarded)) => Outcome::Guarded,
        (Refusal::RobotsSilent(_), _) => Outcome::NoAnswer,
        _ => Outcome::Refused,
    };
    let visit =
        Visit { failure: silent, refusal: Some(refusal), ..Visit::new(task.clone(), Timestamp::now(), outcome) };
    Finished { settles: Some((task, Settlement::Done)), found: Vec::new(), visit: Some(visit) }
}

/// A visit that panicked: our failing, recorded, and nothing else is lost by it.
pub(crate) fn crashed(task: Task, why: &str) -> Finished<Visit> {
    tracing::error!(url = %task.url, why, "a visit failed inside mapwright; please report it with this URL");
    let settlement = match task.purpose {
        Purpose::Robots => Settlement::Robots(RobotsAnswer::Silent(FailureKind::Internal.as_str())),
        _ => Settlement::Done,
    };
    let visit = Visit {
        failure: Some(FailureKind::Internal),
        detail: Some(why.to_owned()),
        total: Some(Duration::ZERO),
        ..Visit::new(task.clone(), Timestamp::now(), Outcome::Failed)
    };
    Finished { settles: Some((task, settlement)), found: Vec::new(), visit: Some(visit) }
}
