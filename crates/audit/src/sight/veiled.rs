//! Findings that rest on links not being there: a page that was read once, and not by this run, may have them still.

use super::hidden::{hidden, parents};
use super::hides;
use super::seen::is_closed;
use crate::code::Code;
use crate::finding::{About, Finding};
use crate::findings::{rests_on_links_lacking, unlinked};
use crate::limits::Limits;
use crate::site::{Fate, Site, UrlNo};
use mapwright_store::{RecalledRow, Record, StoreError};
use std::collections::HashSet;

/// What would be otherwise if all pages that this run did not read led on as they did when they were last read: kinds of
/// findings, and the URLs that they are about.
#[derive(Debug, Default)]
pub(crate) struct Veiled(HashSet<(Code, UrlNo)>);

impl Veiled {
    /// What is veiled, given what is found and was not found by the audit before: without that, nothing is asked.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn of<'f>(
        site: &mut Site,
        record: &Record,
        limits: &Limits,
        fresh: impl Iterator<Item = &'f Finding>,
    ) -> Result<Self, StoreError> {
        let mut sought = Sought::default();
        fresh.for_each(|finding| sought.note(finding));
        let pages = if sought.urls.is_empty() { Vec::new() } else { unread(site, record, &sought)? };
        if pages.is_empty() {
            return Ok(Self::default());
        }
        let now = about(&unlinked(site, limits));
        let then = site.recalling(pages, |site| about(&unlinked(site, limits)));
        Ok(Self(now.symmetric_difference(&then).copied().collect()))
    }

    /// Whether a link that this run did not see decides whether this is a finding.
    pub(crate) fn holds(&self, code: Code, url: UrlNo) -> bool {
        self.0.contains(&(code, url))
    }

    /// The same of a finding.
    pub(crate) fn covers(&self, finding: &Finding) -> bool {
        unlinked_url(finding).is_some_and(|url| self.holds(finding.code, url))
    }
}

/// What links are looked for to.
#[derive(Default)]
struct Sought {
    /// What findings are about.
    urls: HashSet<UrlNo>,
    /// Some of it is deep: any page on the way there may be nearer than it seems.
    deep: bool,
}

impl Sought {
    fn note(&mut self, finding: &Finding) {
        let Some(url) = unlinked_url(finding) else { return };
        self.urls.insert(url);
        self.deep |= finding.code == Code::Deep;
    }

    fn is_led_to(&self, site: &Site, url: UrlNo) -> bool {
        self.urls.contains(&url) || self.deep && site.node(url).depth.is_some()
    }
}

/// The URL of a finding that rests on links not being there.
fn unlinked_url(finding: &Finding) -> Option<UrlNo> {
    match finding.about {
        About::Url(url) if rests_on_links_lacking(finding.code) => Some(url),
        _ => None,
    }
}

fn about(found: &[Finding]) -> HashSet<(Code, UrlNo)> {
    found.iter().filter_map(|finding| Some((finding.code, unlinked_url(finding)?))).collect()
}

/// Those of the URLs `asked` that pages link to which this run did not read, though they may be there still.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn linked_unseen(site: &Site, record: &Record, asked: HashSet<UrlNo>) -> Result<HashSet<UrlNo>, StoreError> {
    if asked.is_empty() {
        return Ok(asked);
    }
    let sought = Sought { urls: asked, deep: false };
    let pages = unread(site, record, &sought)?;
    let targets = pages.iter().flat_map(|page| &page.sets).flat_map(|set| site.links.of_set(*set));
    Ok(targets.map(|link| link.target()).filter(|url| sought.urls.contains(url)).collect())
}

/// The pages that were read once, and by this run not, though they may be there still.
fn unread(site: &Site, record: &Record, sought: &Sought) -> Result<Vec<RecalledRow>, StoreError> {
    let is_unmet = |url: UrlNo| site.node(url).fate == Fate::Unknown;
    let (mut pages, mut unmet) = (Vec::new(), Vec::new());
    record.each_recalled(
        |url| is_unmet(url) || is_closed(&site.node(url)),
        |page| if is_unmet(page.url) { unmet.push(page) } else { pages.push(page) },
    )?;
    if unmet.is_empty() {
        return Ok(pages);
    }
    let leads = |page: &&RecalledRow| {
        let mut links = page.sets.iter().flat_map(|set| site.links.of_set(*set));
        links.any(|link| sought.is_led_to(site, link.target()))
    };
    let sought = unmet.iter().filter(leads).map(|page| page.url).collect();
    let parents = parents(site, record, sought, record.run() - 1)?;
    let hidden = hidden(&parents, |via, parent| hides(site, via, parent));
    pages.extend(unmet.into_iter().filter(|page| hidden.contains(&page.url)));
    Ok(pages)
}
