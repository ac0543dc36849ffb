//! Pages of crawl traps: lists the pages of an endless pattern only if something outside the pattern supports them.

use super::duplicated_text;
use super::links::{in_sitemaps, linked_from_outside};
use super::pages::{Page, Pages};
use super::refused_urls::refused_urls;
use super::text::{content, counts};
use crate::error::StoreError;
use mapwright_model::Unfetched;
use mapwright_traps::{PageFingerprint, is_random, pattern, wide_pattern};
use mapwright_verdict::content::{BlockHash, Passage};
use mapwright_verdict::{NodeIndex, Reason};
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// The bytes of own text from which on a page of a trap may have content that no sibling has.
const OWN_PROSE: u32 = 100;

/// The number of pages of a trap from which on a block that they share is the content of none.
const SEVERAL: u32 = 3;
/// The most labels that an empty page has of its own, such as its date, and the most bytes of a label.
const LABELS: usize = 2;
const LABEL: u32 = 48;

/// Leaves out the pages of traps that no sitemap lists, no page of another pattern links, and that have no content of
/// their own.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    drawn(pages)?;
    // The budget of their pattern was spent, or a sample of their family was enough.
    let endless = refused_urls(pages, Reason::Endless, &[Unfetched::Endless, Unfetched::Sampled])?;
    if !endless.is_empty() {
        siblings(pages, &endless)?;
        again(pages, &endless)?;
    }
    duplicated_text::judge(pages, &endless)
}

/// Leaves out the pages of endless patterns that nothing supports.
fn siblings(pages: &mut Pages<'_>, endless: &[PageUrl]) -> Result<(), StoreError> {
    let family = |url: &PageUrl| pattern(url).unwrap_or_default();
    let endless: HashSet<String> = endless.iter().map(family).collect();
    let trapped: Vec<&Page> = pages.open().filter(|page| endless.contains(&family(&page.url))).collect();
    let candidates: HashMap<NodeIndex, String> = trapped.iter().map(|page| (page.node, family(&page.url))).collect();
    let mut stays: HashSet<NodeIndex> = in_sitemaps(pages)?.into_iter().collect();
    stays.extend(with_own_content(pages, &trapped)?);
    // A page under a plain name stays if others stand for it as views and variants, which repeat its content.
    let is_plain = |page: &Page| pattern(&page.url) == wide_pattern(&page.url) && !page.has_parameters;
    let stands = trapped.iter().filter(|page| is_plain(page) && pages.stands_for_others(page.node));
    stays.extend(stands.map(|page| page.node));
    // The weeks of an endless calendar do not support its days.
    let counts = |node: NodeIndex| !candidates.contains_key(&node) || stays.contains(&node);
    let linked = linked_from_outside(pages, &candidates, &family, &counts)?;
    let linked: Vec<&&Page> = trapped.iter().filter(|page| linked.contains(&page.node)).collect();
    stays.extend(not_empty(pages, &trapped, &linked)?);
    let out: Vec<NodeIndex> = candidates.into_keys().filter(|node| !stays.contains(node)).collect();
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::CrawlTrap, None));
    Ok(())
}

/// Leaves out all but one of the pages with the same content near an endless pattern, because the pages of a trap may
/// have other patterns than the URLs that were refused.
fn again(pages: &mut Pages<'_>, endless: &[PageUrl]) -> Result<(), StoreError> {
    let endless: HashSet<String> = endless.iter().filter_map(wide_pattern).collect();
    let listed: HashSet<NodeIndex> = in_sitemaps(pages)?.into_iter().collect();
    let mut groups: HashMap<(String, PageFingerprint), Vec<&Page>> = HashMap::new();
    for page in pages.open().filter(|page| page.prose > 0) {
        if let Some(wide) = wide_pattern(&page.url).filter(|wide| endless.contains(wide)) {
            groups.entry((wide, page.print)).or_default().push(page);
        }
    }
    let mut out: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    for group in groups.into_values() {
        let Some(stays) = pages.best(&group) else { continue };
        let others = group.iter().map(|page| page.node).filter(|node| *node != stays && !listed.contains(node));
        out.extend(others.map(|node| (node, stays)));
    }
    out.into_iter().for_each(|(node, stays)| pages.leave_out(node, Reason::CrawlTrap, Some(stays)));
    Ok(())
}

