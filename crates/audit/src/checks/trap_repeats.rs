//! Parts of the site whose pages mostly repeat the content of others, though the budget of crawl traps did not end
//! them: products of two lists.

use super::traps::{check, kind};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::site::{NodeStatus, Site, UrlNo};
use mapwright_traps::wide_pattern;
use mapwright_verdict::Reason;
use mapwright_web::PageUrl;
use std::collections::{BTreeMap, BTreeSet};

pub(super) static CHECKER: Checker = Checker::site(find, &[]);

/// The fewest pages without content of their own that make a part of the site a crawl trap.
const MANY: usize = 100;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let part = |url: UrlNo| PageUrl::recorded(site.text(url)).and_then(|text| Some((wide_pattern(&text)?, text)));
    let is_spent = |fetch_status: NodeStatus| matches!(fetch_status, NodeStatus::Refused(why) if why.is_of_trap());
    let reported: BTreeSet<String> = site
        .nodes()
        .filter(|(_, node)| is_spent(node.fetch_status))
        .filter_map(|(url, _)| Some(part(url)?.0))
        .collect();
    let mut parts: BTreeMap<String, Vec<(UrlNo, PageUrl)>> = BTreeMap::new();
    for (url, _) in site.nodes().filter(|(_, node)| node.reason == Some(Reason::CrawlTrap)) {
        if let Some((name, text)) = part(url).filter(|(name, _)| !reported.contains(name)) {
            parts.entry(name).or_default().push((url, text));
        }
    }
    for (name, pages) in parts.into_iter().filter(|(_, pages)| pages.len() >= MANY) {
        let message = format!("{} pages of the pattern {name} say nothing that no other page says.", pages.len());
        let texts: Vec<PageUrl> = pages.iter().map(|(_, text)| text.clone()).collect();
        let finding = Finding::pattern(check(kind(site, &texts)), &name).says(message);
        let entrances = pages.iter().filter_map(|(url, _)| site.node(*url).found_on).take(SAMPLE);
        found.push(finding.shown_by(pages.iter().map(|(url, _)| *url).take(SAMPLE)).entered_from(entrances));
    }
}
