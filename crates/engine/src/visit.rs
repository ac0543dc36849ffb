//! One visit: a task is fetched, its answer read, and what it leads to is told. One hop, one request.

use crate::desk::Desk;
use crate::flight::Tower;
use crate::reading;
use crate::remembered::{self, Remembered};
use crate::visited::{Outcome, Visit};
use jiff::Timestamp;
use mapwright_fetch::{Accept, Conditions, Failure, FailureKind, Fetch, Method, Reply, Request};
use mapwright_frontier::{
    Cost, Finished, Frontier, Listing, Mode, Purpose, Refusal, RobotsAnswer, Settlement, Task, Weather,
};
use mapwright_web::PageUrl;
use mapwright_web::media::Kinds;
use std::sync::Arc;
use std::time::Duration;

/// Bodies larger than this are read on a thread of their own, so that they hold up nothing else.
const LARGE: usize = 256 << 10;

/// Fetches and reads one task. `tower` is told when the answer is here.
pub(crate) async fn visit<F, C>(desk: Arc<Desk<C>>, frontier: Arc<F>, task: Task, tower: Tower) -> Finished<Visit>
where
    F: Frontier<Visit = Visit, Memory = Remembered>,
    C: Fetch,
{
    let at = Timestamp::now();
    let reply = match desk.fetcher.fetch(request(&desk, &task)).await {
        Ok(reply) => reply,
        Err(failure) => {
            tower.land(weather_of_failure(&failure)).await;
            let mut finished = failed(&desk, task, at, failure);
            stand_in(&desk, &*frontier, &mut finished).await;
            return finished;
        }
    };
    tower.land(weather_of(&reply, at)).await;
    if reply.status == NOT_MODIFIED && matches!(task.mode, Mode::Conditional(_)) {
        return match recall(&*frontier, &task).await {
            Some(memory) => reading::vouched(&desk, task, at, &reply, &memory),
            None => remembered::fetch_plainly(task),
        };
    }
    let mut finished = if reply.body.len() > LARGE {
        read_apart(Arc::clone(&desk), task, at, reply).await
    } else {
        reading::read(&desk, task, at, reply)
    };
    stand_in(&desk, &*frontier, &mut finished).await;
    finished
}

/// The status that vouches for what is remembered (RFC 9110 section 15.4.5).
const NOT_MODIFIED: u16 = 304;

/// A task that is not asked for: what the record remembers stands.
pub(crate) async fn recalled<F, C>(desk: Arc<Desk<C>>, frontier: Arc<F>, task: Task) -> Finished<Visit>
where
    F: Frontier<Visit = Visit, Memory = Remembered>,
    C: Fetch,
{
    match recall(&*frontier, &task).await {
        Some(memory) => remembered::unasked(&desk, task, &memory),
        None => remembered::fetch_plainly(task),
    }
}

/// Asks for a page once more, only to see how its origin bears it: nothing of it is recorded.
pub(crate) async fn prove<C: Fetch>(desk: Arc<Desk<C>>, task: Task, tower: Tower) -> Finished<Visit> {
    let at = Timestamp::now();
    let answer = desk.fetcher.fetch(request(&desk, &task)).await;
    tower.land(answer.map_or_else(|failure| weather_of_failure(&failure), |reply| weather_of(&reply, at))).await;
    Finished { settles: Some((task, Settlement::Done)), found: Vec::new(), visit: None }
}

/// What the record remembers of a task's URL. A record that cannot be read will not be written either: the next commit
/// tells.
async fn recall<F: Frontier<Memory = Remembered>>(frontier: &F, task: &Task) -> Option<Remembered> {
    let id = task.id?;
    frontier.recall(id).await.inspect_err(|error| tracing::warn!(%error, "nothing could be recalled")).ok().flatten()
}

/// Where a task's URL redirected when it last answered.
async fn recall_redirect<F: Frontier>(frontier: &F, task: &Task) -> Option<PageUrl> {
    let id = task.id?;
    let target = frontier.recall_redirect(id).await;
    target.inspect_err(|error| tracing::warn!(%error, "nothing could be recalled")).ok().flatten()
}

/// What a sitemap or feed listed when it was last read.
async fn recall_file<F: Frontier>(frontier: &F, task: &Task) -> Listing {
    let Some(id) = task.id else { return Listing::default() };
    let listing = frontier.recall_file(id).await;
    let listing = listing.inspect_err(|error| tracing::warn!(%error, "nothing could be recalled")).unwrap_or_default();
    let count = listing.pages.len() + listing.files.len();
    if count > 0 {
        tracing::warn!(file = %task.url, count, "it cannot be read: what it listed when it was last read counts");
    }
    listing
}

