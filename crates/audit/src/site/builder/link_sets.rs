//! The link sets of a page of a built site.

use crate::site::UrlNo;
use mapwright_store::LinkRow;
use std::collections::BTreeMap;

/// The number of regions of a page.
const REGIONS: u32 = 7;

/// Divides the links of a page into sets, by their numbers: one set for each region, as in the record.
pub(super) fn by_region(page: UrlNo, links: Vec<LinkRow>) -> BTreeMap<u32, Vec<LinkRow>> {
    let mut sets: BTreeMap<u32, Vec<LinkRow>> = BTreeMap::new();
    links.into_iter().for_each(|link| sets.entry(page * REGIONS + link.region as u32).or_default().push(link));
    sets
}
