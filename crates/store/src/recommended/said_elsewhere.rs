//! Pages near a trap that say nothing that no other page says: listings of one thing for each revision, one change limited
//! to each file, queries that show rows which have pages of their own.
//!
//! The least of them go first, and only as long as another page stays for each piece of their text, labels apart: no text
//! is lost. A page without parameters goes only where it has no paragraph and its folder does not list it.

use super::links::targets;
use super::pages::{Page, Pages};
use super::text::text;
use super::trapped::in_sitemaps;
use crate::error::StoreError;
use mapwright_frontier::wide_pattern;
use mapwright_traps::{has_parameters, parameters};
use mapwright_verdict::content::Block;
use mapwright_verdict::{Node, Reason};
use mapwright_web::PageUrl;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Pages in a part of a site, at least, and percent of them that are left out, from which on the part is a trap whatever
/// its budget.
const MANY: usize = 100;
const MOST: usize = 50;
/// A page that one in so many pages of its part link is one of the site's menu.
const MENU: usize = 4;

/// Labels that a page may have of its own (a size, a count), and one with parameters (the day it is limited to, cells of its
/// one row); their length in bytes at most, and how much longer the rest is.
const LABELS: usize = 2;
const LABELS_OF_A_LIST: usize = 4;
const LABEL: u32 = 32;
const MOSTLY: u32 = 3;

/// Bytes of a text from which on it tells an item of a list, and of one that is a paragraph.
const ITEM: u32 = 64;
const PARAGRAPH: u32 = 128;
/// Items that a page shows which have pages of their own, from which on it is a list of them.
const FEWEST_ITEMS: usize = 3;

/// What the pages of a site say.
#[derive(Default)]
struct Said {
    titles: HashMap<u64, u32>,
    texts: HashMap<Block, u32>,
    /// The pages without parameters that show a text which may tell an item.
    items: HashMap<Block, Vec<Node>>,
    /// How many such texts each of them shows.
    lengths: HashMap<Node, u32>,
}

/// Leaves out the pages of trapped parts of the site whose text others have; `endless` is what was refused.
pub(super) fn judge(pages: &mut Pages<'_>, endless: &[PageUrl]) -> Result<(), StoreError> {
    let listed: HashSet<Node> = in_sitemaps(pages)?.into_iter().collect();
    let mut candidates: Vec<&Page> = Vec::new();
    for (total, part) in parts(pages, endless) {
        for page in part.into_iter().filter(|page| !page.is_home && !listed.contains(&page.node)) {
            let in_menu = pages.inlinks(page.node) >= total.div_ceil(MENU) as u64;
            let stands = !has_parameters(&page.url) && pages.stands_for_others(page.node);
            if !in_menu && !stands && !is_listed_by_its_folder(pages, page)? {
                candidates.push(page);
            }
        }
    }
    candidates.sort_by_cached_key(|page| {
        let least = Reverse((parameters(&page.url).len(), page.url.chars()));
        (least, pages.inlinks(page.node), page.url.as_str().to_owned())
    });
    let mut out: Vec<Node> = Vec::new();
    if !candidates.is_empty() {
        let mut said = Said::of(pages)?;
        for page in candidates {
            if said.drops(pages, page)? {
                out.push(page.node);
            }
        }
    }
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::CrawlTrap, None));
    Ok(())
}

/// Whether the page at the folder of a page without parameters links to it.
fn is_listed_by_its_folder(pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
    let Some((folder, _)) = page.url.path().trim_end_matches('/').rsplit_once('/') else { return Ok(false) };
    let at = |path: String| pages.at(&page.url.with_path(&path)).filter(|folder| pages.is_open(folder.node));
    let folder = at(format!("{folder}/")).or_else(|| at(folder.to_owned()));
    let Some(folder) = folder.filter(|folder| folder.node != page.node && !has_parameters(&page.url)) else {
        return Ok(false);
    };
    Ok(targets(pages, folder)?.contains(&page.node))
}

