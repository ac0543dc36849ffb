//! Inconclusive findings: they depend on pages that an earlier run read and this run did not. Such a page may still
//! have the same links, or still be a duplicate of another page.

use super::hidden::{hidden, hides, parents};
use super::seen::{is_closed, is_seen, is_unread};
use crate::check::{Check, RestsOn, SeenLevel};
use crate::check_thresholds::CheckThresholds;
use crate::checks::run_again;
use crate::finding::{Finding, SubjectIds};
use crate::site::{NodeStatus, Site, UrlNo};
use mapwright_store::{RecalledRow, Record, StoreError};
use std::collections::HashSet;

/// The findings, by kind and URL, that would differ if all pages that this run did not read were as they were when last
/// read.
#[derive(Debug, Default)]
pub(crate) struct Inconclusive(HashSet<(&'static Check, UrlNo)>);

impl Inconclusive {
    /// Returns the inconclusive findings among the `confirmable` ones; if nothing is sought, the record is not read.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn of(
        site: &mut Site,
        record: &Record,
        limits: &CheckThresholds,
        candidates: &InconclusiveCandidates,
    ) -> Result<Self, StoreError> {
        let pages = if candidates.is_empty() { Vec::new() } else { unread(site, record, candidates)? };
        if pages.is_empty() {
            return Ok(Self::default());
        }
        let now = candidates.found(site, limits);
        let then = site.recalling(pages, is_unread, |site| candidates.found(site, limits));
        Ok(Self(now.symmetric_difference(&then).copied().collect()))
    }

    /// Returns true if a page that this run did not read decides this finding.
    pub(crate) fn holds(&self, check: &'static Check, url: UrlNo) -> bool {
        self.0.contains(&(check, url))
    }

    /// Returns true if such a page decides a finding that rests on missing links.
    pub(crate) fn covers(&self, finding: &Finding) -> bool {
        unlinked_url(finding).is_some_and(|url| self.holds(finding.check, url))
    }
}

/// The findings that unread pages may decide.
#[derive(Default)]
pub(crate) struct InconclusiveCandidates {
    /// URLs of findings that rest on missing links.
    urls: HashSet<UrlNo>,
    /// One of the findings is that a page is deep: any page on the path to it may be nearer than it seems.
    deep: bool,
    /// One of the findings is that a page resembled another one.
    alike: bool,
}

impl InconclusiveCandidates {
    /// Adds a finding that the previous audit did not make.
    pub(crate) fn add_new(&mut self, finding: &Finding) {
        if let Some(url) = unlinked_url(finding) {
            self.note(finding.check, url);
        }
    }

    /// Adds a finding of the previous audit that is gone. A URL that was not read itself is never judged, so it is not
    /// added.
    pub(crate) fn add_gone(&mut self, site: &Site, check: &Check, url: UrlNo) {
        if !is_seen(&site.node(url), SeenLevel::Read) {
            return;
        }
        let rests_on = check.attributes.rests_on;
        self.alike |= rests_on == RestsOn::Likeness;
        if rests_on.is_missing_links() {
            self.note(check, url);
        }
    }

    fn note(&mut self, check: &Check, url: UrlNo) {
        self.urls.insert(url);
        self.deep |= check.attributes.rests_on == RestsOn::Clicks;
    }

    fn is_empty(&self) -> bool {
        self.urls.is_empty() && !self.alike
    }

    fn is_led_to(&self, site: &Site, url: UrlNo) -> bool {
        self.urls.contains(&url) || self.deep && site.node(url).depth.is_some()
    }

    /// Returns the findings of the sought kinds on the site, one for each URL of a group.
    fn found(&self, site: &Site, limits: &CheckThresholds) -> HashSet<(&'static Check, UrlNo)> {
        let links = if self.urls.is_empty() {
            Vec::new()
        } else {
            run_again(site, limits, |rests_on| rests_on.is_missing_links())
        };
        let alike =
            if self.alike { run_again(site, limits, |rests_on| rests_on == RestsOn::Likeness) } else { Vec::new() };
        let links = links.iter().filter_map(|one| Some((one.check, unlinked_url(one)?)));
        let of_group = |one: &Finding| match &one.about {
            SubjectIds::Group(urls) => urls.iter().map(|url| (one.check, *url)).collect(),
            _ => Vec::new(),
        };
        links.chain(alike.iter().flat_map(of_group)).collect()
    }
}

/// Returns the URL of a finding that rests on missing links.
fn unlinked_url(finding: &Finding) -> Option<UrlNo> {
    match finding.about {
        SubjectIds::Url(url) if finding.check.attributes.rests_on.is_missing_links() => Some(url),
        _ => None,
    }
}

/// Returns those of the given URLs that are linked from pages which this run did not read, though they may still exist.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn linked_unseen(
    site: &Site,
    record: &Record,
    subjects: HashSet<UrlNo>,
) -> Result<HashSet<UrlNo>, StoreError> {
    if subjects.is_empty() {
        return Ok(subjects);
    }
    let candidates = InconclusiveCandidates { urls: subjects, ..InconclusiveCandidates::default() };
    let pages = unread(site, record, &candidates)?;
    let targets = pages.iter().flat_map(|page| &page.sets).flat_map(|set| site.links.of_set(*set));
    Ok(targets.map(|link| link.target()).filter(|url| candidates.urls.contains(url)).collect())
}

/// Returns the pages that an earlier run read and this run did not, though they may still exist.
fn unread(site: &Site, record: &Record, candidates: &InconclusiveCandidates) -> Result<Vec<RecalledRow>, StoreError> {
    let is_unmet = |url: UrlNo| site.node(url).fetch_status == NodeStatus::Unknown;
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
        links.any(|link| candidates.is_led_to(site, link.target()))
    };
    let wanted = unmet.iter().filter(leads).map(|page| page.url).collect();
    let parents = parents(site, record, wanted, record.run() - 1)?;
    let hidden = hidden(&parents, |via, parent| hides(site, via, parent));
    pages.extend(unmet.into_iter().filter(|page| hidden.contains(&page.url)));
    Ok(pages)
}
