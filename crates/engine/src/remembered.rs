//! What an earlier run saw of a page, and what a run makes of it: where the server says "not modified" (RFC 9110
//! section 15.4.5), where the page is not due to be asked for, and where a page that was fine has a bad hour.

use crate::desk::Desk;
use crate::discover::{Finds, Prerequisite};
use crate::visited::{Carried, Outcome, Visit};
use jiff::Timestamp;
use mapwright_frontier::{Cost, Discovery, Finished, Listing, Purpose, Settlement, Task, UrlId, Via};
use mapwright_web::page::facts::{LinkKind, Place, PlacedDirectives, Region, Rel};
use mapwright_web::{PageUrl, directives};

/// What the record remembers of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// What became of the request that saw it.
    pub outcome: Outcome,
    /// Its status, 200 or 203.
    pub status: u16,
    /// The robots directives that the page gave, in tags and headers.
    pub directives: Vec<PlacedDirectives>,
    /// Its canonical, where one counts.
    pub canonical: Option<PageUrl>,
    /// Where an instant refresh leads.
    pub refresh: Option<PageUrl>,
    /// Those of its links whose targets this run has not met yet.
    pub links: Vec<RememberedLink>,
    /// Pages of its own pattern that it links and that this run met before, where that pattern may be one of
    /// identifiers: see [`Visit::again`].
    pub again: Vec<UrlId>,
}

/// A link of a remembered page.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedLink {
    /// Where it points.
    pub url: PageUrl,
    /// What gave it.
    pub kind: LinkKind,
    /// Its `rel`.
    pub rel: Rel,
    /// The region of the page it stands in.
    pub region: Region,
}

/// Lets `visit` stand for what is remembered: its outcome, its directives as they bind today, and the URLs it leads to.
/// `fresh` are the directives of a header that came with a "not modified": they replace those of the header before
/// (RFC 9111 section 4.3.4).
pub(crate) fn stand_for<C>(
    desk: &Desk<C>,
    finds: &mut Finds<'_>,
    visit: &mut Visit,
    memory: &Remembered,
    fresh: Vec<PlacedDirectives>,
) {
    let kept = memory.directives.iter().filter(|given| fresh.is_empty() || given.place != Place::Header).cloned();
    let given: Vec<PlacedDirectives> = fresh.iter().cloned().chain(kept).collect();
    let agents: Vec<&str> = desk.reading.agents.iter().map(String::as_str).collect();
    visit.binding = directives::binding(&given, &agents, visit.at);
    visit.outcome = memory.outcome;
    visit.status = Some(memory.status);
    // Not what `finds` knows: the record knows all that a remembered page links, however often it was linked.
    visit.again.clone_from(&memory.again);
    lead_on(finds, memory, visit.binding.nofollow);
}

/// Finds all that a remembered page leads to.
fn lead_on(finds: &mut Finds<'_>, memory: &Remembered, nofollow: bool) {
    if let Some(url) = &memory.canonical {
        finds.find(url, Via::Canonical);
    }
    if let Some(url) = &memory.refresh {
        finds.find(url, Via::Refresh);
    }
    for link in &memory.links {
        let via = finds.via(link.kind, link.rel, link.region, nofollow);
        if via == Via::FeedLink {
            finds.feed(&link.url);
        } else {
            finds.find(&link.url, via);
        }
    }
}

/// Where a remembered page leads, though its answer of today failed.
pub(crate) fn led_to<C>(desk: &Desk<C>, task: &Task, memory: &Remembered, now: Timestamp) -> Vec<Discovery> {
    let agents: Vec<&str> = desk.reading.agents.iter().map(String::as_str).collect();
    let mut finds = Finds::new(desk, task);
    lead_on(&mut finds, memory, directives::binding(&memory.directives, &agents, now).nofollow);
    finds.into_found()
}

/// Where a redirect led, though it fails today.
pub(crate) fn redirected<C>(desk: &Desk<C>, task: &Task, target: &PageUrl) -> Vec<Discovery> {
    let mut finds = Finds::new(desk, task);
    finds.find(target, Via::Redirect);
    finds.into_found()
}

/// What a sitemap or feed listed when it was last read, though it cannot be read today.
pub(crate) fn listed<C>(desk: &Desk<C>, task: &Task, listing: &Listing) -> Vec<Discovery> {
    let mut finds = Finds::new(desk, task);
    let via = if task.purpose == Purpose::Feed { Via::Feed } else { Via::Sitemap };
    for page in &listing.pages {
        finds.find(page, via);
    }
    let level = task.level.saturating_add(1);
    for file in &listing.files {
        finds.prerequisite(file, via, Prerequisite { purpose: Purpose::Sitemap, level, invited: task.invited });
    }
    finds.into_found()
}

/// The visit of a page that is not asked for: what is remembered stands.
pub(crate) fn unasked<C>(desk: &Desk<C>, task: Task, memory: &Remembered) -> Finished<Visit> {
    let mut finds = Finds::new(desk, &task);
    let mut visit = Visit::new(task.clone(), Timestamp::now(), memory.outcome);
    stand_for(desk, &mut finds, &mut visit, memory, Vec::new());
    visit.carried = Some(Carried::Unasked);
    let found = finds.into_found();
    Finished { settles: Some((task, Settlement::Done)), found, visit: Some(visit) }
}

/// Nothing usable is remembered after all: the page is fetched plainly.
pub(crate) fn fetch_plainly(task: Task) -> Finished<Visit> {
    let settlement = Settlement::Again { after: None, cost: Cost::Nothing };
    Finished { settles: Some((task, settlement)), found: Vec::new(), visit: None }
}
