//! Pages near a trap that say nothing that no other page says: listings of one thing for each revision, one change limited
//! to each file.
//!
//! The least of them go first, and only as long as another page with the same title stays, and another for each piece of
//! their text, labels apart: no text is lost.

use super::pages::{Page, Pages};
use super::text::text;
use super::trapped::in_sitemaps;
use crate::error::StoreError;
use mapwright_frontier::wide_pattern;
use mapwright_traps::parameters;
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

/// Labels that a page may have of its own: a size, a count; their length in bytes at most, and how much longer the rest is.
const LABELS: usize = 2;
const LABEL: u32 = 32;
const MOSTLY: u32 = 3;

/// What the pages of one part of a site say.
#[derive(Default)]
struct Said {
    titles: HashMap<u64, u32>,
    texts: HashMap<Block, u32>,
}

/// Leaves out the pages of trapped parts of the site whose title and text others have; `endless` is what was refused.
pub(super) fn judge(pages: &mut Pages<'_>, endless: &[PageUrl]) -> Result<(), StoreError> {
    let listed: HashSet<Node> = in_sitemaps(pages)?.into_iter().collect();
    let mut out: Vec<Node> = Vec::new();
    for (total, mut part) in parts(pages, endless) {
        let mut said = Said::default();
        for page in &part {
            said.count(pages, page)?;
        }
        part.sort_by_cached_key(|page| {
            let least = Reverse((parameters(&page.url).len(), page.url.chars()));
            (least, inlinks(pages, page), page.url.as_str().to_owned())
        });
        for page in part {
            let in_menu = inlinks(pages, page) as usize * MENU >= total;
            if !page.is_home && !in_menu && !listed.contains(&page.node) && said.drops(pages, page)? {
                out.push(page.node);
            }
        }
    }
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::CrawlTrap, None));
    Ok(())
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

fn inlinks(pages: &Pages<'_>, page: &Page) -> u32 {
    pages.known.get(page.node as usize).map_or(0, |known| known.inlinks)
}

impl Said {
    fn count(&mut self, pages: &Pages<'_>, page: &Page) -> Result<(), StoreError> {
        *self.titles.entry(page.title).or_default() += 1;
        for text in texts(pages, page)?.into_keys() {
            *self.texts.entry(text).or_default() += 1;
        }
        Ok(())
    }

    /// Takes a page out of the count where others say all that it says, but for a label or two.
    fn drops(&mut self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        let all = texts(pages, page)?;
        let is_own = |text: &Block| self.texts.get(text).is_none_or(|count| *count <= 1);
        let own: Vec<u32> = all.iter().filter(|(text, _)| is_own(text)).map(|(_, bytes)| *bytes).collect();
        let has_title = self.titles.get(&page.title).is_some_and(|count| *count > 1);
        let are_labels = own.len() <= LABELS && own.iter().all(|bytes| *bytes <= LABEL);
        let mostly_others = own.iter().sum::<u32>().saturating_mul(MOSTLY) <= all.values().sum();
        if all.is_empty() || !has_title || !are_labels || !mostly_others {
            return Ok(false);
        }
        for text in all.into_keys() {
            self.texts.entry(text).and_modify(|count| *count -= 1);
        }
        self.titles.entry(page.title).and_modify(|count| *count -= 1);
        Ok(true)
    }
}

/// The text of a page, each with its length in bytes.
fn texts(pages: &Pages<'_>, page: &Page) -> Result<HashMap<Block, u32>, StoreError> {
    Ok(text(pages, page.node)?.into_iter().map(|passage| (passage.text, passage.bytes)).collect())
}
