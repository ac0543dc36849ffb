//! Pages near a crawl trap whose content is also on other pages: listings of one thing for each revision, one change
//! limited to each file, queries that show rows with pages of their own.
//!
//! The least important are left out first, and only while each piece of their text, except for labels, is on another
//! page that stays, so that no text is lost. A page without parameters is left out only if it has no paragraph and its
//! folder does not link it.

use super::links::{in_sitemaps, targets};
use super::pages::{Page, Pages};
use super::text::text;
use crate::error::StoreError;
use mapwright_traps::{parameters, wide_pattern};
use mapwright_verdict::content::BlockHash;
use mapwright_verdict::{NodeIndex, Reason};
use mapwright_web::PageUrl;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The fewest pages in a part of a site, and the percentage of them left out, from which on the part is a trap even if
/// its budget is not spent.
const MANY: usize = 100;
const MIN_PERCENT: usize = 50;
/// A page that one in `MENU` pages of its part link belongs to the site's menu.
const MENU: usize = 4;

/// The most labels that a page may have of its own (a size, a count), and a page with parameters (the day it is limited
/// to, cells of its one row); the most bytes of a label; and the factor by which the rest of the text must exceed them.
const LABELS: usize = 2;
const LABELS_OF_A_LIST: usize = 4;
const LABEL: u32 = 32;
const MOSTLY: u32 = 3;

/// The length in bytes from which on a text identifies an item of a list, and from which on it is a paragraph.
const ITEM: u32 = 64;
const PARAGRAPH: u32 = 128;
/// The fewest items with pages of their own that make a page a list of them.
const FEWEST_ITEMS: usize = 3;

/// The titles and texts of the pages of a site.
#[derive(Default)]
struct Said {
    titles: HashMap<u64, u32>,
    texts: HashMap<BlockHash, u32>,
    /// By text long enough to identify an item, the pages without parameters that show it.
    items: HashMap<BlockHash, Vec<NodeIndex>>,
    /// The number of such texts on each of these pages.
    lengths: HashMap<NodeIndex, u32>,
}

/// Leaves out the pages in trapped parts of the site whose text is also on other pages. `endless` are the URLs refused
/// as part of a trap.
pub(super) fn judge(pages: &mut Pages<'_>, endless: &[PageUrl]) -> Result<(), StoreError> {
    let listed: HashSet<NodeIndex> = in_sitemaps(pages)?.into_iter().collect();
    let mut candidates: Vec<&Page> = Vec::new();
    for (total, part) in parts(pages, endless) {
        for page in part.into_iter().filter(|page| !page.is_home && !listed.contains(&page.node)) {
            let in_menu = pages.inlinks(page.node) >= total.div_ceil(MENU) as u64;
            let stands = !page.has_parameters && pages.stands_for_others(page.node);
            if !in_menu && !stands && !is_listed_by_its_folder(pages, page)? {
                candidates.push(page);
            }
        }
    }
    candidates.sort_by_cached_key(|page| {
        let least = Reverse((parameters(&page.url).len(), page.url.chars()));
        (least, pages.inlinks(page.node), page.url.as_str().to_owned())
    });
    let mut out: Vec<NodeIndex> = Vec::new();
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

/// Reports whether a page without parameters is linked from the page at its folder.
fn is_listed_by_its_folder(pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
    let Some((folder, _)) = page.url.path().trim_end_matches('/').rsplit_once('/') else { return Ok(false) };
    let at = |path: String| pages.at(&page.url.with_path(&path)).filter(|folder| pages.is_open(folder.node));
    let folder = at(format!("{folder}/")).or_else(|| at(folder.to_owned()));
    let Some(folder) = folder.filter(|folder| folder.node != page.node && !page.has_parameters) else {
        return Ok(false);
    };
    Ok(targets(pages, folder)?.contains(&page.node))
}

/// The trapped parts of the site, each with the number of its pages and with the pages that stay so far.
fn parts<'p>(pages: &'p Pages<'_>, endless: &[PageUrl]) -> Vec<(usize, Vec<&'p Page>)> {
    let endless: HashSet<String> = endless.iter().filter_map(wide_pattern).collect();
    let mut parts: HashMap<String, (usize, Vec<&Page>)> = HashMap::new();
    for page in &pages.all {
        let part = parts.entry(wide_pattern(&page.url).unwrap_or_default()).or_default();
        part.0 += 1;
        part.1.extend(pages.is_open(page.node).then_some(page));
    }
    let is_trap = |name: &str, total: usize, open: usize| {
        endless.contains(name) || total >= MANY && (total - open) * 100 >= total * MIN_PERCENT
    };
    let trapped = parts.into_iter().filter(|(name, (total, open))| is_trap(name, *total, open.len()));
    trapped.map(|(_, part)| part).collect()
}

