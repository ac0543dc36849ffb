//! Reads a response: its outcome, its facts, and the URLs that it leads to.

mod check;
mod head;
mod page;
mod retry;
mod revalidated;
mod robots;
mod sitemap;
mod timing;

use crate::context::VisitContext;
use crate::discover::LinkCollector;
use jiff::Timestamp;
use mapwright_fetch::{Fetch, Reply};
use mapwright_frontier::Finished;
use mapwright_model::{Purpose, Task, Visit};
use mapwright_web::PageUrl;
use timing::{is_to_be_timed, to_be_timed};

pub(crate) use revalidated::revalidated;

/// A response, with its request.
struct ResponseReader<'a, C> {
    context: &'a VisitContext<C>,
    task: &'a Task,
    at: Timestamp,
    reply: &'a Reply,
    /// The target, if it is a redirect that can be followed.
    location: Option<PageUrl>,
}

/// Reads the response to `task`.
pub(crate) fn read<C: Fetch>(
    context: &VisitContext<C>,
    mut task: Task,
    at: Timestamp,
    reply: Reply,
) -> Finished<Visit> {
    let mut collector = LinkCollector::new(context, &task);
    let answer =
        ResponseReader { context, task: &task, at, reply: &reply, location: redirect_target(context, &task, &reply) };
    let mut visit = answer.visit_of_head();
    let spelling = answer.spelling();
    let settlement = match answer.retry() {
        Some(settlement) => {
            visit.will_retry = true;
            settlement
        }
        None => match task.purpose {
            Purpose::Robots => answer.robots(&mut collector, &mut visit),
            Purpose::Sitemap | Purpose::Feed => answer.sitemap(&mut collector, &mut visit),
            Purpose::Page => answer.page(&mut collector, &mut visit),
            Purpose::Probe => answer.probe(&mut collector, &mut visit),
            Purpose::External => answer.external(&mut collector, &mut visit),
        },
    };
    let found = collector.into_found();
    task.spelling = spelling.or(task.spelling);
    let finished = Finished { settles: Some((task, settlement)), found, visit: Some(visit) };
    if is_to_be_timed(context, &finished) { to_be_timed(finished) } else { finished }
}

/// Returns the target of a redirect, if the response is one that can be followed.
fn redirect_target<C>(context: &VisitContext<C>, task: &Task, reply: &Reply) -> Option<PageUrl> {
    PageUrl::join(task.url.as_url(), location(reply)?, encoding_rs::UTF_8, &context.reading.identity).ok()
}

/// Returns the `Location` of a redirect (RFC 9110 section 15.4).
fn location(reply: &Reply) -> Option<&str> {
    reply.headers.location().filter(|_| matches!(reply.status, 300..=303 | 307 | 308))
}
