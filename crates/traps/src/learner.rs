//! Learns the roles of parameters during a crawl, so that variants are sampled instead of crawled.

use crate::evidence::{PageComparison, ParameterRole, SiteEvidence};
use crate::fingerprint::PageFingerprint;
use crate::parameter::{
    Parameter, ParameterKey, ParameterPosition, has_parameters, is_numbered, is_session, parameters, path_pattern,
    without,
};
use crate::parameter_evidence::{ParameterEvidence, keeps_content};
use crate::variant::VariantParameter;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

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
            let origin = origin_of(&key.pattern).to_owned();
            if keeps_content(role) {
                self.site_evidence.entry((origin, key.parameter.clone())).or_default().patterns += 1;
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
        self.cleaned(url, Some(path_of(url)))
    }

    /// The URL without the parameters that change at most the order on some path of the pattern: evidence from any path
    /// is enough to request the clean URL, but not to leave the variant out.
    #[must_use]
    pub fn clean_anywhere(&self, url: &PageUrl) -> Option<PageUrl> {
        if has_parameters(url) { self.cleaned(url, None) } else { None }
    }

    /// The URL without the parameters that change at most the order, by the evidence of the pages at this path, or of
    /// the entire pattern where no path is given.
    fn cleaned(&self, url: &PageUrl, path: Option<u64>) -> Option<PageUrl> {
        let pattern = path_pattern(url);
        let mut clean = url.clone();
        for parameter in parameters(url).into_iter().filter(|parameter| self.keeps_content(&pattern, path, parameter)) {
            clean = without(&clean, &parameter);
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
        let (pattern, path) = (path_pattern(url), path_of(url));
        let keys = parameters(url).into_iter().map(|parameter| ParameterKey { pattern: pattern.clone(), parameter });
        keys.filter(|key| !self.is_name(key) && self.role(key, Some(path)).is_none()).collect()
    }

    /// The clean URLs to request for comparison with a URL that is about to be requested: a few for each role.
    pub fn samples(&mut self, url: &PageUrl) -> Vec<PageUrl> {
        if !has_parameters(url) {
            return Vec::new();
        }
        let (pattern, path) = (path_pattern(url), path_of(url));
        let mut samples = Vec::new();
        for parameter in parameters(url) {
            let key = ParameterKey { pattern: pattern.clone(), parameter };
            if self.is_name(&key) {
                continue;
            }
            let Some(watched) = self.watch(&key) else { continue };
            if watched.sampled < SAMPLES && watched.role(&key.parameter.name, Some(path)).is_none() {
                watched.sampled += 1;
                samples.push(without(url, &key.parameter));
            }
        }
        self.tested.extend(samples.iter().map(key_of));
        samples
    }

    /// Reports whether path segments that look random are names of pages on this site, by the patterns tested so far.
    /// Then those of other patterns are not tested.
    fn is_name(&self, key: &ParameterKey) -> bool {
        let site = || self.site_evidence.get(&(origin_of(&key.pattern).to_owned(), key.parameter.clone()));
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
        let (pattern, path) = (path_pattern(url), path_of(url));
        for parameter in parameters(url) {
            let clean = key_of(&without(url, &parameter));
            let is_numbered = is_numbered(url, &parameter);
            let of = VariantParameter { key: ParameterKey { pattern: pattern.clone(), parameter }, path, is_numbered };
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
        let key = &variant.key;
        let Some(watched) = self.watch(key) else { return };
        let change = watched.learn(&key.parameter.name, comparison, variant, is_thin);
        let parameter = (origin_of(&key.pattern).to_owned(), key.parameter.clone());
        let site_evidence = self.site_evidence.entry(parameter).or_default();
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

    /// Reports whether a parameter certainly changes at most the order of a page, by the evidence of its pattern or of
    /// several others.
    fn keeps_content(&self, pattern: &str, path: Option<u64>, parameter: &Parameter) -> bool {
        let key = ParameterKey { pattern: pattern.to_owned(), parameter: parameter.clone() };
        self.role(&key, path).is_some_and(keeps_content)
    }

    /// The role of a parameter at a path, by the evidence of its pattern or of several others.
    fn role(&self, key: &ParameterKey, path: Option<u64>) -> Option<ParameterRole> {
        let name = &key.parameter.name;
        let watched = self.watched.get(key);
        let own = watched.and_then(|watched| watched.role(name, path));
        let site_evidence = || {
            let mut site = *self.site_evidence.get(&(origin_of(&key.pattern).to_owned(), key.parameter.clone()))?;
            // The count of patterns must not include this one, which `role` has already considered.
            site.patterns = site.patterns.saturating_sub(u32::from(watched.is_some_and(|watched| watched.is_counted)));
            site.assumed_role(&watched.map(|watched| watched.evidence).unwrap_or_default(), name)
        };
        own.or_else(site_evidence)
    }
}

fn compare(variant: PageFingerprint, clean: Option<PageFingerprint>) -> PageComparison {
    clean.map_or(PageComparison::Differs, |clean| variant.compare(&clean))
}

/// A hash of the path of a URL without its sessions.
fn path_of(url: &PageUrl) -> u64 {
    let names = url.path().split('/').filter(|name| !is_session(name)).map(|name| name.split(';').next());
    hash_of(&names.collect::<Vec<_>>())
}

/// A hash of the text of a URL.
fn key_of(url: &PageUrl) -> u64 {
    hash_of(&url.as_str())
}

fn hash_of(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

fn origin_of(pattern: &str) -> &str {
    mapwright_web::origin_of(pattern)
}

#[cfg(test)]
#[path = "learner_tests.rs"]
mod tests;