impl Said {
    /// Reads the titles and texts of the pages that stay so far.
    fn of(pages: &Pages<'_>) -> Result<Self, StoreError> {
        let mut said = Self::default();
        for page in pages.open() {
            *said.titles.entry(page.title).or_default() += 1;
            for (text, bytes) in texts(pages, page)? {
                *said.texts.entry(text).or_default() += 1;
                if bytes >= ITEM && !page.has_parameters {
                    said.items.entry(text).or_default().push(page.node);
                    *said.lengths.entry(page.node).or_default() += 1;
                }
            }
        }
        Ok(said)
    }

    /// Removes a page from the counts if its text is also on other pages, except for a few labels. Returns whether it
    /// did.
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

    fn says_nothing_of_its_own(&self, page: &Page, all: &HashMap<BlockHash, u32>) -> bool {
        let labels = if page.has_parameters { LABELS_OF_A_LIST } else { LABELS };
        let is_own = |text: &BlockHash| self.texts.get(text).is_none_or(|count| *count <= 1);
        let own: Vec<u32> = all.iter().filter(|(text, _)| is_own(text)).map(|(_, bytes)| *bytes).collect();
        let are_labels = own.len() <= labels && own.iter().all(|bytes| *bytes <= LABEL);
        are_labels && own.iter().sum::<u32>().saturating_mul(MOSTLY) <= all.values().sum()
    }

    /// Reports whether another page has the same title, or a page with parameters is a list of items with pages of
    /// their own. A page without parameters must also have no paragraph.
    fn has_alike(&self, page: &Page, all: &HashMap<BlockHash, u32>) -> bool {
        let has_title = self.titles.get(&page.title).is_some_and(|count| *count > 1);
        if page.has_parameters {
            return has_title || self.is_list(all);
        }
        has_title && all.values().all(|bytes| *bytes < PARAGRAPH)
    }

    /// Reports whether each long text is on a page without parameters. In a list of several items, each text must be on
    /// a page that has none of the other texts. In a list of one row, the longest text must be the only long text of a
    /// page; the others belong to every list.
    fn is_list(&self, all: &HashMap<BlockHash, u32>) -> bool {
        let mut items: Vec<(&BlockHash, &u32)> = all.iter().filter(|(_, bytes)| **bytes >= ITEM).collect();
        items.sort_unstable_by_key(|(text, bytes)| (Reverse(**bytes), **text));
        let pages_of = |text: &BlockHash| self.items.get(text).map(Vec::as_slice).unwrap_or_default();
        let mut shown: HashMap<NodeIndex, u32> = HashMap::new();
        items.iter().flat_map(|(text, _)| pages_of(text)).for_each(|page| *shown.entry(*page).or_default() += 1);
        let has_own_page =
            |(text, _): &(&BlockHash, &u32)| pages_of(text).iter().any(|page| shown.get(page) == Some(&1));
        let is_all_of_a_page = |text: &BlockHash| pages_of(text).iter().any(|page| self.lengths.get(page) == Some(&1));
        let is_row = items.first().is_some_and(|(longest, _)| is_all_of_a_page(longest));
        items.len() >= FEWEST_ITEMS && items.iter().all(has_own_page)
            || is_row && items.iter().all(|(text, _)| !pages_of(text).is_empty())
    }
}

/// The texts of a page, each with its length in bytes.
fn texts(pages: &Pages<'_>, page: &Page) -> Result<HashMap<BlockHash, u32>, StoreError> {
    Ok(text(pages, page.node)?.into_iter().map(|passage| (passage.text, passage.bytes)).collect())
}