/// Leaves out pages whose URL has a value that looks random (such as the number of a search) and whose blocks are all
/// on other pages.
fn drawn(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let drawn: Vec<NodeIndex> =
        pages.open().filter(|page| !page.is_home && has_drawn_value(&page.url)).map(|page| page.node).collect();
    if drawn.is_empty() {
        return Ok(());
    }
    let mut own: HashMap<NodeIndex, HashSet<BlockHash>> = HashMap::new();
    let mut counts: HashMap<BlockHash, usize> = HashMap::new();
    for node in drawn {
        let blocks: HashSet<BlockHash> = pages.blocks(node)?.into_iter().collect();
        blocks.iter().for_each(|block| *counts.entry(*block).or_default() += 1);
        own.insert(node, blocks);
    }
    let mut elsewhere: HashSet<BlockHash> = HashSet::new();
    for page in pages.open().filter(|page| !own.contains_key(&page.node)) {
        elsewhere.extend(pages.blocks(page.node)?.into_iter().filter(|block| counts.contains_key(block)));
    }
    // A heading that most of these pages share is the content of none.
    let is_frame = |block: &BlockHash| own.len() > 1 && counts.get(block).is_some_and(|count| count * 2 > own.len());
    let says_nothing =
        |blocks: &HashSet<BlockHash>| blocks.iter().all(|block| elsewhere.contains(block) || is_frame(block));
    let out: Vec<NodeIndex> = own.iter().filter(|(_, blocks)| says_nothing(blocks)).map(|(node, _)| *node).collect();
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::CrawlTrap, None));
    Ok(())
}

/// Reports whether the query has a value that looks random.
fn has_drawn_value(url: &PageUrl) -> bool {
    let mut values = url.query().into_iter().flat_map(|query| query.split(['&', ';']));
    values.any(|pair| pair.split_once('=').is_some_and(|(_, value)| is_random(value)))
}

/// The pages of `linked` that have more than labels besides the blocks that several pages of the trap share: a day with
/// an event, a list with items.
fn not_empty(pages: &Pages<'_>, trapped: &[&Page], linked: &[&&Page]) -> Result<Vec<NodeIndex>, StoreError> {
    if linked.is_empty() {
        return Ok(Vec::new());
    }
    let counts = counts(pages, trapped.iter().copied())?;
    let mut found = Vec::new();
    for page in linked {
        let own: Vec<Passage> = content(pages, page.node)?
            .into_iter()
            .filter(|passage| counts.get(&passage.text).is_some_and(|count| *count < SEVERAL))
            .collect();
        let is_empty = own.len() <= LABELS && own.iter().all(|passage| passage.bytes <= LABEL);
        found.extend((!is_empty).then_some(page.node));
    }
    Ok(found)
}

/// The pages with text of which a part is on no other page of the trap.
fn with_own_content(pages: &Pages<'_>, trapped: &[&Page]) -> Result<Vec<NodeIndex>, StoreError> {
    let boilerplate = pages.all.iter().map(|page| page.prose).min().unwrap_or_default();
    let mut counts: HashMap<BlockHash, u32> = HashMap::new();
    for page in trapped {
        let own: HashSet<BlockHash> = pages.blocks(page.node)?.into_iter().collect();
        own.into_iter().for_each(|block| *counts.entry(block).or_default() += 1);
    }
    let mut found = Vec::new();
    for page in trapped.iter().filter(|page| page.prose - boilerplate.min(page.prose) >= OWN_PROSE) {
        let own = pages.blocks(page.node)?.into_iter().filter(|block| counts.get(block) == Some(&1)).count();
        // One of them is the title, which may differ only by a number.
        found.extend((own >= 2).then_some(page.node));
    }
    Ok(found)
}
