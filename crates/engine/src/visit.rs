//! One visit: it fetches a task, reads the response, and reports the discoveries. One hop, one request.

use crate::context::VisitContext;
use crate::reading::{self, Received};
use crate::remembered;
use crate::response::{Response, ResponseClass};
use crate::retry::{self, is_cut_off};
use crate::visits_in_flight::AnswerSender;
use jiff::Timestamp;
use mapwright_fetch::{Accept, Conditions, Failure, Fetch, Method, Reply, Request};
use mapwright_frontier::{Finished, Frontier, ResponseSignal, RetryCost, RobotsAnswer, Settlement};
use mapwright_model::{
    FailureKind, FetchMode, Listing, Outcome, Purpose, RecordedResponse, Refusal, Remembered, Task, Visit,
};
use mapwright_web::PageUrl;
use mapwright_web::media::Kinds;
use std::sync::Arc;
use std::time::Duration;

/// Size in bytes above which a body is read on a thread of its own, so that it holds up nothing else.
const LARGE: usize = 256 << 10;

/// Fetches and reads one task. `answers` is notified when the response is here.
pub(crate) async fn visit<F, C>(
    context: Arc<VisitContext<C>>,
    frontier: Arc<F>,
    task: Task,
    answers: AnswerSender,
) -> Finished<Visit>
where
    F: Frontier<Visit = Visit, Memory = Remembered>,
    C: Fetch,
{
    let at = Timestamp::now();
    let reply = match context.fetcher.fetch(request(&context, &task)).await {
        Ok(reply) => reply,
        Err(failure) => {
            answers.send(signal_of_failure(&failure)).await;
            let mut finished = failed(&context, task, at, failure);
            add_stale_discoveries(&context, &*frontier, &mut finished).await;
            return finished;
        }
    };
    answers.send(signal_of(&reply, at)).await;
    let response = Response::of(&task, at, &reply, context.response_rules());
    let received = Received { at, reply, response, rendered: None };
    if received.response.class == ResponseClass::NotModified {
        return match recall(&*frontier, &task).await {
            Some(memory) => reading::revalidated(&context, task, &received, &memory),
            None => remembered::fetch_plainly(task),
        };
    }
    let mut finished = read(&context, task, received).await;
    add_stale_discoveries(&context, &*frontier, &mut finished).await;
    finished
}

/// Reads a response, and a page once more with what its scripts made of it if they are to run.
async fn read<C: Fetch>(context: &Arc<VisitContext<C>>, task: Task, received: Received) -> Finished<Visit> {
    let mut received = Arc::new(received);
    let finished = read_once(context, task, Arc::clone(&received)).await;
    let Some(renders) = context.renders() else { return finished };
    let Some(choice) = renders.choose(&finished, &received.reply).await else { return finished };
    let rendered = match &finished.visit {
        Some(visit) if choice.reason.renders() => renders.render(visit, &received.reply).await,
        _ => None,
    };
    if renders.fault().is_some() {
        return later(finished);
    }
    if choice.reason.renders() && rendered.is_none() {
        return choice.without_browser(finished);
    }
    let task = finished.settles.as_ref().map(|(task, _)| task.clone());
    if let (Some(rendered), Some(response), Some(task)) = (rendered, Arc::get_mut(&mut received), task) {
        response.rendered = Some(rendered);
        let after = read_once(context, task, received).await;
        return choice.learn(finished, Some(after));
    }
    choice.learn(finished, None)
}

/// Leaves a page in the queue that the browser could not render: a resumed run requests it again.
fn later(finished: Finished<Visit>) -> Finished<Visit> {
    let settles = finished.settles.map(|(task, _)| {
        let cost = RetryCost::Nothing;
        (task, Settlement::Retry { after: None, cost })
    });
    Finished { settles, found: Vec::new(), visit: None }
}

async fn read_once<C: Fetch>(context: &Arc<VisitContext<C>>, task: Task, received: Arc<Received>) -> Finished<Visit> {
    let rendered = received.rendered.as_ref().and_then(|rendered| rendered.as_ref().ok());
    if received.reply.body.len().max(rendered.map_or(0, |rendered| rendered.html.len())) > LARGE {
        read_apart(Arc::clone(context), task, received).await
    } else {
        reading::read(context, task, &received)
    }
}

