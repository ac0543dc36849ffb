//! The record's memory of a page, and its uses: where the server answers 304 Not Modified (RFC 9110 section 15.4.5),
//! where the page is not due, and where a page that was good fails for a time (stale-if-error).

use crate::context::VisitContext;
use crate::discover::{LinkCollector, Prerequisite};
use jiff::Timestamp;
use mapwright_frontier::{Finished, RetryCost, Settlement};
use mapwright_model::{Content, Discovery, Listing, Purpose, Remembered, Reused, ReusedContent, Task, Via, Visit};
use mapwright_web::directives::Binding;
use mapwright_web::page::facts::{FactLocation, PlacedDirectives};
use mapwright_web::{PageUrl, directives};

/// Fills `visit` from the memory of a page: its outcome, its directives as they apply today, and its discoveries.
/// `fresh` are the directives of the header of a 304 Not Modified: they replace those of the stored header (RFC 9111
/// section 4.3.4). Returns the directives that
/// apply.
pub(crate) fn reuse_remembered<C>(
    context: &VisitContext<C>,
    collector: &mut LinkCollector<'_>,
    visit: &mut Visit,
    memory: &Remembered,
    fresh: Vec<PlacedDirectives>,
) -> Binding {
    let kept =
        memory.directives.iter().filter(|given| fresh.is_empty() || given.place != FactLocation::Header).cloned();
    let given: Vec<PlacedDirectives> = fresh.iter().cloned().chain(kept).collect();
    let agents: Vec<&str> = context.reading.agents.iter().map(String::as_str).collect();
    let binding = directives::binding(&given, &agents, visit.at);
    visit.outcome = memory.outcome;
    visit.response.status = Some(memory.status);
    // `collector` does not know these: the record has all known pages that a remembered page links to.
    visit.relinked.clone_from(&memory.relinked);
    add_remembered_links(collector, memory, binding.nofollow);
    binding
}

/// Adds every URL that a remembered page leads to.
fn add_remembered_links(collector: &mut LinkCollector<'_>, memory: &Remembered, nofollow: bool) {
    if let Some(url) = &memory.canonical {
        collector.find(url, Via::Canonical);
    }
    if let Some(url) = &memory.refresh {
        collector.find(url, Via::Refresh);
    }
    for link in &memory.links {
        let via = collector.via(link.kind, link.rel, link.region, nofollow);
        if via == Via::FeedLink {
            collector.feed(&link.url);
        } else {
            collector.find(&link.url, via);
        }
    }
}

/// Returns the URLs that a remembered page leads to, although its request failed today.
pub(crate) fn led_to<C>(context: &VisitContext<C>, task: &Task, memory: &Remembered, now: Timestamp) -> Vec<Discovery> {
    let agents: Vec<&str> = context.reading.agents.iter().map(String::as_str).collect();
    let mut collector = LinkCollector::new(context, task);
    add_remembered_links(&mut collector, memory, directives::binding(&memory.directives, &agents, now).nofollow);
    collector.into_found()
}

/// Returns the target of a remembered redirect, although its request failed today.
pub(crate) fn redirected<C>(context: &VisitContext<C>, task: &Task, target: &PageUrl) -> Vec<Discovery> {
    let mut collector = LinkCollector::new(context, task);
    collector.find(target, Via::Redirect);
    collector.into_found()
}

/// Returns the URLs that a sitemap or feed listed when it was last read, although it cannot be read today.
pub(crate) fn listed<C>(context: &VisitContext<C>, task: &Task, listing: &Listing) -> Vec<Discovery> {
    let mut collector = LinkCollector::new(context, task);
    let via = if task.purpose == Purpose::Feed { Via::Feed } else { Via::Sitemap };
    for page in &listing.pages {
        collector.find(page, via);
    }
    let level = task.route.level.saturating_add(1);
    for file in &listing.files {
        collector.prerequisite(
            file,
            via,
            Prerequisite { purpose: Purpose::Sitemap, level, named_by_robots: task.route.named_by_robots },
        );
    }
    collector.into_found()
}

/// Returns the visit of a page that is not requested: the memory of it is reused.
pub(crate) fn not_requested<C>(context: &VisitContext<C>, task: Task, memory: &Remembered) -> Finished<Visit> {
    let mut collector = LinkCollector::new(context, &task);
    let mut visit = Visit::new(task.clone(), Timestamp::now(), memory.outcome);
    let binding = reuse_remembered(context, &mut collector, &mut visit, memory, Vec::new());
    visit.content = Content::Reused(ReusedContent { reused: Reused::NotRequested, binding });
    let found = collector.into_found();
    Finished { settles: Some((task, Settlement::Done)), found, visit: Some(visit) }
}

/// Has the page fetched without conditions, since the record holds nothing usable.
pub(crate) fn fetch_plainly(task: Task) -> Finished<Visit> {
    let settlement = Settlement::Retry { after: None, cost: RetryCost::Nothing };
    Finished { settles: Some((task, settlement)), found: Vec::new(), visit: None }
}