/// A page that was fine and has a bad hour still leads where it led, and so do a redirect and a file of the site's: what
/// hangs on it is not gone.
async fn stand_in<F, C>(desk: &Desk<C>, frontier: &F, finished: &mut Finished<Visit>)
where
    F: Frontier<Visit = Visit, Memory = Remembered>,
{
    let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &mut finished.visit) else { return };
    if task.purpose.is_listing() && (visit.is_bad_hour() || visit.unfinished) {
        let listing = recall_file(frontier, task).await;
        finished.found.extend(remembered::listed(desk, task, &listing));
        return;
    }
    if task.purpose != Purpose::Page || !visit.is_bad_hour() {
        return;
    }
    if let Some(target) = recall_redirect(frontier, task).await {
        finished.found.extend(remembered::redirected(desk, task, &target));
        return;
    }
    if !task.remembered {
        return;
    }
    if let Some(memory) = recall(frontier, task).await {
        finished.found.extend(remembered::led_to(desk, task, &memory, visit.at));
        visit.again = memory.again;
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
    let (accept, max_body, whole) = match task.purpose {
        Purpose::Page | Purpose::Probe => (Accept::Page, desk.reading.max_body, desk.reading.whole),
        Purpose::External => (Accept::Page, EXTERNAL_BODY, Kinds::ALL),
        Purpose::Robots => (Accept::Robots, desk.reading.max_robots, Kinds::ALL),
        Purpose::Sitemap | Purpose::Feed => (Accept::Sitemap, desk.reading.max_sitemap, Kinds::ALL),
    };
    let conditions = match &task.mode {
        Mode::Conditional(known) => Conditions { etag: known.etag.clone(), modified: known.last_modified.clone() },
        Mode::Plain | Mode::Remembered => Conditions::default(),
    };
    let method = if is_first_check(task) { Method::Head } else { Method::Get };
    let (url, spelling) = (task.url.clone(), task.spelling.clone());
    let cookie_wall = task.to_itself && spelling.is_none();
    Request { method, url, spelling, conditions, accept, max_body, whole, cookie_wall }
}

/// Bytes that are taken of another site's document.
const EXTERNAL_BODY: u64 = 16 << 10;

/// Whether this is the first request for another site's URL: for its head alone, which says enough where it says that
/// all is well.
pub(crate) fn is_first_check(task: &Task) -> bool {
    task.purpose == Purpose::External && task.attempt == 0
}

fn weather_of(reply: &Reply, now: Timestamp) -> Weather {
    let throttled = matches!(reply.status, 429 | 503);
    Weather {
        first_byte: Some(reply.first_byte),
        throttled,
        refused: matches!(reply.status, 429 | 500..=599),
        cut_off: false,
        retry_after: throttled.then(|| mapwright_fetch::retry_after(&reply.headers, now)).flatten(),
        none: false,
    }
}

fn weather_of_failure(failure: &Failure) -> Weather {
    Weather {
        first_byte: failure.head_seen.then_some(failure.after),
        cut_off: is_cut_off(failure.kind),
        none: matches!(failure.kind, FailureKind::Guarded | FailureKind::Internal),
        ..Weather::default()
    }
}

/// A server that has too many connections refuses further ones, or closes them.
fn is_cut_off(kind: FailureKind) -> bool {
    matches!(kind, FailureKind::Refused | FailureKind::Reset)
}

/// No head came, or none that HTTP allows.
fn failed<C>(desk: &Desk<C>, task: Task, at: Timestamp, failure: Failure) -> Finished<Visit> {
    let confirms = task.attempt == 0 && (desk.audits || is_first_check(&task));
    let again = match task.purpose {
        Purpose::External => confirms,
        _ => failure.kind.transient() && task.attempt < desk.retries || confirms && task.purpose == Purpose::Page,
    };
    let cost = if is_cut_off(failure.kind) { Cost::TryUnlessTurnedAway } else { Cost::Try };
    let settlement = match (task.purpose, again) {
        (Purpose::Robots, true) => Settlement::Robots(RobotsAnswer::Again(None)),
        (Purpose::Robots, false) => Settlement::Robots(RobotsAnswer::Silent(failure.kind.as_str())),
        (_, true) => Settlement::Again { after: None, cost },
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
    Finished { settles: Some((task, settlement)), found: Vec::new(), visit: Some(visit) }
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
