//! Learns the roles of parameters during a crawl, so that variants are sampled instead of crawled.

use crate::evidence::{PageComparison, ParameterRole, SiteEvidence};
use crate::fingerprint::PageFingerprint;
use crate::parameter::{Parameter, ParameterKey, ParameterPosition, has_parameters, parameters, without};
use crate::parameter_evidence::{ParameterEvidence, keeps_content};
use crate::tested_values::TestedValues;
use crate::variant::{VariantParameter, hash_of, on_site};
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// The most parameters watched; later ones are ignored.
const MAX_ROLES: usize = 10_000;
/// The most pages whose fingerprints are remembered; at the limit, all are forgotten.
const MAX_PRINTS: usize = 200_000;
/// The most clean URLs that are requested to learn one role.
const SAMPLES: u32 = 4;

/// The learner of the parameters of a crawl. It is deterministic: its state depends only on the pages.
#[derive(Debug, Default)]
pub struct Learner {
    watched: HashMap<ParameterKey, ParameterEvidence>,
    site_evidence: HashMap<(String, Parameter), SiteEvidence>,
    tested_values: TestedValues,
    fingerprints: HashMap<u64, Option<PageFingerprint>>,
    /// By clean URL and parameter, the title of a variant: a variant with another title is a counter-example.
    titles: HashMap<u64, u64>,
    /// URLs that are not linked and were requested only for comparison: their pages are no evidence about their own
    /// parameters.
    tested: HashSet<u64>,
    /// By clean URL, the variants that wait for its page.
    waiting: HashMap<u64, Vec<(u64, VariantParameter)>>,
    /// A role was withdrawn since the last call of [`Learner::take_withdrawn`].
    withdrawn: bool,
}

impl Learner {
    /// Adds a role that an earlier run learned; it holds until contradicted.
    pub fn recall(&mut self, key: ParameterKey, role: ParameterRole) {
        if self.watched.len() < MAX_ROLES {
            if keeps_content(role) {
                self.site_evidence.entry(on_site(&key)).or_default().patterns += 1;
                self.tested_values.recall(on_site(&key));
            }
            self.watched.insert(key, ParameterEvidence::recalled(role));
        }
    }

    /// The URL without the parameters that certainly change at most the order; `None` where it has none of them.
    #[must_use]
    pub fn clean(&self, url: &PageUrl) -> Option<PageUrl> {
        if self.watched.is_empty() || !has_parameters(url) {
            return None;
        }
        self.cleaned(url, |of| self.role(of))
    }

    /// The URL without the parameters that change at most the order on some path of the pattern: evidence from any path
    /// is enough to request the clean URL, but not to leave the variant out.
    #[must_use]
    pub fn clean_anywhere(&self, url: &PageUrl) -> Option<PageUrl> {
        if has_parameters(url) { self.cleaned(url, |of| self.role_anywhere(of, None)) } else { None }
    }

    /// The URL without the parameters that change at most the order, by these roles.
    fn cleaned(&self, url: &PageUrl, role: impl Fn(&VariantParameter) -> Option<ParameterRole>) -> Option<PageUrl> {
        let mut clean = url.clone();
        for of in VariantParameter::all(url).iter().filter(|of| role(of).is_some_and(keeps_content)) {
            clean = without(&clean, &of.key.parameter);
        }
        (clean != *url).then_some(clean)
    }

    /// Reports whether a URL is requested for comparison.
    #[must_use]
    pub fn is_tested(&self, url: &PageUrl) -> bool {
        self.tested.contains(&key_of(url))
    }

    /// The parameters of a URL whose role is not known; none for a URL that is requested for comparison.
    #[must_use]
    pub fn unknown(&self, url: &PageUrl) -> Vec<ParameterKey> {
        if !has_parameters(url) || self.is_tested(url) {
            return Vec::new();
        }
        let unknown = |of: &VariantParameter| !self.is_name(&of.key) && self.role(of).is_none();
        VariantParameter::all(url).into_iter().filter(unknown).map(|of| of.key).collect()
    }

    /// The clean URLs to request for comparison with a URL that is about to be requested: a few for each role.
    pub fn samples(&mut self, url: &PageUrl) -> Vec<PageUrl> {
        if !has_parameters(url) {
            return Vec::new();
        }
        let mut samples = Vec::new();
        for of in VariantParameter::all(url) {
            if self.is_name(&of.key) {
                continue;
            }
            let is_new_value = !self.tested_values.speak_for(&of);
            let Some(watched) = self.watch(&of.key) else { continue };
            let role = watched.role(of.name(), Some(of.path));
            if watched.sampled < SAMPLES && role.is_none_or(|role| is_new_value && keeps_content(role)) {
                watched.sampled += 1;
                samples.push(without(url, &of.key.parameter));
            }
        }
        self.tested.extend(samples.iter().map(key_of));
        samples
    }

    /// Reports whether path segments that look random are names of pages on this site, by the patterns tested so far.
    /// Then those of other patterns are not tested.
    fn is_name(&self, key: &ParameterKey) -> bool {
        let site = || self.site_evidence.get(&on_site(key));
        key.parameter.place == ParameterPosition::Segment
            && site().is_some_and(|site| site.contradicted && site.patterns == 0)
    }

