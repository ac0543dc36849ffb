//! Keeps the last copy of a text. A page that others are variants or repeats of is not left out as part of a trap if no
//! page at its path is listed and it has a paragraph that no listed page has.

use super::pages::{Page, Pages};
use super::text::paragraphs;
use crate::error::StoreError;
use mapwright_verdict::Reason;
use mapwright_verdict::content::BlockHash;
use std::collections::HashSet;

/// Lists the trapped pages again that others were left out for and that are the last with some paragraph.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let is_trapped = |page: &&Page| matches!(pages.judgement(page.node), Some((Reason::CrawlTrap, _)));
    let mut trapped: Vec<&Page> =
        pages.all.iter().filter(|page| pages.stands_for_others(page.node)).filter(is_trapped).collect();
    let place = |page: &Page| (page.url.origin(), page.url.path().to_owned());
    if !trapped.is_empty() {
        let listed: HashSet<_> = pages.open().map(place).collect();
        trapped.retain(|page| !listed.contains(&place(page)));
    }
    if trapped.is_empty() {
        return Ok(());
    }
    let mut shown: HashSet<BlockHash> = HashSet::new();
    for page in pages.open() {
        shown.extend(paragraphs(pages, page.node)?);
    }
    let mut stays = Vec::new();
    for page in trapped {
        let own = paragraphs(pages, page.node)?;
        if own.iter().any(|paragraph| !shown.contains(paragraph)) {
            stays.push(page.node);
            shown.extend(own);
        }
    }
    stays.into_iter().for_each(|node| pages.list_again(node));
    Ok(())
}
