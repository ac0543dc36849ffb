//! How findings are told: how grave each is, and how it stands to the audits before.

use crate::audit::Options;
use crate::code::Code;
use crate::finding::{About, Finding};
use crate::identity::{parts, subject};
use crate::item::State;
use crate::lives::{Gone, Lives, together};
use crate::severity::Severity;
use crate::sight::{Sight, Sought, Veiled};
use crate::site::{Site, UrlNo};
use mapwright_store::{Record, StoreError};
use std::collections::HashSet;

/// A finding and how it is to be told.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) finding: Finding,
    pub(crate) severity: Severity,
    pub(crate) state: State,
    pub(crate) accepted: bool,
    key: i64,
}

/// What findings are judged by.
pub(crate) struct Judge<'a> {
    pub(crate) record: &'a Record,
    pub(crate) options: &'a Options,
    pub(crate) lives: Lives,
}

impl Judge<'_> {
    /// Takes away what is told of redirects that were soft 404s when the site last said what it gives for names that
    /// cannot exist: where it does not, they are so still, and no redirects to a page.
    pub(crate) fn leave_lost(&self, site: &Site, found: &mut Vec<Finding>) {
        let was_lost = |url: UrlNo| {
            let lost = site.way(url).last().map(|page| Finding::of(Code::Soft404, url).to(page));
            lost.is_some_and(|lost| !self.is_fresh(site, &lost))
        };
        found.retain(|one| match one.about {
            About::Url(url) if matches!(one.code, Code::RedirectLink | Code::RedirectTemporary) => {
                site.probe_of(url).is_some() || !was_lost(url)
            }
            _ => true,
        });
    }

    /// Takes away what is found for the first time and rests on links not being there that this run may not have seen;
    /// gives what pages that were not read may change, of that and of what is gone.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn lift(&self, site: &mut Site, found: &mut Vec<Finding>) -> Result<Veiled, StoreError> {
        let mut sought = Sought::default();
        let fresh = found.iter().filter(|one| self.is_told(one.code) && self.is_fresh(site, one));
        fresh.for_each(|one| sought.note_fresh(one));
        self.seek_gone(site, found, &mut sought)?;
        let veiled = Veiled::of(site, self.record, &self.options.limits, &sought)?;
        found.retain(|one| !veiled.covers(one) || !self.is_fresh(site, one));
        Ok(veiled)
    }

    /// Seeks what the audit before found, and this one does not.
    fn seek_gone(&self, site: &Site, found: &[Finding], sought: &mut Sought) -> Result<(), StoreError> {
        let before = self.lives.before();
        if !self.options.whole || before == 0 {
            return Ok(());
        }
        let found: HashSet<i64> = found.iter().flat_map(|one| self.keys(site, one)).collect();
        self.record.each_finding(before..self.record.run() + 1, |key, code, subject| {
            let code = Code::from_name(code).filter(|code| self.is_told(*code) && !found.contains(&key));
            if let Some((code, url)) = code.zip(site.urls.number(subject)) {
                sought.note_gone(site, code, url);
            }
        })
    }

    fn is_told(&self, code: Code) -> bool {
        self.options.severities.of(code).is_some()
    }

    /// Each finding with its severity and its life. Of such as are about the same one is kept.
    pub(crate) fn judge(&self, site: &Site, found: Vec<Finding>) -> Vec<Judged> {
        let mut judged: Vec<Judged> = found.into_iter().filter_map(|finding| self.judged(site, finding)).collect();
        judged.sort_by_cached_key(|one| (one.severity, one.finding.code, subject(site, &one.finding).to_owned()));
        judged.dedup_by_key(|one| one.key);
        judged
    }

    /// One of them; nothing of a kind that is muted.
    fn judged(&self, site: &Site, finding: Finding) -> Option<Judged> {
        let baseline = &self.options.baseline;
        let severity = self.options.severities.of(finding.code)?;
        let (mut key, mut state, mut accepted) = (0_i64, None, true);
        for part in parts(site, &finding) {
            let own = part.key(self.record.keys(), finding.code);
            // A finding of one part is known by the key of that.
            key = key.wrapping_mul(31).wrapping_add(own);
            state = Some(state.map_or(self.lives.state(own), |state| together(state, self.lives.state(own))));
            accepted &= baseline.accepts(finding.code, part.subject());
        }
        Some(Judged { severity, state: state.unwrap_or(State::New), accepted, key, finding })
    }

    /// What the audit before found, and this one does not.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn gone(&self, site: &Site, judged: &[Judged], veiled: &Veiled) -> Result<Gone, StoreError> {
        let before = self.lives.before();
        if !self.options.whole || before == 0 {
            return Ok(Gone::default());
        }
        let found = judged.iter().flat_map(|one| self.keys(site, &one.finding)).collect();
        self.lives.gone(self.record, &found, &Sight::of(site, self.options, self.record, before, veiled)?)
    }

    /// Whether some part of a finding is not known from the audit before.
    fn is_fresh(&self, site: &Site, finding: &Finding) -> bool {
        self.keys(site, finding).into_iter().any(|key| self.lives.state(key) != State::Persisting)
    }

    /// The keys of a finding's parts.
    fn keys(&self, site: &Site, finding: &Finding) -> Vec<i64> {
        parts(site, finding).iter().map(|part| part.key(self.record.keys(), finding.code)).collect()
    }
}