    /// Learns from the response to a URL: `fingerprint` is the fingerprint of its page, `None` where it answers with no
    /// page.
    pub fn read(&mut self, url: &PageUrl, fingerprint: Option<PageFingerprint>) {
        if self.fingerprints.len() >= MAX_PRINTS {
            self.fingerprints.clear();
            self.waiting.clear();
            self.titles.clear();
            self.tested.clear();
        }
        let own = key_of(url);
        self.fingerprints.insert(own, fingerprint);
        for (variant, of) in self.waiting.remove(&own).unwrap_or_default() {
            if let Some(Some(variant)) = self.fingerprints.get(&variant).copied() {
                self.learn(&of, compare(variant, fingerprint), variant.is_thin);
            }
        }
        let Some(fingerprint) = fingerprint.filter(|_| has_parameters(url) && !self.tested.contains(&own)) else {
            return;
        };
        for of in VariantParameter::all(url) {
            let clean = key_of(&without(url, &of.key.parameter));
            let variants = hash_of(&(clean, &of.key.parameter));
            if *self.titles.entry(variants).or_insert(fingerprint.title) != fingerprint.title {
                self.learn(&of, PageComparison::Differs, fingerprint.is_thin);
            }
            match self.fingerprints.get(&clean).copied() {
                Some(clean) => self.learn(&of, compare(fingerprint, clean), fingerprint.is_thin),
                None => self.waiting.entry(clean).or_default().push((own, of)),
            }
        }
    }

    /// Reports whether the page of a URL was read.
    #[must_use]
    pub fn has_read(&self, url: &PageUrl) -> bool {
        self.fingerprints.contains_key(&key_of(url))
    }

    /// Reports whether a URL without one of its parameters, or without all of them, was not read. Always false for a
    /// URL that is requested for comparison.
    #[must_use]
    pub fn has_unread_clean(&self, url: &PageUrl) -> bool {
        if !has_parameters(url) || self.is_tested(url) {
            return false;
        }
        let own = parameters(url);
        let bare = own.iter().fold(url.clone(), |url, parameter| without(&url, parameter));
        !self.has_read(&bare) || own.iter().any(|parameter| !self.has_read(&without(url, parameter)))
    }

    /// Reports whether a role was withdrawn since the last call; a URL that was a variant may then be a page of its
    /// own.
    pub fn take_withdrawn(&mut self) -> bool {
        std::mem::take(&mut self.withdrawn)
    }

    fn learn(&mut self, variant: &VariantParameter, comparison: PageComparison, is_thin: bool) {
        let Some(watched) = self.watch(&variant.key) else { return };
        let change = watched.learn(comparison, variant, is_thin);
        if matches!(comparison, PageComparison::Equal | PageComparison::Sorted) {
            self.tested_values.add(variant);
        }
        let site_evidence = self.site_evidence.entry(variant.on_site()).or_default();
        let contradicts = comparison == PageComparison::Differs && !site_evidence.contradicted;
        site_evidence.contradicted |= contradicts;
        self.withdrawn |= contradicts || change.withdraws;
        site_evidence.patterns += u32::from(change.counts_on_site);
    }

    fn watch(&mut self, key: &ParameterKey) -> Option<&mut ParameterEvidence> {
        if self.watched.len() >= MAX_ROLES && !self.watched.contains_key(key) {
            return None;
        }
        Some(self.watched.entry(key.clone()).or_default())
    }

    /// The role of a parameter at its path and with its value.
    fn role(&self, of: &VariantParameter) -> Option<ParameterRole> {
        let role = self.role_anywhere(of, Some(of.path));
        role.filter(|role| !keeps_content(*role) || self.tested_values.speak_for(of))
    }

    /// The role of a parameter at a path, or at any path of its pattern where none is given, by the evidence of its
    /// pattern or of several others.
    fn role_anywhere(&self, of: &VariantParameter, path: Option<u64>) -> Option<ParameterRole> {
        let watched = self.watched.get(&of.key);
        let own = watched.and_then(|watched| watched.role(of.name(), path));
        let site_evidence = || {
            let mut site = *self.site_evidence.get(&of.on_site())?;
            // The count of patterns must not include this one, which `role` has already considered.
            site.patterns = site.patterns.saturating_sub(u32::from(watched.is_some_and(|watched| watched.is_counted)));
            site.assumed_role(&watched.map(|watched| watched.evidence).unwrap_or_default(), of.name())
        };
        own.or_else(site_evidence)
    }
}

fn compare(variant: PageFingerprint, clean: Option<PageFingerprint>) -> PageComparison {
    clean.map_or(PageComparison::Differs, |clean| variant.compare(&clean))
}

/// A hash of the text of a URL.
fn key_of(url: &PageUrl) -> u64 {
    hash_of(&url.as_str())
}

#[cfg(test)]
#[path = "learner_tests.rs"]
mod tests;
