//! From an answer to what it says: its outcome, its facts, and the URLs it leads to.

use crate::desk::Desk;
use crate::discover::Finds;
use crate::prerequisite;
use crate::visited::{Outcome, Seal, Visit};
use jiff::Timestamp;
use mapwright_fetch::{BodyState, Reply};
use mapwright_frontier::{Finished, Purpose, RobotsAnswer, Settlement, Task, Via};
use mapwright_web::media::Media;
use mapwright_web::{Head, PageUrl, directives, page};
use std::time::Duration;

/// Characters of a validator or of a detail that are kept.
const MAX_FIELD: usize = 512;
/// Bytes of a body that its kind is sniffed from.
const SNIFFED: usize = 1024;

/// Reads the answer to `task`.
pub(crate) fn read<C>(desk: &Desk<C>, task: Task, at: Timestamp, reply: Reply) -> Finished<Visit> {
    let mut finds = Finds::new(&desk.reading, &desk.seen, &task);
    let mut visit = noted(desk, &task, at, &reply);
    let location = redirect_target(desk, &task, &reply);
    let settlement = match retry(desk, &task, at, &reply, location.as_ref()) {
        Some(again) => {
            visit.to_be_tried_again = true;
            again
        }
        None => match task.purpose {
            Purpose::Robots => read_robots(desk, &task, &reply, location, &mut finds, &mut visit),
            Purpose::Sitemap | Purpose::Feed => read_sitemap(desk, &task, &reply, location, &mut finds, &mut visit),
            Purpose::Page => read_page(desk, at, &reply, location, &mut finds, &mut visit),
        },
    };
    let found = finds.into_found();
    Finished { settles: Some((task, settlement)), found, visit: Some(visit) }
}

/// What the head and the sizes of an answer say, whatever it is for.
fn noted<C>(desk: &Desk<C>, task: &Task, at: Timestamp, reply: &Reply) -> Visit {
    let bounded = |text: &str| text.chars().take(MAX_FIELD).collect::<String>();
    let first = reply.body.get(..SNIFFED).unwrap_or(&reply.body);
    let whole = reply.body_state.is_whole();
    Visit {
        status: Some(reply.status),
        first_byte: Some(reply.first_byte),
        total: Some(reply.total),
        wire_bytes: reply.wire_bytes,
        body_bytes: reply.body.len() as u64,
        cut: reply.body_state == BodyState::Cut,
        detail: if let BodyState::Broken(why) = &reply.body_state { Some(bounded(why)) } else { None },
        media: Some(Media::of(reply.headers.content_type(), first)),
        seal: Seal {
            etag: reply.headers.etag().map(bounded),
            last_modified: reply.headers.last_modified().map(bounded),
            hash: whole.then(|| desk.reading.keys.hash(&reply.body)),
        },
        ..Visit::new(task.clone(), at, Outcome::Status)
    }
}

/// The target of a redirect (RFC 9110 section 15.4), if the answer is one that can be followed.
fn redirect_target<C>(desk: &Desk<C>, task: &Task, reply: &Reply) -> Option<PageUrl> {
    let location = reply.headers.location().filter(|_| matches!(reply.status, 300..=303 | 307 | 308))?;
    PageUrl::join(task.url.as_url(), location, encoding_rs::UTF_8, &desk.reading.identity).ok()
}

/// Whether the task is to be tried again.
fn retry<C>(
    desk: &Desk<C>,
    task: &Task,
    now: Timestamp,
    reply: &Reply,
    location: Option<&PageUrl>,
) -> Option<Settlement> {
    if location == Some(&task.url) && reply.set_cookie && !task.cookie_retry && task.purpose == Purpose::Page {
        return Some(Settlement::Again { after: None, free: true });
    }
    let broken = matches!(reply.body_state, BodyState::Broken(_)) && location.is_none();
    let failing = matches!(reply.status, 429 | 500 | 502 | 503 | 504) || broken;
    let wait = mapwright_fetch::retry_after(&reply.headers, now);
    let too_long = wait.is_some_and(|wait| wait > desk.max_retry_after);
    if !failing || too_long || task.attempt >= desk.retries {
        return None;
    }
    Some(match task.purpose {
        Purpose::Robots => Settlement::Robots(RobotsAnswer::Again(wait)),
        _ => Settlement::Again { after: wait, free: false },
    })
}

