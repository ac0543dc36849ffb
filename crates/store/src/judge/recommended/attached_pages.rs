//! Pages attached to others by a word at the same place in their paths: the history of each article, the authors of the
//! lines of each file. They are left out if they add only labels. For words that only version control uses, they are
//! left out if there is one for each of several revisions, since changes of a file are no pages to be found by search.

use super::pages::{Page, Pages, names_revision};
use super::text::{beside_boilerplate, boilerplate, shown};
use super::view_words::has_word;
use super::views::{Sibling, folders, segments, sibling, sibling_index};
use crate::error::StoreError;
use mapwright_verdict::content::{BlockHash, PassageRole};
use mapwright_verdict::{FetchStatus, NodeIndex, Reason};
use mapwright_web::{PageUrl, origin_of};
use std::collections::{HashMap, HashSet};

/// Words that version control uses for a file and its changes, and that are rare otherwise.
const CHANGES: [&str; 5] = ["annotate", "blame", "commitdiff", "comparison", "diff"];
/// The fewest pages attached by a word that prove that it attaches pages.
const PAIRS: usize = 3;
/// The length in bytes below which a text is a label.
const LABEL: u32 = 64;
/// The fewest blocks of such a page, since fewer prove nothing.
const FEW_BLOCKS: usize = 3;

/// A page, the page that it is attached to, and whether the two are tied by more than their URLs.
type Attached<'p> = (&'p Page, NodeIndex, bool);

/// Leaves out the pages that are attached to others and add only labels.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let mut by_word: HashMap<(String, String), Vec<Attached<'_>>> = HashMap::new();
    let sibling_index = sibling_index(pages)?;
    for page in pages.open().filter(|page| !page.is_home) {
        let all = sibling(pages, &sibling_index, page)?;
        let is_own = |sibling: &&Sibling<'_, '_>| sibling.is_tied || is_of_changes(sibling.word);
        let sibling = all.iter().find(is_own).map(|sibling| (sibling.word, sibling.full_page.node, sibling.is_tied));
        let below = || below(pages, page).map(|(word, full_page)| (word, full_page, true));
        if let Some((word, full_page, is_tied)) = sibling.or_else(below) {
            by_word
                .entry((page.url.origin().to_string(), word.to_owned()))
                .or_default()
                .push((page, full_page, is_tied));
        }
    }
    by_word.retain(|_, attached| attached.len() >= PAIRS);
    let mut out: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    if !by_word.is_empty() {
        let boilerplate = boilerplate(pages)?;
        let revised = revised(pages);
        for (word, attached) in by_word {
            for (page, full_page, is_tied) in attached {
                if revised.contains(&word) || is_tied && adds_labels(pages, page, full_page, &boilerplate)? {
                    out.push((page.node, full_page));
                }
            }
        }
    }
    out.into_iter().for_each(|(node, full_page)| pages.leave_out(node, Reason::Duplicate, Some(full_page)));
    let out = of_kept_out(pages)?;
    out.into_iter().for_each(|(node, full_page)| pages.leave_out(node, Reason::Duplicate, Some(full_page)));
    Ok(())
}

/// The pages below a page that the site itself keeps out, such as an old revision with `noindex`. They are left out if
/// most pages with their word were, each with the nearest page above that stays.
fn of_kept_out(pages: &Pages<'_>) -> Result<Vec<(NodeIndex, NodeIndex)>, StoreError> {
    let mut counts: HashMap<(&str, &str), (usize, usize)> = HashMap::new();
    for page in &pages.all {
        if let Some((_, word)) = last_word(&page.url) {
            let (all, gone) = counts.entry((origin_of(page.url.as_str()), word)).or_default();
            *all += 1;
            *gone += usize::from(!pages.is_open(page.node));
        }
    }
    counts.retain(|_, (all, gone)| *gone >= PAIRS && *gone * 2 >= *all);
    let mut out = Vec::new();
    for page in pages.open().filter(|_| !counts.is_empty()) {
        let Some((above, word)) = last_word(&page.url) else { continue };
        let full_page = page.url.with_path(above);
        if counts.contains_key(&(origin_of(page.url.as_str()), word)) && is_kept_out(pages, &full_page)? {
            let stays = folders(&full_page).filter_map(|path| pages.at(&full_page.with_path(path)));
            let stays = stays.filter(|page| !page.is_home && pages.is_open(page.node)).last();
            out.extend(stays.map(|stays| (page.node, stays.node)));
        }
    }
    Ok(out)
}

/// Reports whether a URL has a page that the site itself excludes.
fn is_kept_out(pages: &Pages<'_>, url: &PageUrl) -> Result<bool, StoreError> {
    let known = if pages.at(url).is_none() { pages.known_of(url)? } else { None };
    Ok(known.is_some_and(|(_, known)| matches!(known.fetch_status, FetchStatus::Page)))
}

/// Reports whether a name is one of the words in [`CHANGES`], or has one before or after an underscore:
/// `blame_incremental`.
fn is_of_changes(name: &str) -> bool {
    name.split('_').any(|word| CHANGES.contains(&word))
}

/// The path before a word of views at its end, and the word.
fn last_word(url: &PageUrl) -> Option<(&str, &str)> {
    let (above, word) = url.path().trim_end_matches('/').rsplit_once('/')?;
    (has_word(word) && !above.is_empty()).then_some((above, word))
}

/// The words of version control in the URLs of several revisions, judged or not, each with its origin.
fn revised(pages: &Pages<'_>) -> HashSet<(String, String)> {
    let mut counts: HashMap<(String, String), usize> = HashMap::new();
    for page in pages.all.iter().filter(|page| names_revision(page.url.path_and_query())) {
        for word in segments(&page.url).filter(|name| is_of_changes(name)) {
            *counts.entry((page.url.origin().to_string(), word.to_owned())).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= PAIRS).map(|(word, _)| word).collect()
}

/// The word at the end of a path, and the page at the path without it.
fn below<'u>(pages: &Pages<'_>, page: &'u Page) -> Option<(&'u str, NodeIndex)> {
    let (above, word) = last_word(&page.url)?;
    let at = |path: &str| pages.at(&page.url.with_path(path)).filter(|full_page| pages.is_shown(full_page.node));
    let full_page = at(above).or_else(|| at(&format!("{above}/")))?;
    (!full_page.is_home).then_some((word, full_page.node))
}

/// Reports whether a page adds only labels to the text of `full_page` and of the frame.
fn adds_labels(
    pages: &Pages<'_>,
    page: &Page,
    full_page: NodeIndex,
    boilerplate: &HashSet<BlockHash>,
) -> Result<bool, StoreError> {
    let shown = shown(pages, full_page)?;
    let all = beside_boilerplate(pages, page.node, boilerplate)?;
    let mut own = all.iter().filter(|passage| passage.role == PassageRole::Text && !shown.contains(&passage.text));
    Ok(all.len() >= FEW_BLOCKS && own.all(|passage| passage.bytes < LABEL))
}
