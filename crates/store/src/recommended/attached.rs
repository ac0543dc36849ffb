//! Pages attached to others by a word at the same place of their paths, page after page: the history of each article, each
//! file with who wrote its lines. They are left out where all that they add is labels, and, of words that version control
//! alone uses, where there is one for each of several revisions: no change of a file is a page to find.

use super::pages::{Page, Pages, names_revision};
use super::text::{beside_frame, frame, shown};
use super::views::{Aside, aside, beside, folders, has_word, sides};
use crate::error::StoreError;
use mapwright_verdict::content::{Block, Role};
use mapwright_verdict::{Fate, Node, Reason};
use mapwright_web::{PageUrl, origin_of};
use std::collections::{HashMap, HashSet};

/// Words that version control uses of a file and its changes, and little else does.
const CHANGES: [&str; 5] = ["annotate", "blame", "commitdiff", "comparison", "diff"];
/// Pages that a word attaches to others, from which on it does.
const PAIRS: usize = 3;
/// Bytes of a text up to which it is a label.
const LABEL: u32 = 64;
/// Blocks that such a page has, at least: of fewer it is not known what it is.
const FEW_BLOCKS: usize = 3;

/// A page, what it is attached to, and whether the two are tied by more than their URLs.
type Attached<'p> = (&'p Page, Node, bool);

/// Leaves out the pages that are attached to others and add labels alone.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let mut by_word: HashMap<(String, String), Vec<Attached<'_>>> = HashMap::new();
    let beside = beside(pages)?;
    for page in pages.open().filter(|page| !page.is_home) {
        let all = aside(pages, &beside, page)?;
        let is_own = |aside: &&Aside<'_, '_>| aside.is_tied || is_of_changes(aside.word);
        let aside = all.iter().find(is_own).map(|aside| (aside.word, aside.whole.node, aside.is_tied));
        let below = || below(pages, page).map(|(word, whole)| (word, whole, true));
        if let Some((word, whole, is_tied)) = aside.or_else(below) {
            by_word.entry((page.url.origin().to_string(), word.to_owned())).or_default().push((page, whole, is_tied));
        }
    }
    by_word.retain(|_, attached| attached.len() >= PAIRS);
    let mut out: Vec<(Node, Node)> = Vec::new();
    if !by_word.is_empty() {
        let frame = frame(pages)?;
        let revised = revised(pages);
        for (word, attached) in by_word {
            for (page, whole, is_tied) in attached {
                if revised.contains(&word) || is_tied && adds_labels(pages, page, whole, &frame)? {
                    out.push((page.node, whole));
                }
            }
        }
    }
    out.into_iter().for_each(|(node, whole)| pages.leave_out(node, Reason::Duplicate, Some(whole)));
    let out = of_kept_out(pages)?;
    out.into_iter().for_each(|(node, whole)| pages.leave_out(node, Reason::Duplicate, Some(whole)));
    Ok(())
}

/// Pages below what the site itself keeps out, an old revision that is `noindex`, say: they go as most pages with their
/// word went, each with the page further above that stays.
fn of_kept_out(pages: &Pages<'_>) -> Result<Vec<(Node, Node)>, StoreError> {
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
        let whole = page.url.with_path(above);
        if counts.contains_key(&(origin_of(page.url.as_str()), word)) && is_kept_out(pages, &whole)? {
            let stays = folders(&whole).filter_map(|path| pages.at(&whole.with_path(path)));
            let stays = stays.filter(|page| !page.is_home && pages.is_open(page.node)).last();
            out.extend(stays.map(|stays| (page.node, stays.node)));
        }
    }
    Ok(out)
}

/// Whether a URL has a page that may not be listed for what the site says of it.
fn is_kept_out(pages: &Pages<'_>, url: &PageUrl) -> Result<bool, StoreError> {
    let known = if pages.at(url).is_none() { pages.known_of(url)? } else { None };
    Ok(known.is_some_and(|(_, known)| matches!(known.fate, Fate::Page)))
}

/// Whether a name is a word of changes, or has one before or behind an underscore: `blame_incremental`.
fn is_of_changes(name: &str) -> bool {
    name.split('_').any(|word| CHANGES.contains(&word))
}

/// The word of views at the end of a path, with what stands before it.
fn last_word(url: &PageUrl) -> Option<(&str, &str)> {
    let (above, word) = url.path().trim_end_matches('/').rsplit_once('/')?;
    (has_word(word) && !above.is_empty()).then_some((above, word))
}

/// The words of version control that stand in the URLs of several revisions, whatever was judged of those, each with its
/// origin.
fn revised(pages: &Pages<'_>) -> HashSet<(String, String)> {
    let mut counts: HashMap<(String, String), usize> = HashMap::new();
    for page in pages.all.iter().filter(|page| names_revision(page.url.path_and_query())) {
        for (word, _) in sides(&page.url).filter(|(name, _)| is_of_changes(name)) {
            *counts.entry((page.url.origin().to_string(), word.to_owned())).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= PAIRS).map(|(word, _)| word).collect()
}

/// The word at the end of a path, and the page that stands there without it.
fn below<'u>(pages: &Pages<'_>, page: &'u Page) -> Option<(&'u str, Node)> {
    let (above, word) = last_word(&page.url)?;
    let at = |path: &str| pages.at(&page.url.with_path(path)).filter(|whole| pages.is_shown(whole.node));
    let whole = at(above).or_else(|| at(&format!("{above}/")))?;
    (!whole.is_home).then_some((word, whole.node))
}

/// Whether all that a page says beside what `whole` says, and what every page does, is labels.
fn adds_labels(pages: &Pages<'_>, page: &Page, whole: Node, frame: &HashSet<Block>) -> Result<bool, StoreError> {
    let shown = shown(pages, whole)?;
    let all = beside_frame(pages, page.node, frame)?;
    let mut own = all.iter().filter(|passage| passage.role == Role::Text && !shown.contains(&passage.text));
    Ok(all.len() >= FEW_BLOCKS && own.all(|passage| passage.bytes < LABEL))
}