/// Visits a task that is not requested: the record's memory of it is reused.
pub(crate) async fn recalled<F, C>(context: Arc<VisitContext<C>>, frontier: Arc<F>, task: Task) -> Finished<Visit>
where
    F: Frontier<Visit = Visit, Memory = Remembered>,
    C: Fetch,
{
    match recall(&*frontier, &task).await {
        Some(memory) => remembered::not_requested(&context, task, &memory),
        None => remembered::fetch_plainly(task),
    }
}

/// Makes a health probe: requests a page again only to see how its origin responds, and records nothing of it.
pub(crate) async fn health_probe<C: Fetch>(
    context: Arc<VisitContext<C>>,
    task: Task,
    answers: AnswerSender,
) -> Finished<Visit> {
    let at = Timestamp::now();
    let answer = context.fetcher.fetch(request(&context, &task)).await;
    answers.send(answer.map_or_else(|failure| signal_of_failure(&failure), |reply| signal_of(&reply, at))).await;
    Finished { settles: Some((task, Settlement::Done)), found: Vec::new(), visit: None }
}

/// Returns the record's memory of a task's URL. A record that cannot be read cannot be written either, so the next
/// commit reports the error.
async fn recall<F: Frontier<Memory = Remembered>>(frontier: &F, task: &Task) -> Option<Remembered> {
    let id = task.url_id?;
    frontier.recall(id).await.inspect_err(|error| tracing::warn!(%error, "nothing could be recalled")).ok().flatten()
}

/// Returns the target to which a task's URL redirected when it last responded.
async fn recall_redirect<F: Frontier>(frontier: &F, task: &Task) -> Option<PageUrl> {
    let id = task.url_id?;
    let target = frontier.recall_redirect(id).await;
    target.inspect_err(|error| tracing::warn!(%error, "nothing could be recalled")).ok().flatten()
}

/// Returns the URLs that a sitemap or feed listed when it was last read.
async fn recall_file<F: Frontier>(frontier: &F, task: &Task) -> Listing {
    let Some(id) = task.url_id else { return Listing::default() };
    let listing = frontier.recall_file(id).await;
    let listing = listing.inspect_err(|error| tracing::warn!(%error, "nothing could be recalled")).unwrap_or_default();
    let count = listing.pages.len() + listing.files.len();
    if count > 0 {
        tracing::warn!(file = %task.url, count, "it cannot be read: what it listed when it was last read counts");
    }
    listing
}

/// Adds the remembered discoveries of a page, a redirect or a sitemap that fails for now (stale-if-error), so that the
/// pages behind it do not vanish.
async fn add_stale_discoveries<F, C>(context: &VisitContext<C>, frontier: &F, finished: &mut Finished<Visit>)
where
    F: Frontier<Visit = Visit, Memory = Remembered>,
{
    let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &mut finished.visit) else { return };
    if task.purpose.is_listing()
        && (visit.is_transient_failure() || visit.listing().is_some_and(|listing| listing.unfinished))
    {
        let listing = recall_file(frontier, task).await;
        finished.found.extend(remembered::listed(context, task, &listing));
        return;
    }
    if task.purpose != Purpose::Page || !visit.is_transient_failure() {
        return;
    }
    if let Some(target) = recall_redirect(frontier, task).await {
        finished.found.extend(remembered::redirected(context, task, &target));
        return;
    }
    if !task.remembered {
        return;
    }
    if let Some(memory) = recall(frontier, task).await {
        finished.found.extend(remembered::led_to(context, task, &memory, visit.at));
        visit.relinked = memory.relinked;
    }
}

/// Reads a large response on another thread. A panic there becomes a panic of the visit, which the engine records as a
/// failure.
async fn read_apart<C: Fetch>(context: Arc<VisitContext<C>>, task: Task, received: Arc<Received>) -> Finished<Visit> {
    let copy = task.clone();
    match tokio::task::spawn_blocking(move || reading::read(&context, task, &received)).await {
        Ok(finished) => finished,
        Err(error) => crashed(copy, &error.to_string()),
    }
}

fn request<C>(context: &VisitContext<C>, task: &Task) -> Request {
    let (accept, max_body, full_body_kinds) = match task.purpose {
        Purpose::Page | Purpose::Probe => (Accept::Page, context.reading.max_body, context.reading.full_body_kinds),
        Purpose::External => (Accept::Page, EXTERNAL_BODY, Kinds::ALL),
        Purpose::Resource => (Accept::Page, RESOURCE_BODY, Kinds::ALL),
        Purpose::Robots => (Accept::Robots, context.reading.max_robots, Kinds::ALL),
        Purpose::Sitemap | Purpose::Feed => (Accept::Sitemap, context.reading.max_sitemap, Kinds::ALL),
    };
    let conditions = match &task.mode {
        FetchMode::Conditional(known) => Conditions { etag: known.etag.clone(), modified: known.last_modified.clone() },
        FetchMode::Plain | FetchMode::Remembered => Conditions::default(),
    };
    let method = if task.is_first_check() { Method::Head } else { Method::Get };
    let (url, spelling) = (task.url.clone(), task.spelling.clone());
    let cookie_wall = task.tries.to_itself && spelling.is_none();
    Request { method, url, spelling, conditions, accept, max_body, full_body_kinds, cookie_wall, scripted: None }
}

