//! The differences between two runs, in words.

use mapwright_model::Outcome;
use mapwright_store::{Difference, TextChange, UrlState};
use mapwright_text::counted_in_groups;
use mapwright_verdict::Reason;
use serde::Serialize;
use utoipa::ToSchema;

/// The most text blocks of a page that [`text_lines`] shows, each way.
const MAX_LINES: usize = 10;

/// The kind of a difference; one URL may have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceKind {
    /// Only the second run found the URL.
    Added,
    /// Only the first run found the URL.
    Removed,
    /// The content changed.
    Changed,
    /// The title changed.
    TitleChanged,
    /// The status, the failure or the redirect target changed.
    StatusChanged,
    /// Only the second run's sitemap lists the URL.
    AddedToSitemap,
    /// Only the first run's sitemap lists the URL.
    RemovedFromSitemap,
    /// A page that is set to noindex came, went or changed: it is of no other kind but those of the sitemap and the
    /// status.
    Noindex,
}

impl DifferenceKind {
    /// All kinds, in the order of `mapwright diff`.
    pub const ALL: [Self; 8] = [
        Self::Added,
        Self::Removed,
        Self::Changed,
        Self::TitleChanged,
        Self::StatusChanged,
        Self::AddedToSitemap,
        Self::RemovedFromSitemap,
        Self::Noindex,
    ];

    /// Returns true if a difference is of this kind.
    #[must_use]
    pub fn includes(self, difference: &Difference) -> bool {
        let of_indexable = |is_of_kind: bool| is_of_kind && !is_noindex(difference);
        match self {
            Self::Added => of_indexable(difference.is_added()),
            Self::Removed => of_indexable(difference.is_removed()),
            Self::Changed => of_indexable(difference.is_changed()),
            Self::TitleChanged => of_indexable(difference.titles().is_some()),
            Self::Noindex => is_noindex(difference) && noindex_change(difference).is_some(),
            Self::StatusChanged => difference.is_status_changed(),
            Self::AddedToSitemap => difference.is_added_to_sitemap(),
            Self::RemovedFromSitemap => difference.is_removed_from_sitemap(),
        }
    }

    /// Returns the title of a list of such differences. If the second run is not `complete`, a missing URL was not
    /// reached.
    #[must_use]
    pub fn title(self, complete: bool) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed if complete => "removed (no longer linked)",
            Self::Removed => "not found in this crawl",
            Self::Changed => "changed",
            Self::TitleChanged => "title changed",
            Self::StatusChanged => "status changed",
            Self::AddedToSitemap => "added to the sitemap",
            Self::RemovedFromSitemap => "removed from the sitemap",
            Self::Noindex => "noindex pages that came, went or changed",
        }
    }
}

/// Returns true for a page that is set to noindex in the second run, or was in the first one if that alone found it.
fn is_noindex(difference: &Difference) -> bool {
    let newest = difference.now.as_ref().or(difference.before.as_ref());
    newest.is_some_and(|seen| seen.reason == Some(Reason::Noindex))
}

/// Returns the change of a page that is set to noindex, in a word.
#[must_use]
pub fn noindex_change(difference: &Difference) -> Option<&'static str> {
    match () {
        () if difference.is_added() => Some("added"),
        () if difference.is_removed() => Some("removed"),
        () if difference.is_changed() => Some("changed"),
        () if difference.titles().is_some() => Some("title changed"),
        () => None,
    }
}

/// Returns an answer in a word: its status, or the reason why there is none.
#[must_use]
pub fn word(seen: Option<&UrlState>) -> String {
    let Some(seen) = seen else { return "not found in this crawl".to_owned() };
    match (seen.status, &seen.failure) {
        (Some(status), _) => match seen.outcome {
            Some(outcome @ (Outcome::Broken | Outcome::Throttled)) => format!("{status} ({})", outcome.as_str()),
            _ => status.to_string(),
        },
        (None, Some(failure)) => failure.clone(),
        (None, None) => {
            let not_requested = || seen.reason.map_or("not requested", |reason| reason.as_str());
            seen.outcome.map_or_else(not_requested, Outcome::as_str).to_owned()
        }
    }
}

/// Returns the answers of both runs. If their words are the same, the outcome or the redirect target is added, so that
/// the difference shows.
#[must_use]
pub fn answers(difference: &Difference) -> [String; 2] {
    let seen = [difference.before.as_ref(), difference.now.as_ref()];
    let words = seen.map(word);
    if words.first() != words.last() {
        return words;
    }
    seen.map(|seen| {
        let Some(UrlState { outcome: Some(outcome), redirect, .. }) = seen else { return word(seen) };
        let to = redirect.as_ref().map_or_else(|| format!("({})", outcome.as_str()), |target| format!("to {target}"));
        format!("{} {to}", word(seen))
    })
}

/// Returns the titles of both runs, in quotation marks.
#[must_use]
pub fn titles(difference: &Difference) -> String {
    let quoted = |title: &String| format!("“{title}”");
    difference.titles().map(|titles| titles.each_ref().map(quoted).join(" → ")).unwrap_or_default()
}

/// Returns the reason why a URL left the sitemap. If the second run is not `complete`, a missing URL was not reached.
#[must_use]
pub fn removal_reason(difference: &Difference, complete: bool) -> &'static str {
    match &difference.now {
        Some(UrlState { reason: Some(reason), .. }) => reason.as_str(),
        None if !complete => "not reached",
        _ => "no longer linked",
    }
}

/// The text that came and went on a page, as JSON.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TextChange)]
pub struct TextChangeJson {
    /// The beginnings of the text blocks that went, at most 100.
    #[schema(max_items = 100)]
    removed: Vec<String>,
    /// The beginnings of the text blocks that came, at most 100.
    #[schema(max_items = 100)]
    added: Vec<String>,
    /// The number of further blocks, whose text is not kept or not shown.
    others: usize,
}

impl From<TextChange> for TextChangeJson {
    fn from(TextChange { removed, added, others }: TextChange) -> Self {
        Self { removed, added, others }
    }
}

/// Returns the text that came and went on a page, a line for each block: `-` before what went, `+` before what came.
#[must_use]
pub fn text_lines(change: &TextChange) -> Vec<String> {
    let TextChange { removed, added, others } = change;
    let shown = |sign: char, texts: &[String]| {
        texts.iter().take(MAX_LINES).map(|text| format!("{sign} {text}")).collect::<Vec<_>>()
    };
    let mut lines = [shown('-', removed), shown('+', added)].concat();
    let more = removed.len() + added.len() + others - lines.len();
    if more > 0 {
        lines.push(format!("and {} of text", counted_in_groups(more as u64, "other block")));
    }
    lines
}