/// The trapped parts of the site: how many pages each has, and those that stay so far.
fn parts<'p>(pages: &'p Pages<'_>, endless: &[PageUrl]) -> Vec<(usize, Vec<&'p Page>)> {
    let endless: HashSet<String> = endless.iter().filter_map(wide_pattern).collect();
    let mut parts: HashMap<String, (usize, Vec<&Page>)> = HashMap::new();
    for page in &pages.all {
        let part = parts.entry(wide_pattern(&page.url).unwrap_or_default()).or_default();
        part.0 += 1;
        part.1.extend(pages.is_open(page.node).then_some(page));
    }
    let is_trap = |name: &str, total: usize, open: usize| {
        endless.contains(name) || total >= MANY && (total - open) * 100 >= total * MOST
    };
    let trapped = parts.into_iter().filter(|(name, (total, open))| is_trap(name, *total, open.len()));
    trapped.map(|(_, part)| part).collect()
}

impl Said {
    /// What the pages say that stay so far.
    fn of(pages: &Pages<'_>) -> Result<Self, StoreError> {
        let mut said = Self::default();
        for page in pages.open() {
            *said.titles.entry(page.title).or_default() += 1;
            for (text, bytes) in texts(pages, page)? {
                *said.texts.entry(text).or_default() += 1;
                if bytes >= ITEM && !has_parameters(&page.url) {
                    said.items.entry(text).or_default().push(page.node);
                    *said.lengths.entry(page.node).or_default() += 1;
                }
            }
        }
        Ok(said)
    }

    /// Takes a page out of the count where others say all that it says, but for a label or two.
    fn drops(&mut self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        let all = texts(pages, page)?;
        if all.is_empty() || !self.has_alike(page, &all) || !self.says_nothing_of_its_own(page, &all) {
            return Ok(false);
        }
        for text in all.into_keys() {
            self.texts.entry(text).and_modify(|count| *count -= 1);
        }
        self.titles.entry(page.title).and_modify(|count| *count -= 1);
        Ok(true)
    }

    fn says_nothing_of_its_own(&self, page: &Page, all: &HashMap<Block, u32>) -> bool {
        let labels = if has_parameters(&page.url) { LABELS_OF_A_LIST } else { LABELS };
        let is_own = |text: &Block| self.texts.get(text).is_none_or(|count| *count <= 1);
        let own: Vec<u32> = all.iter().filter(|(text, _)| is_own(text)).map(|(_, bytes)| *bytes).collect();
        let are_labels = own.len() <= labels && own.iter().all(|bytes| *bytes <= LABEL);
        are_labels && own.iter().sum::<u32>().saturating_mul(MOSTLY) <= all.values().sum()
    }

    /// Whether another page has the same title; or a page with parameters is a list of items with pages of their own.
    fn has_alike(&self, page: &Page, all: &HashMap<Block, u32>) -> bool {
        let has_title = self.titles.get(&page.title).is_some_and(|count| *count > 1);
        if has_parameters(&page.url) {
            return has_title || self.is_list(all);
        }
        has_title && all.values().all(|bytes| *bytes < PARAGRAPH)
    }

    /// Whether each long text is on a page without parameters: on one that has none of the others, its own; or the longest
    /// on one that has no other at all, as a list of one row shows it beside what belongs to each list.
    fn is_list(&self, all: &HashMap<Block, u32>) -> bool {
        let mut items: Vec<(&Block, &u32)> = all.iter().filter(|(_, bytes)| **bytes >= ITEM).collect();
        items.sort_unstable_by_key(|(text, bytes)| (Reverse(**bytes), **text));
        let pages_of = |text: &Block| self.items.get(text).map(Vec::as_slice).unwrap_or_default();
        let mut shown: HashMap<Node, u32> = HashMap::new();
        items.iter().flat_map(|(text, _)| pages_of(text)).for_each(|page| *shown.entry(*page).or_default() += 1);
        let has_own_page = |(text, _): &(&Block, &u32)| pages_of(text).iter().any(|page| shown.get(page) == Some(&1));
        let is_all_of_a_page = |text: &Block| pages_of(text).iter().any(|page| self.lengths.get(page) == Some(&1));
        let is_row = items.first().is_some_and(|(longest, _)| is_all_of_a_page(longest));
        items.len() >= FEWEST_ITEMS && items.iter().all(has_own_page)
            || is_row && items.iter().all(|(text, _)| !pages_of(text).is_empty())
    }
}

/// The text of a page, each with its length in bytes.
fn texts(pages: &Pages<'_>, page: &Page) -> Result<HashMap<Block, u32>, StoreError> {
    Ok(text(pages, page.node)?.into_iter().map(|passage| (passage.text, passage.bytes)).collect())
}
