//! Compares a page with the page at its URL without some of its parameters.

use super::groups::Groups;
use super::pages::{Page, Pages};
use crate::error::StoreError;
use mapwright_traps::{PageComparison, Parameter, parameters};
use mapwright_verdict::FetchStatus;
use mapwright_verdict::content::BlockHash;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// The fewest pages that prove which blocks all pages with one value share.
const FEWEST_ALIKE: usize = 3;
/// The percentage of such pages from which on a block belongs to the value instead of the page.
const MIN_PERCENT: usize = 80;
/// The most pages of a series whose items are combined.
const MAX_SERIES: usize = 200;
/// The most labels that a part of a list has of its own, and the most bytes of a label, by the length classes of the
/// record.
const LABELS: usize = 2;
const LABEL: u32 = 32;

/// Reports whether a page shows nothing that the page at `clean` does not.
pub(super) fn is_variant(
    pages: &Pages<'_>,
    groups: &Groups<'_>,
    page: &Page,
    clean: &Page,
) -> Result<bool, StoreError> {
    let comparison = compare(pages, groups, page, &clean.url, &parameters(&page.url))?;
    Ok(comparison.is_none_or(|comparison| comparison != PageComparison::Differs))
}

/// Compares a page with the page at `clean`, its URL without `parameters`; `None` where that page is unknown.
pub(super) fn compare(
    pages: &Pages<'_>,
    groups: &Groups<'_>,
    page: &Page,
    clean: &PageUrl,
    parameters: &[Parameter],
) -> Result<Option<PageComparison>, StoreError> {
    if let Some(clean) = pages.at(clean) {
        return match page.print.compare(&clean.print) {
            PageComparison::Differs => examine(pages, groups, page, clean, parameters).map(Some),
            other => Ok(Some(other)),
        };
    }
    let known = pages.known_of(clean)?.map(|(_, known)| known);
    Ok(known
        .filter(|known| {
            matches!(known.fetch_status, FetchStatus::Failed(_) | FetchStatus::Redirect) && !known.transient_failure
        })
        .map(|_| PageComparison::Differs))
}

/// Compares two different pages block by block. Blocks on all pages with the value, or on all pages without the
/// parameter, belong to the frame (a menu in another language). If all other blocks are on the clean page or on the
/// further pages of its list, the page is a part of that list.
fn examine(
    pages: &Pages<'_>,
    groups: &Groups<'_>,
    page: &Page,
    clean: &Page,
    parameters: &[Parameter],
) -> Result<PageComparison, StoreError> {
    if page.print.title != clean.print.title {
        return Ok(PageComparison::Differs);
    }
    let (own, others) = (pages.blocks(page.node)?, pages.blocks(clean.node)?);
    let (own_set, other_set): (HashSet<BlockHash>, HashSet<BlockHash>) =
        (own.iter().copied().collect(), others.iter().copied().collect());
    let come: Vec<BlockHash> = own_set.difference(&other_set).copied().collect();
    let gone: Vec<BlockHash> = other_set.difference(&own_set).copied().collect();
    if come.is_empty() && !gone.is_empty() {
        return Ok(PageComparison::Subset);
    }
    let with_value = groups.with_values(page, parameters);
    let without_it = groups.without(page);
    if are_shared(pages, &with_value, &come)? && are_shared(pages, &without_it, &gone)? {
        return Ok(PageComparison::Equal);
    }
    let mut items: HashSet<BlockHash> = other_set;
    // Pages with the parameter itself are no evidence for each other.
    let kept = self::parameters(&clean.url);
    let is_apart = |further: &&Page| {
        let own = self::parameters(&further.url);
        own.iter().all(|parameter| kept.contains(parameter) || !parameters.contains(parameter))
    };
    for further in groups.series(page).filter(is_apart).take(MAX_SERIES) {
        items.extend(pages.blocks(further.node)?);
    }
    let rest: Vec<BlockHash> = come.into_iter().filter(|block| !items.contains(block)).collect();
    let shares = || own_set.iter().any(|block| items.contains(block) && !groups.boilerplate.contains(block));
    let is_part = rest.is_empty() || (rest.len() <= LABELS && shares() && are_short(pages, page, &rest)?);
    Ok(if is_part { PageComparison::Subset } else { PageComparison::Differs })
}

/// Reports whether each of a page's blocks is a label, such as the number of items or the chosen filter.
fn are_short(pages: &Pages<'_>, page: &Page, blocks: &[BlockHash]) -> Result<bool, StoreError> {
    let passages = pages.passages(page.node)?;
    Ok(passages.iter().all(|passage| passage.bytes <= LABEL || !blocks.contains(&passage.text)))
}

/// Reports whether each block is on nearly all of these pages.
fn are_shared(pages: &Pages<'_>, group: &[&Page], blocks: &[BlockHash]) -> Result<bool, StoreError> {
    if blocks.is_empty() {
        return Ok(true);
    }
    if group.len() < FEWEST_ALIKE {
        return Ok(false);
    }
    let mut counts: HashMap<BlockHash, usize> = blocks.iter().map(|block| (*block, 0)).collect();
    for page in group {
        let own: HashSet<BlockHash> = pages.blocks(page.node)?.into_iter().collect();
        counts.iter_mut().filter(|(block, _)| own.contains(block)).for_each(|(_, count)| *count += 1);
    }
    Ok(counts.values().all(|count| count * 100 >= group.len() * MIN_PERCENT))
}