/// Highest number of bytes downloaded of an external document.
const EXTERNAL_BODY: u64 = 16 << 10;
/// Highest number of bytes read of a style sheet or script.
const RESOURCE_BODY: u64 = 2 << 20;

pub(crate) fn signal_of(reply: &Reply, now: Timestamp) -> ResponseSignal {
    let throttled = matches!(reply.status, 429 | 503);
    ResponseSignal {
        first_byte: Some(reply.first_byte),
        throttled,
        rejected: matches!(reply.status, 429 | 500..=599),
        connection_lost: false,
        retry_after: throttled.then(|| mapwright_fetch::retry_after(&reply.headers, now)).flatten(),
        irrelevant: false,
    }
}

fn signal_of_failure(failure: &Failure) -> ResponseSignal {
    ResponseSignal {
        first_byte: failure.head_seen.then_some(failure.after),
        connection_lost: is_cut_off(failure.kind),
        irrelevant: matches!(failure.kind, FailureKind::Guarded | FailureKind::Internal),
        ..ResponseSignal::default()
    }
}

/// Returns the visit of a request without a valid response head.
fn failed<C>(context: &VisitContext<C>, task: Task, at: Timestamp, failure: Failure) -> Finished<Visit> {
    let retry = retry::decide(&task, &Response::silent(failure.kind), &context.retry_policy);
    let will_retry = retry.is_some();
    let settlement = retry.unwrap_or_else(|| match task.purpose {
        Purpose::Robots => Settlement::Robots(RobotsAnswer::Silent(failure.kind.as_str())),
        _ => Settlement::Done,
    });
    let outcome = if failure.kind == FailureKind::Guarded { Outcome::Guarded } else { Outcome::NoAnswer };
    let response = RecordedResponse {
        failure: Some(failure.kind),
        detail: Some(failure.detail),
        total: Some(failure.after),
        ..RecordedResponse::default()
    };
    let visit = Visit { response, will_retry, ..Visit::new(task.clone(), at, outcome) };
    Finished { settles: Some((task, settlement)), found: Vec::new(), visit: Some(visit) }
}

/// Returns the visit of a task that may not be fetched: its outcome is recorded too.
pub(crate) fn refused(task: Task, refusal: Refusal) -> Finished<Visit> {
    let silent = if let Refusal::RobotsSilent(cause) = &refusal { FailureKind::from_name(cause) } else { None };
    let outcome = match (&refusal, silent) {
        (Refusal::RobotsSilent(_), Some(FailureKind::Guarded)) => Outcome::Guarded,
        (Refusal::RobotsSilent(_), _) => Outcome::NoAnswer,
        _ => Outcome::Refused,
    };
    let response = RecordedResponse { failure: silent, ..RecordedResponse::default() };
    let visit = Visit { response, refusal: Some(refusal), ..Visit::new(task.clone(), Timestamp::now(), outcome) };
    Finished { settles: Some((task, Settlement::Done)), found: Vec::new(), visit: Some(visit) }
}

/// Returns the visit of a task that panicked: a bug of mapwright that is recorded, and affects no other visit.
pub(crate) fn crashed(task: Task, why: &str) -> Finished<Visit> {
    tracing::error!(url = %task.url, why, "a visit failed inside mapwright; please report it with this URL");
    let settlement = match task.purpose {
        Purpose::Robots => Settlement::Robots(RobotsAnswer::Silent(FailureKind::Internal.as_str())),
        _ => Settlement::Done,
    };
    let response = RecordedResponse {
        failure: Some(FailureKind::Internal),
        detail: Some(why.to_owned()),
        total: Some(Duration::ZERO),
        ..RecordedResponse::default()
    };
    let visit = Visit { response, ..Visit::new(task.clone(), Timestamp::now(), Outcome::Failed) };
    Finished { settles: Some((task, settlement)), found: Vec::new(), visit: Some(visit) }
}
