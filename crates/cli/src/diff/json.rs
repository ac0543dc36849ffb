//! The differences between two runs as JSON.

use mapwright_crawl::differences::{DifferenceKind, TextChangeJson, answers, noindex_change, removal_reason};
use mapwright_crawl::time;
use mapwright_store::{Difference, Record, RunRow, RunState, StoreError};
use serde::Serialize;

/// The most pages whose text is shown.
const MAX_TEXTS: usize = 10_000;

/// The differences as JSON.
#[derive(Serialize)]
pub(super) struct DiffJson<'d> {
    runs: [ComparedJson; 2],
    added: Vec<&'d str>,
    removed: Vec<RemovedJson<'d>>,
    changed: Vec<&'d str>,
    text_changed: Vec<TextChangedJson<'d>>,
    title_changed: Vec<ChangeJson<'d>>,
    status_changed: Vec<ChangeJson<'d>>,
    added_to_sitemap: Vec<&'d str>,
    removed_from_sitemap: Vec<RemovedJson<'d>>,
    noindex: Vec<NoindexJson<'d>>,
}

/// The numbers of differences as JSON, under the names of the lists.
#[derive(Serialize)]
pub(super) struct SummaryJson {
    runs: [ComparedJson; 2],
    added: usize,
    removed: usize,
    changed: usize,
    title_changed: usize,
    status_changed: usize,
    added_to_sitemap: usize,
    removed_from_sitemap: usize,
    noindex: usize,
}

impl SummaryJson {
    pub(super) fn of(before: &RunRow, now: &RunRow, differences: &[Difference]) -> Self {
        let count = |kind: DifferenceKind| differences.iter().filter(|difference| kind.includes(difference)).count();
        Self {
            runs: [before, now].map(ComparedJson::from),
            added: count(DifferenceKind::Added),
            removed: count(DifferenceKind::Removed),
            changed: count(DifferenceKind::Changed),
            title_changed: count(DifferenceKind::TitleChanged),
            status_changed: count(DifferenceKind::StatusChanged),
            added_to_sitemap: count(DifferenceKind::AddedToSitemap),
            removed_from_sitemap: count(DifferenceKind::RemovedFromSitemap),
            noindex: count(DifferenceKind::Noindex),
        }
    }
}

/// A run that is compared.
#[derive(Serialize)]
struct ComparedJson {
    run: i64,
    started: Option<String>,
    state: RunState,
}

/// A URL that is gone, and why.
#[derive(Serialize)]
struct RemovedJson<'d> {
    url: &'d str,
    reason: &'static str,
}

/// A page that is set to noindex, and its change.
#[derive(Serialize)]
struct NoindexJson<'d> {
    url: &'d str,
    change: &'static str,
}

/// A URL whose answers or titles differ.
#[derive(Serialize)]
struct ChangeJson<'d> {
    url: &'d str,
    before: String,
    now: String,
}

/// The text that came and went on a page.
#[derive(Serialize)]
pub(super) struct TextChangedJson<'d> {
    url: &'d str,
    #[serde(flatten)]
    change: TextChangeJson,
}

/// Returns the text that came and went on the first pages whose content changed.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn text_changes<'d>(
    record: &Record,
    differences: &'d [Difference],
) -> Result<Vec<TextChangedJson<'d>>, StoreError> {
    let changed = differences.iter().filter(|difference| DifferenceKind::Changed.includes(difference));
    let text = |difference: &'d Difference| -> Result<_, StoreError> {
        let change = record.text_change(difference)?;
        Ok(change.map(|change| TextChangedJson { url: &difference.url, change: change.into() }))
    };
    changed.take(MAX_TEXTS).filter_map(|difference| text(difference).transpose()).collect()
}

impl<'d> DiffJson<'d> {
    pub(super) fn of(
        before: &RunRow,
        now: &RunRow,
        differences: &'d [Difference],
        text_changed: Vec<TextChangedJson<'d>>,
    ) -> Self {
        let is_complete = now.state == RunState::Complete;
        let those = |kind: DifferenceKind| differences.iter().filter(move |difference| kind.includes(difference));
        let urls = |kind| those(kind).map(|difference| difference.url.as_str()).collect();
        let gone =
            |kind| those(kind).map(|d| RemovedJson { url: &d.url, reason: removal_reason(d, is_complete) }).collect();
        let status = |difference: &'d Difference| {
            let [before, now] = answers(difference);
            ChangeJson { url: &difference.url, before, now }
        };
        let title = |difference: &'d Difference| {
            let [before, now] = difference.titles()?.clone();
            Some(ChangeJson { url: &difference.url, before, now })
        };
        let noindex = |difference: &'d Difference| {
            Some(NoindexJson { url: &difference.url, change: noindex_change(difference)? })
        };
        Self {
            runs: [before, now].map(ComparedJson::from),
            added: urls(DifferenceKind::Added),
            removed: gone(DifferenceKind::Removed),
            changed: urls(DifferenceKind::Changed),
            text_changed,
            title_changed: those(DifferenceKind::TitleChanged).filter_map(title).collect(),
            status_changed: those(DifferenceKind::StatusChanged).map(status).collect(),
            added_to_sitemap: urls(DifferenceKind::AddedToSitemap),
            removed_from_sitemap: gone(DifferenceKind::RemovedFromSitemap),
            noindex: those(DifferenceKind::Noindex).filter_map(noindex).collect(),
        }
    }
}

impl From<&RunRow> for ComparedJson {
    fn from(row: &RunRow) -> Self {
        Self { run: row.run, started: time::rfc3339(row.started), state: row.state }
    }
}
