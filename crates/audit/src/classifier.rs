//! Gives each finding its severity and its state relative to earlier audits.

use crate::check::Check;
use crate::checks;
use crate::coverage::{Coverage, Inconclusive, InconclusiveCandidates};
use crate::finding::{Finding, SubjectIds};
use crate::history::{FindingHistory, GoneFindings, combined_state};
use crate::identity::{parts, place};
use crate::options::Options;
use crate::rendered_finding::State;
use crate::severity::Severity;
use crate::site::{Site, TextOrder, UrlNo};
use mapwright_store::{Record, StoreError};
use std::collections::HashSet;

/// A finding with its severity and state.
#[derive(Debug, Clone)]
pub(crate) struct ClassifiedFinding {
    pub(crate) finding: Finding,
    pub(crate) severity: Severity,
    pub(crate) state: State,
    pub(crate) accepted: bool,
    key: i64,
}

#[cfg(test)]
impl ClassifiedFinding {
    /// A new finding of the usual severity.
    pub(crate) fn new_for_test(finding: Finding) -> Self {
        Self { severity: finding.check.severity, finding, state: State::New, accepted: false, key: 0 }
    }
}

/// The context in which findings are judged.
pub(crate) struct Classifier<'a> {
    pub(crate) record: &'a Record,
    pub(crate) options: &'a Options,
    pub(crate) history: FindingHistory,
}

impl Classifier<'_> {
    /// Removes findings about redirects that were soft 404s when the site last answered the probe of a name that cannot
    /// exist. Without an answer to the probe in this run, they still count as soft 404s, not as redirects to a page.
    pub(crate) fn drop_soft_404s(&self, site: &Site, found: &mut Vec<Finding>) {
        let was_lost = |url: UrlNo| checks::soft_redirect(site, url).is_some_and(|lost| !self.is_fresh(site, &lost));
        found.retain(|one| match one.about {
            SubjectIds::Url(url) if one.check.attributes.may_be_soft_404 => {
                site.probe_of(url).is_some() || !was_lost(url)
            }
            _ => true,
        });
    }

    /// Removes new findings that rest on missing links which this run may not have seen. Returns the findings, new and
    /// gone, that pages which were not read may change.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn drop_inconclusive(
        &self,
        site: &mut Site,
        found: &mut Vec<Finding>,
    ) -> Result<Inconclusive, StoreError> {
        let mut candidates = InconclusiveCandidates::default();
        let fresh = found.iter().filter(|one| self.is_reported(one.check) && self.is_fresh(site, one));
        fresh.for_each(|one| candidates.add_new(one));
        self.seek_gone(site, found, &mut candidates)?;
        let inconclusive = Inconclusive::of(site, self.record, &self.options.limits, &candidates)?;
        found.retain(|one| !inconclusive.covers(one) || !self.is_fresh(site, one));
        Ok(inconclusive)
    }

    /// Adds to `confirmable` the findings of the previous audit that are gone.
    fn seek_gone(
        &self,
        site: &Site,
        found: &[Finding],
        candidates: &mut InconclusiveCandidates,
    ) -> Result<(), StoreError> {
        let before = self.history.before();
        if !self.options.complete || before == 0 {
            return Ok(());
        }
        let found: HashSet<i64> = found.iter().flat_map(|one| self.keys(site, one)).collect();
        self.record.each_finding(before..self.record.run() + 1, |key, code, subject| {
            let check = checks::named(code).filter(|check| self.is_reported(check) && !found.contains(&key));
            if let Some((check, url)) = check.zip(site.urls.number(subject)) {
                candidates.add_gone(site, check, url);
            }
        })
    }

    fn is_reported(&self, check: &Check) -> bool {
        self.options.severities.of(check).is_some()
    }

    /// Returns each finding with its severity and its state; of findings about the same subject, one.
    pub(crate) fn classify(&self, site: &Site, found: Vec<Finding>) -> Vec<ClassifiedFinding> {
        let mut classified: Vec<ClassifiedFinding> =
            found.into_iter().filter_map(|finding| self.classified(site, finding)).collect();
        classified.sort_by_cached_key(|one| (one.severity, checks::rank(one.finding.check), !one.finding.is_ahead()));
        let are_alike = |one: &ClassifiedFinding, other: &ClassifiedFinding| {
            one.finding.check == other.finding.check && one.finding.is_ahead() == other.finding.is_ahead()
        };
        let order = TextOrder::of(&site.urls);
        for alike in classified.chunk_by_mut(are_alike) {
            alike.sort_by_cached_key(|one| place(&order, site, &one.finding));
        }
        classified.dedup_by_key(|one| one.key);
        classified
    }

    /// Returns one finding with its severity and state; none if its kind is muted.
    fn classified(&self, site: &Site, finding: Finding) -> Option<ClassifiedFinding> {
        let baseline = &self.options.baseline;
        let severity = self.options.severities.of(finding.check)?;
        let (mut key, mut state, mut accepted) = (0_i64, None, true);
        for part in parts(site, &finding) {
            let own = part.key(self.record.keys(), finding.check);
            // The key of a finding of one part is the key of that part.
            key = key.wrapping_mul(31).wrapping_add(own);
            state = Some(state.map_or(self.history.state(own), |state| combined_state(state, self.history.state(own))));
            accepted &= baseline.accepts(finding.check, part.subject());
        }
        Some(ClassifiedFinding { severity, state: state.unwrap_or(State::New), accepted, key, finding })
    }

    /// Returns the findings of the previous audit that this one does not have.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn resolved(
        &self,
        site: &Site,
        classified: &[ClassifiedFinding],
        inconclusive: &Inconclusive,
    ) -> Result<GoneFindings, StoreError> {
        let before = self.history.before();
        if !self.options.complete || before == 0 {
            return Ok(GoneFindings::default());
        }
        let found = classified.iter().flat_map(|one| self.keys(site, &one.finding)).collect();
        self.history.resolved(
            self.record,
            &found,
            &Coverage::of(site, self.options, self.record, before, inconclusive)?,
        )
    }

    /// Returns true if the previous audit did not report some part of a finding.
    fn is_fresh(&self, site: &Site, finding: &Finding) -> bool {
        self.keys(site, finding).into_iter().any(|key| self.history.state(key) != State::Persisting)
    }

    /// Returns the keys of a finding's parts.
    fn keys(&self, site: &Site, finding: &Finding) -> Vec<i64> {
        parts(site, finding).iter().map(|part| part.key(self.record.keys(), finding.check)).collect()
    }
}
