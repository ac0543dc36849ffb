//! The parts of an explanation as JSON.

use super::super::as_text::words;
use crate::time;
use mapwright_store::{ResponseRow, RobotsRuling, Step, StoredVerdict};
use mapwright_web::page::facts::{FactLocation, PlacedDirectives};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LastFound)]
pub(super) struct LastFoundJson<'e> {
    pub(super) run: i64,
    pub(super) verdict: VerdictJson<'e>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Verdict)]
pub(super) struct VerdictJson<'e> {
    listed: bool,
    /// The reason why it is not listed.
    #[schema(required)]
    reason: Option<&'static str>,
    /// The URL or text that the reason rests on.
    #[schema(required)]
    evidence: Option<&'e str>,
    /// Pages that link to it.
    inlinks: u32,
    /// Links from a start URL.
    #[schema(required)]
    depth: Option<u32>,
    /// Its last modification date.
    #[schema(required)]
    pub(super) lastmod: Option<&'e str>,
    /// The source of that date.
    #[schema(required)]
    lastmod_from: Option<&'e str>,
    /// Runs in a row in which it failed and stayed listed.
    kept_failing: u32,
}

impl<'e> From<&'e StoredVerdict> for VerdictJson<'e> {
    fn from(verdict: &'e StoredVerdict) -> Self {
        let lastmod = verdict.lastmod.as_ref();
        Self {
            listed: verdict.reason.is_none(),
            reason: verdict.reason.map(|reason| reason.as_str()),
            evidence: verdict.evidence.as_deref(),
            inlinks: verdict.inlinks,
            depth: verdict.depth,
            lastmod: lastmod.map(|(date, _)| date.as_str()),
            lastmod_from: lastmod.map(|(_, from)| from.as_str()),
            kept_failing: verdict.kept,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Discovery)]
pub(super) struct DiscoveryJson<'e> {
    /// The way: a link, a redirect, a sitemap and so on.
    pub(super) via: &'static str,
    /// The page or file that names it.
    #[schema(required)]
    pub(super) on: Option<&'e str>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ClickStep)]
pub(super) struct StepJson<'e> {
    url: &'e str,
    /// The text of the link.
    #[schema(required)]
    anchor: Option<&'e str>,
}

impl<'e> From<&'e Step> for StepJson<'e> {
    fn from(step: &'e Step) -> Self {
        Self { url: &step.url, anchor: step.anchor.as_deref() }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapEntry)]
pub(super) struct ListingJson<'e> {
    pub(super) file: &'e str,
    #[schema(required)]
    pub(super) lastmod: Option<&'e str>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsRuling)]
pub(super) struct RobotsJson<'e> {
    pub(super) file: &'e str,
    #[schema(required)]
    status: Option<u16>,
    /// robots.txt allows the URL; null if its rules are unknown.
    #[schema(required)]
    allowed: Option<bool>,
    /// The number of the line that decides.
    #[schema(required)]
    line: Option<u32>,
    /// The text of that line.
    #[schema(required)]
    rule: Option<&'e str>,
}

impl<'e> From<&'e RobotsRuling> for RobotsJson<'e> {
    fn from(ruling: &'e RobotsRuling) -> Self {
        let line = ruling.ruling.as_ref().and_then(|(_, line)| line.as_ref());
        Self {
            file: &ruling.file,
            status: ruling.status,
            allowed: ruling.ruling.as_ref().map(|(allowed, _)| *allowed),
            line: line.map(|line| line.number),
            rule: line.map(|line| line.text.as_str()),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Response)]
pub(super) struct ResponseJson<'e> {
    pub(super) run: i64,
    #[schema(required)]
    at: Option<String>,
    outcome: &'static str,
    #[schema(required)]
    status: Option<u16>,
    /// The fault, if there was no response.
    #[schema(required)]
    failure: Option<&'e str>,
    /// The fault, in words.
    #[schema(required)]
    detail: Option<&'e str>,
    /// The duration of the request in milliseconds.
    #[schema(required)]
    ms: Option<u64>,
    /// A 304 revalidated the page.
    not_modified: bool,
    /// The page was not due to be requested.
    not_requested: bool,
    /// The target of a redirect.
    #[schema(required)]
    target: Option<&'e str>,
    /// The request was sent again later.
    tried_again: bool,
}

impl<'e> From<&'e ResponseRow> for ResponseJson<'e> {
    fn from(row: &'e ResponseRow) -> Self {
        Self {
            run: row.run,
            at: time::rfc3339(row.at),
            outcome: row.outcome.as_str(),
            status: row.status,
            failure: row.failure.as_deref(),
            detail: row.detail.as_deref(),
            ms: row.total_ms,
            not_modified: row.reused == 1,
            not_requested: row.reused == 2,
            target: row.target.as_deref(),
            tried_again: row.again,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Directives)]
pub(super) struct DirectivesJson<'e> {
    /// The place: a header or a meta element.
    #[schema(value_type = String)]
    place: FactLocation,
    /// The crawler that it addresses; null if it addresses all.
    #[schema(required)]
    agent: Option<&'e str>,
    says: Vec<String>,
}

impl<'e> From<&'e PlacedDirectives> for DirectivesJson<'e> {
    fn from(placed: &'e PlacedDirectives) -> Self {
        Self { place: placed.place, agent: placed.agent.as_deref(), says: words(placed) }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = History)]
pub(super) struct HistoryJson {
    /// The time of the first visit.
    #[schema(required)]
    pub(super) first_seen: Option<String>,
    /// The time of the visit that saw the last change.
    #[schema(required)]
    pub(super) changed: Option<String>,
    /// The number of changes seen.
    pub(super) changes: u32,
}