fn read_robots<C>(
    desk: &Desk<C>,
    task: &Task,
    reply: &Reply,
    location: Option<PageUrl>,
    finds: &mut Finds<'_>,
    visit: &mut Visit,
) -> Settlement {
    let free = |finds: &mut Finds<'_>| {
        prerequisite::usual_sitemap(task, &desk.reading, finds);
        RobotsAnswer::Free
    };
    Settlement::Robots(match (reply.status, location) {
        (_, Some(url)) => {
            visit.outcome = Outcome::Redirect;
            visit.target = Some(finds.find(&url, Via::Resource));
            RobotsAnswer::Hop(url)
        }
        (200..=299, None) if matches!(reply.body_state, BodyState::Broken(_)) => {
            visit.outcome = Outcome::Broken;
            RobotsAnswer::Silent("reset")
        }
        (200..=299, None) => {
            visit.outcome = Outcome::File;
            prerequisite::robots(&reply.body, task, &desk.reading, finds)
        }
        (429 | 500..=599, None) => RobotsAnswer::Status(reply.status),
        _ => free(finds),
    })
}

fn read_sitemap<C>(
    desk: &Desk<C>,
    task: &Task,
    reply: &Reply,
    location: Option<PageUrl>,
    finds: &mut Finds<'_>,
    visit: &mut Visit,
) -> Settlement {
    if let Some(url) = location {
        visit.outcome = Outcome::Redirect;
        visit.target = Some(finds.find(&url, Via::Resource));
        let hop = finds.prerequisite(&url, Via::Redirect, task.purpose, task.level);
        hop.invited = task.invited;
    } else if matches!(reply.status, 200 | 203) {
        visit.outcome = Outcome::File;
        visit.entries = prerequisite::sitemap(&reply.body, task, &desk.reading, finds);
    }
    Settlement::Done
}

fn read_page<C>(
    desk: &Desk<C>,
    now: Timestamp,
    reply: &Reply,
    location: Option<PageUrl>,
    finds: &mut Finds<'_>,
    visit: &mut Visit,
) -> Settlement {
    if let Some(url) = location {
        visit.outcome = Outcome::Redirect;
        visit.target = Some(finds.find(&url, Via::Redirect));
        return Settlement::Done;
    }
    let success = matches!(reply.status, 200 | 203);
    let is_page = visit.media.as_ref().is_some_and(Media::is_page);
    visit.outcome = match (success, &reply.body_state, is_page) {
        (true, BodyState::Broken(_), _) => Outcome::Broken,
        (true, _, true) => Outcome::Page,
        (true, _, false) => Outcome::File,
        (false, ..) if throttles(desk, now, reply) => Outcome::Throttled,
        (false, ..) => Outcome::Status,
    };
    say(desk, now, reply, is_page, success, finds, visit);
    Settlement::Done
}

/// The server asks to be left alone: that is no broken page.
fn throttles<C>(desk: &Desk<C>, now: Timestamp, reply: &Reply) -> bool {
    let wait = || mapwright_fetch::retry_after(&reply.headers, now);
    let asked = |least: Duration| wait().is_some_and(|wait| wait >= least);
    reply.status == 429 || (reply.status == 503 && asked(Duration::ZERO)) || asked(desk.max_retry_after)
}

/// What the document says. Links of answers that are no success are not taken: an error page leads nowhere.
fn say<C>(
    desk: &Desk<C>,
    now: Timestamp,
    reply: &Reply,
    is_page: bool,
    success: bool,
    finds: &mut Finds<'_>,
    visit: &mut Visit,
) {
    let head = Head {
        content_type: reply.headers.content_type(),
        links: reply.headers.all("link").collect(),
        robots: reply.headers.all("x-robots-tag").collect(),
        refresh: reply.headers.get("refresh"),
    };
    let limits = &desk.reading.page;
    let url = &visit.task.url;
    let facts =
        if is_page { page::read(&reply.body, &head, url, limits) } else { page::header_facts(&head, url, limits) };
    let agents: Vec<&str> = desk.reading.agents.iter().map(String::as_str).collect();
    visit.binding = directives::binding(&facts.directives, &agents, now);
    if success {
        visit.canonical = finds.canonical(&facts);
        visit.target = finds.refresh(&facts);
        visit.links = finds.links(&facts.links, visit.binding.nofollow);
    }
    visit.facts = Some(Box::new(facts));
}
