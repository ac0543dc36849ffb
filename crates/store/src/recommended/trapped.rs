//! Pages of crawl traps: of a pattern proven endless only what something outside it vouches for is listed.

use super::links::linked_from_outside;
use super::pages::{Page, Pages};
use crate::error::StoreError;
use mapwright_frontier::{Unfetched, pattern, wide_pattern};
use mapwright_traps::is_drawn;
use mapwright_verdict::content::Block;
use mapwright_verdict::{Node, Reason};
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// Bytes of text of its own from which on a page of a trap may have content that no sibling has.
const OWN_PROSE: u32 = 100;

/// Leaves out what nothing vouches for: no sitemap, no page of another pattern, no content of its own.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    drawn(pages)?;
    let endless = endless(pages)?;
    if endless.is_empty() {
        return Ok(());
    }
    let narrow = |url: &PageUrl| pattern(url).unwrap_or_default();
    let patterns: HashSet<String> = endless.iter().map(narrow).collect();
    leave_out(pages, &narrow, &patterns, with_own_content)?;
    // What a trap grows may be of other patterns than what was refused at its end.
    let wide = |url: &PageUrl| wide_pattern(url).unwrap_or_default();
    let patterns: HashSet<String> = endless.iter().map(wide).filter(|name| !name.is_empty()).collect();
    leave_out(pages, &wide, &patterns, with_any_content)
}

/// Which pages of a trap have content of their own.
type OwnContent = fn(&Pages<'_>, &[&Page]) -> Result<Vec<Node>, StoreError>;

/// Leaves out the pages of endless patterns that nothing vouches for.
fn leave_out(
    pages: &mut Pages<'_>,
    pattern: &dyn Fn(&PageUrl) -> String,
    endless: &HashSet<String>,
    own_content: OwnContent,
) -> Result<(), StoreError> {
    let trapped: Vec<&Page> =
        pages.open().filter(|page| !page.is_home && endless.contains(&pattern(&page.url))).collect();
    let candidates: HashMap<Node, String> = trapped.iter().map(|page| (page.node, pattern(&page.url))).collect();
    let mut vouched = linked_from_outside(pages, &candidates, pattern)?;
    vouched.extend(in_sitemaps(pages)?);
    vouched.extend(own_content(pages, &trapped)?);
    let out: Vec<Node> = candidates.into_keys().filter(|node| !vouched.contains(node)).collect();
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::CrawlTrap, None));
    Ok(())
}

/// Leaves out pages whose URL has a value drawn at random (the number of a search, say) and which show nothing that no
/// other page shows.
fn drawn(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let drawn: Vec<Node> =
        pages.open().filter(|page| !page.is_home && has_drawn_value(&page.url)).map(|page| page.node).collect();
    if drawn.is_empty() {
        return Ok(());
    }
    let mut own: HashMap<Node, HashSet<Block>> = HashMap::new();
    let mut counts: HashMap<Block, usize> = HashMap::new();
    for node in drawn {
        let blocks: HashSet<Block> = pages.blocks(node)?.into_iter().collect();
        blocks.iter().for_each(|block| *counts.entry(*block).or_default() += 1);
        own.insert(node, blocks);
    }
    let mut elsewhere: HashSet<Block> = HashSet::new();
    for page in pages.open().filter(|page| !own.contains_key(&page.node)) {
        elsewhere.extend(pages.blocks(page.node)?.into_iter().filter(|block| counts.contains_key(block)));
    }
    // A heading that most of them share is the content of none.
    let is_frame = |block: &Block| own.len() > 1 && counts.get(block).is_some_and(|count| count * 2 > own.len());
    let says_nothing =
        |blocks: &HashSet<Block>| blocks.iter().all(|block| elsewhere.contains(block) || is_frame(block));
    let out: Vec<Node> = own.iter().filter(|(_, blocks)| says_nothing(blocks)).map(|(node, _)| *node).collect();
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::CrawlTrap, None));
    Ok(())
}

/// Whether the query has a value that looks drawn at random.
fn has_drawn_value(url: &PageUrl) -> bool {
    let mut values = url.query().into_iter().flat_map(|query| query.split(['&', ';']));
    values.any(|pair| pair.split_once('=').is_some_and(|(_, value)| is_drawn(value)))
}

/// What was refused because the budget of its pattern was spent.
fn endless(pages: &Pages<'_>) -> Result<Vec<PageUrl>, StoreError> {
    let mut select = pages
        .connection
        .prepare("SELECT u.text FROM found f JOIN url u ON u.id = f.url WHERE f.run = ? AND f.refused = ?")?;
    let mut rows = select.query((pages.run, Unfetched::Endless.code()))?;
    let mut refused = Vec::new();
    while let Some(row) = rows.next()? {
        refused.extend(PageUrl::recorded(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?));
    }
    Ok(refused)
}

/// Pages that the site's own sitemaps list.
fn in_sitemaps(pages: &Pages<'_>) -> Result<Vec<Node>, StoreError> {
    let mut select = pages.connection.prepare("SELECT DISTINCT url FROM entry WHERE run = ?")?;
    Ok(select.query_map([pages.run], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// Pages with text of which a part stands on no other page of the trap.
fn with_own_content(pages: &Pages<'_>, trapped: &[&Page]) -> Result<Vec<Node>, StoreError> {
    let frame = pages.all.iter().map(|page| page.prose).min().unwrap_or_default();
    let own = own_blocks(pages, trapped)?;
    let has_prose = |page: &Page| page.prose - frame.min(page.prose) >= OWN_PROSE;
    // One is the title, which tells a number apart.
    let with_content = trapped.iter().zip(own).filter(|(page, own)| has_prose(page) && own.is_some_and(|own| own >= 2));
    Ok(with_content.map(|(page, _)| page.node).collect())
}

/// Pages with anything that stands on no other page near the trap.
fn with_any_content(pages: &Pages<'_>, trapped: &[&Page]) -> Result<Vec<Node>, StoreError> {
    let own = own_blocks(pages, trapped)?;
    let with_content = trapped.iter().zip(own).filter(|(_, own)| own.is_none_or(|own| own > 0));
    Ok(with_content.map(|(page, _)| page.node).collect())
}

/// For each page the number of its text blocks that no other of them has; `None` for a page without any.
fn own_blocks(pages: &Pages<'_>, trapped: &[&Page]) -> Result<Vec<Option<usize>>, StoreError> {
    let mut counts: HashMap<Block, u32> = HashMap::new();
    for page in trapped {
        let own: HashSet<Block> = pages.blocks(page.node)?.into_iter().collect();
        own.into_iter().for_each(|block| *counts.entry(block).or_default() += 1);
    }
    let mut own = Vec::new();
    for page in trapped {
        let blocks = pages.blocks(page.node)?;
        let count = blocks.iter().filter(|block| counts.get(block) == Some(&1)).count();
        own.push((!blocks.is_empty()).then_some(count));
    }
    Ok(own)
}
