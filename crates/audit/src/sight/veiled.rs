//! Findings that pages decide which were read once, and not by this run: such a page may link where it linked, and be
//! like another one.

use super::hidden::{hidden, parents};
use super::hides;
use super::seen::{Seen, is_closed, is_seen, is_unread};
use crate::code::Code;
use crate::finding::{About, Finding};
use crate::findings::{alike, rests_on_likeness, rests_on_links_lacking, unlinked};
use crate::limits::Limits;
use crate::site::{Fate, Site, UrlNo};
use mapwright_store::{RecalledRow, Record, StoreError};
use std::collections::HashSet;

/// What would be otherwise if all pages that this run did not read were as they were when they were last read: kinds of
/// findings, and the URLs that they are about.
#[derive(Debug, Default)]
pub(crate) struct Veiled(HashSet<(Code, UrlNo)>);

impl Veiled {
    /// What is veiled of what is `sought`: without that, nothing is asked.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn of(site: &mut Site, record: &Record, limits: &Limits, sought: &Sought) -> Result<Self, StoreError> {
        let pages = if sought.is_empty() { Vec::new() } else { unread(site, record, sought)? };
        if pages.is_empty() {
            return Ok(Self::default());
        }
        let now = sought.found(site, limits);
        let then = site.recalling(pages, is_unread, |site| sought.found(site, limits));
        Ok(Self(now.symmetric_difference(&then).copied().collect()))
    }

    /// Whether a page that this run did not read decides whether this is a finding.
    pub(crate) fn holds(&self, code: Code, url: UrlNo) -> bool {
        self.0.contains(&(code, url))
    }

    /// The same of a finding that rests on links not being there.
    pub(crate) fn covers(&self, finding: &Finding) -> bool {
        unlinked_url(finding).is_some_and(|url| self.holds(finding.code, url))
    }
}

/// What pages that were not read may decide.
#[derive(Default)]
pub(crate) struct Sought {
    /// What findings are about that rest on links not being there.
    urls: HashSet<UrlNo>,
    /// Some of it is deep: any page on the way there may be nearer than it seems.
    deep: bool,
    /// Something was like another page.
    alike: bool,
}

impl Sought {
    /// Seeks what is found, and was not by the audit before.
    pub(crate) fn note_fresh(&mut self, finding: &Finding) {
        if let Some(url) = unlinked_url(finding) {
            self.note(finding.code, url);
        }
    }

    /// Seeks what was found by the audit before, and is not now. What was not seen itself is not judged in any case.
    pub(crate) fn note_gone(&mut self, site: &Site, code: Code, url: UrlNo) {
        if !is_seen(&site.node(url), Seen::Read) {
            return;
        }
        self.alike |= rests_on_likeness(code);
        if rests_on_links_lacking(code) {
            self.note(code, url);
        }
    }

    fn note(&mut self, code: Code, url: UrlNo) {
        self.urls.insert(url);
        self.deep |= code == Code::Deep;
    }

    fn is_empty(&self) -> bool {
        self.urls.is_empty() && !self.alike
    }

    fn is_led_to(&self, site: &Site, url: UrlNo) -> bool {
        self.urls.contains(&url) || self.deep && site.node(url).depth.is_some()
    }

    /// What is found on the site of the kinds that are sought: of a group of URLs on each.
    fn found(&self, site: &Site, limits: &Limits) -> HashSet<(Code, UrlNo)> {
        let links = if self.urls.is_empty() { Vec::new() } else { unlinked(site, limits) };
        let alike = if self.alike { alike(site, limits) } else { Vec::new() };
        let links = links.iter().filter_map(|one| Some((one.code, unlinked_url(one)?)));
        let of_group = |one: &Finding| match &one.about {
            About::Group(urls) => urls.iter().map(|url| (one.code, *url)).collect(),
            _ => Vec::new(),
        };
        links.chain(alike.iter().flat_map(of_group)).collect()
    }
}

/// The URL of a finding that rests on links not being there.
fn unlinked_url(finding: &Finding) -> Option<UrlNo> {
    match finding.about {
        About::Url(url) if rests_on_links_lacking(finding.code) => Some(url),
        _ => None,
    }
}

/// Those of the URLs `asked` that pages link to which this run did not read, though they may be there still.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn linked_unseen(site: &Site, record: &Record, asked: HashSet<UrlNo>) -> Result<HashSet<UrlNo>, StoreError> {
    if asked.is_empty() {
        return Ok(asked);
    }
    let sought = Sought { urls: asked, ..Sought::default() };
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
