//! Pages attached to others by a word at the same place of their paths, page after page: the history of each article, each
//! file with who wrote its lines. They are left out where all that they add is labels, and, of words that version control
//! alone uses, where there is one for each of several revisions: no change of a file is a page to find.

use super::pages::{Page, Pages, names_revision};
use super::text::{beside_frame, frame, shown};
use super::views::{beside, has_word, sides};
use crate::error::StoreError;
use mapwright_verdict::content::{Block, Role};
use mapwright_verdict::{Node, Reason};
use std::collections::{HashMap, HashSet};

/// Words that version control uses of a file and its changes, and little else does.
const CHANGES: [&str; 5] = ["annotate", "blame", "commitdiff", "comparison", "diff"];
/// Pages that a word attaches to others, from which on it does.
const PAIRS: usize = 3;
/// Bytes of a text up to which it is a label.
const LABEL: u32 = 64;
/// Blocks that such a page has, at least: of fewer it is not known what it is.
const FEW_BLOCKS: usize = 3;

/// Leaves out the pages that are attached to others and add labels alone.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let mut by_word: HashMap<(String, String), Vec<(&Page, Node)>> = HashMap::new();
    let beside = beside(pages);
    for page in pages.open().filter(|page| !page.is_home) {
        let named = sides(&page.url).filter(|(name, _)| has_word(name));
        let aside = named.filter_map(|(name, key)| Some((name.to_owned(), beside.get(&key)?.first()?.node))).next();
        if let Some((word, whole)) = aside.or_else(|| below(pages, page)) {
            by_word.entry((page.url.origin().to_string(), word)).or_default().push((page, whole));
        }
    }
    by_word.retain(|_, attached| attached.len() >= PAIRS);
    if by_word.is_empty() {
        return Ok(());
    }
    let frame = frame(pages)?;
    let mut out: Vec<(Node, Node)> = Vec::new();
    let revised = revised(pages);
    for (word, attached) in by_word {
        for (page, whole) in attached {
            if revised.contains(&word) || adds_labels(pages, page, whole, &frame)? {
                out.push((page.node, whole));
            }
        }
    }
    out.into_iter().for_each(|(node, whole)| pages.leave_out(node, Reason::Duplicate, Some(whole)));
    Ok(())
}

/// The words of version control that stand in the URLs of several revisions, whatever was judged of those, each with its
/// origin.
fn revised(pages: &Pages<'_>) -> HashSet<(String, String)> {
    let mut counts: HashMap<(String, String), usize> = HashMap::new();
    for page in pages.all.iter().filter(|page| names_revision(page.url.path_and_query())) {
        for (word, _) in sides(&page.url).filter(|(name, _)| CHANGES.contains(name)) {
            *counts.entry((page.url.origin().to_string(), word.to_owned())).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= PAIRS).map(|(word, _)| word).collect()
}

/// The word at the end of a path, and the page that stands there without it.
fn below(pages: &Pages<'_>, page: &Page) -> Option<(String, Node)> {
    let (above, word) = page.url.path().trim_end_matches('/').rsplit_once('/').filter(|(_, word)| has_word(word))?;
    let at = |path: &str| pages.at(&page.url.with_path(path)).filter(|whole| pages.is_shown(whole.node));
    let whole = at(above).or_else(|| at(&format!("{above}/")))?;
    (!above.is_empty() && !whole.is_home).then(|| (word.to_owned(), whole.node))
}

/// Whether all that a page says beside what `whole` says, and what every page does, is labels.
fn adds_labels(pages: &Pages<'_>, page: &Page, whole: Node, frame: &HashSet<Block>) -> Result<bool, StoreError> {
    let shown = shown(pages, whole)?;
    let all = beside_frame(pages, page.node, frame)?;
    let mut own = all.iter().filter(|passage| passage.role == Role::Text && !shown.contains(&passage.text));
    Ok(all.len() >= FEW_BLOCKS && own.all(|passage| passage.bytes < LABEL))
}
