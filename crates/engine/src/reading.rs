//! Reads a response: its outcome, its facts, and the URLs that it leads to.

mod canonical;
mod check;
mod head;
mod page;
mod rendered;
mod resource;
mod revalidated;
mod robots;
mod sitemap;
mod text_request;
mod timing;

use crate::context::VisitContext;
use crate::discover::LinkCollector;
use crate::response::Response;
use crate::retry;
use jiff::Timestamp;
use mapwright_browser::{RenderFailure, Rendered};
use mapwright_fetch::{Fetch, Reply};
use mapwright_frontier::Finished;
use mapwright_model::{Purpose, Task, Visit};
use text_request::text_request;
pub(crate) use timing::SlowPages;
use timing::request_again;

pub(crate) use revalidated::revalidated;

/// A response that was received.
pub(crate) struct Received {
    /// The time of the request.
    pub(crate) at: Timestamp,
    pub(crate) reply: Reply,
    /// Its class.
    pub(crate) response: Response,
    /// The document that its scripts made, or the reason for which there is none; `None` where they do not run.
    pub(crate) rendered: Option<Result<Rendered, RenderFailure>>,
}

/// A response, with its request.
struct ResponseReader<'a, C> {
    context: &'a VisitContext<C>,
    task: &'a Task,
    at: Timestamp,
    reply: &'a Reply,
    response: &'a Response,
    rendered: Option<&'a Result<Rendered, RenderFailure>>,
}

impl<'a, C> ResponseReader<'a, C> {
    fn new(context: &'a VisitContext<C>, task: &'a Task, received: &'a Received) -> Self {
        let Received { at, reply, response, rendered } = received;
        Self { context, task, at: *at, reply, response, rendered: rendered.as_ref() }
    }
}

/// Reads the response to `task`.
pub(crate) fn read<C: Fetch>(context: &VisitContext<C>, mut task: Task, received: &Received) -> Finished<Visit> {
    let mut collector = LinkCollector::new(context, &task);
    let reader = ResponseReader::new(context, &task, received);
    let mut visit = reader.visit_of_head();
    let again = retry::decide(&task, &received.response, &context.retry_policy)
        .or_else(|| text_request(&task, &visit.response));
    let settlement = match again {
        Some(settlement) => {
            visit.will_retry = true;
            settlement
        }
        None => match task.purpose {
            Purpose::Robots => reader.robots(&mut collector, &mut visit),
            Purpose::Sitemap | Purpose::Feed => reader.sitemap(&mut collector, &mut visit),
            Purpose::Page => reader.page(&mut collector, &mut visit),
            Purpose::Probe => reader.probe(&mut collector, &mut visit),
            Purpose::External => reader.target(&mut collector, &mut visit),
            Purpose::Resource => reader.resource(&mut collector, &mut visit),
        },
    };
    let found = collector.into_found();
    let spelling = received.response.redirect().and_then(|redirect| redirect.spelling.clone());
    task.spelling = spelling.or(task.spelling);
    let finished = Finished { settles: Some((task, settlement)), found, visit: Some(visit) };
    if context.slow_pages.takes(&finished) { request_again(finished) } else { finished }
}
