//! Roles learnt while a crawl goes on, so that variants are sampled and not crawled.

use crate::evidence::{Comparison, Evidence, OnSite, Role};
use crate::parameter::{Parameter, has_parameters, parameters, path_pattern, without};
use crate::print::Print;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

/// A parameter of the URLs of one pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleKey {
    /// The pattern of the paths: see [`path_pattern`].
    pub pattern: String,
    /// The parameter.
    pub parameter: Parameter,
}

/// Parameters watched at once, at most; those met later go unwatched.
const MAX_ROLES: usize = 10_000;
/// Pages whose fingerprints are remembered, at most; then all are forgotten at once.
const MAX_PRINTS: usize = 200_000;
/// Clean URLs that are requested to learn one role, at most.
const SAMPLES: u32 = 4;
/// One of so many variants is crawled once the role is certain, to see whether it still holds; and so many in all.
const ONE_OF: u32 = 16;
const MAX_CHECKS: u32 = 5;
/// Pages that were read as variants and whose clean URL was not, at most; those met later stay as they are.
const MAX_UNCLEAN: usize = 20_000;

/// What is known of one parameter of one pattern.
#[derive(Debug, Default)]
struct Watched {
    evidence: Evidence,
    sampled: u32,
    variants: u32,
    checks: u32,
    /// The record knows the role from an earlier run.
    known: Option<Role>,
}

impl Watched {
    fn role(&self, name: &str) -> Option<Role> {
        // What decided what a page is in an earlier run is never taken for a variant by the few pages of this one.
        if self.known == Some(Role::Specifies) { self.known } else { self.evidence.role(name).or(self.known) }
    }
}

/// The watch over the parameters of a crawl. Deterministic: what it knows depends on the pages alone.
#[derive(Debug, Default)]
pub struct Learner {
    watched: HashMap<RoleKey, Watched>,
    on_site: HashMap<(String, Parameter), OnSite>,
    prints: HashMap<u64, Option<Print>>,
    /// By clean URL and parameter, the title of a variant of it: one with another title is a counter-example.
    titles: HashMap<u64, u64>,
    /// URLs that no page links, requested to compare others with: what they show says nothing of their own parameters.
    tested: HashSet<u64>,
    /// By clean URL, the variants that wait for it to be read.
    waiting: HashMap<u64, Vec<(u64, RoleKey)>>,
    /// Pages that were read before it was certain that a parameter changes nothing of them, by origin and parameter.
    unclean: HashMap<(String, Parameter), Vec<PageUrl>>,
    unclean_count: usize,
    /// Parameters that have become certain to change nothing.
    certain: Vec<(String, Parameter)>,
    /// Clean URLs that are to be requested.
    owed: Vec<PageUrl>,
    /// A role was withdrawn since this was asked last.
    withdrawn: bool,
}

impl Learner {
    /// Takes in a role that an earlier run learnt; it holds until contradicted.
    pub fn recall(&mut self, key: RoleKey, role: Role) {
        if self.watched.len() < MAX_ROLES {
            let origin = origin_of(&key.pattern).to_owned();
            if is_harmless(role) {
                self.on_site.entry((origin, key.parameter.clone())).or_default().patterns += 1;
            }
            self.watched.entry(key).or_default().known = Some(role);
        }
    }

    /// The URL without the parameters that are certain to change nothing but the order; `None` where it has none.
    #[must_use]
    pub fn clean(&self, url: &PageUrl) -> Option<PageUrl> {
        if self.watched.is_empty() || !has_parameters(url) {
            return None;
        }
        let pattern = path_pattern(url);
        let mut clean = url.clone();
        for parameter in parameters(url).into_iter().filter(|parameter| self.is_harmless(&pattern, parameter)) {
            clean = without(&clean, &parameter);
        }
        (clean != *url).then_some(clean)
    }

    /// Whether a variant is crawled all the same, to see whether the roles of its parameters still hold.
    pub fn takes_sample(&mut self, url: &PageUrl) -> bool {
        let pattern = path_pattern(url);
        let mut taken = false;
        for parameter in parameters(url) {
            let Some(watched) = self.watched.get_mut(&RoleKey { pattern: pattern.clone(), parameter }) else {
                continue;
            };
            watched.variants = watched.variants.saturating_add(1);
            if watched.variants.is_multiple_of(ONE_OF) && watched.checks < MAX_CHECKS {
                watched.checks += 1;
                taken = true;
            }
        }
        taken
    }

    /// The clean URLs that are to be requested, now that a URL is about to be: few for each role.
    pub fn samples(&mut self, url: &PageUrl) -> Vec<PageUrl> {
        if !has_parameters(url) {
            return Vec::new();
        }
        let pattern = path_pattern(url);
        let mut samples = Vec::new();
        for parameter in parameters(url) {
            let key = RoleKey { pattern: pattern.clone(), parameter };
            let Some(watched) = self.watch(&key) else { continue };
            if watched.sampled < SAMPLES && watched.role(&key.parameter.name).is_none() {
                watched.sampled += 1;
                samples.push(without(url, &key.parameter));
            }
        }
        self.tested.extend(samples.iter().map(key_of));
        samples
    }

    /// A URL was requested: the fingerprint of its page; `None` where it answers with no page.
    pub fn read(&mut self, url: &PageUrl, print: Option<Print>) {
        if self.prints.len() >= MAX_PRINTS {
            self.prints.clear();
            self.waiting.clear();
            self.titles.clear();
            self.tested.clear();
        }
        let own = key_of(url);
        self.prints.insert(own, print);
        for (variant, key) in self.waiting.remove(&own).unwrap_or_default() {
            if let Some(Some(variant)) = self.prints.get(&variant).copied() {
                self.learn(&key, compare(variant, print));
            }
        }
        let Some(print) = print.filter(|_| has_parameters(url) && !self.tested.contains(&own)) else { return };
        let pattern = path_pattern(url);
        for parameter in parameters(url) {
            let clean = key_of(&without(url, &parameter));
            let key = RoleKey { pattern: pattern.clone(), parameter };
            let variants = hash_of(&(clean, &key.parameter));
            if *self.titles.entry(variants).or_insert(print.title) != print.title {
                self.learn(&key, Comparison::Differs);
            }
            match self.prints.get(&clean).copied() {
                Some(clean) => self.learn(&key, compare(print, clean)),
                None => self.waiting.entry(clean).or_default().push((own, key)),
            }
        }
        match self.clean(url) {
            Some(clean) => self.owe(clean),
            None => self.remember_unclean(url, &pattern),
        }
    }

    /// The clean URLs that are to be requested now: those of pages that were read as variants, or before it was certain
    /// that they are. So it does not matter when it becomes certain.
    pub fn owed(&mut self) -> Vec<PageUrl> {
        for parameter in std::mem::take(&mut self.certain) {
            let pages = self.unclean.remove(&parameter).unwrap_or_default();
            self.unclean_count -= pages.len();
            for page in pages {
                match self.clean(&page) {
                    Some(clean) => self.owe(clean),
                    None => self.remember_as(&page, parameter.clone()),
                }
            }
        }
        std::mem::take(&mut self.owed)
    }

    /// Whether a role was withdrawn since this was asked last: what was a variant may be none now.
    pub fn take_withdrawn(&mut self) -> bool {
        std::mem::take(&mut self.withdrawn)
    }

    fn owe(&mut self, clean: PageUrl) {
        if !self.prints.contains_key(&key_of(&clean)) && !self.owed.contains(&clean) {
            self.owed.push(clean);
        }
    }

    fn remember_unclean(&mut self, url: &PageUrl, pattern: &str) {
        for parameter in parameters(url) {
            if !self.prints.contains_key(&key_of(&without(url, &parameter))) {
                self.remember_as(url, (origin_of(pattern).to_owned(), parameter));
            }
        }
    }

    fn remember_as(&mut self, url: &PageUrl, parameter: (String, Parameter)) {
        if self.unclean_count < MAX_UNCLEAN {
            self.unclean_count += 1;
            self.unclean.entry(parameter).or_default().push(url.clone());
        }
    }

    fn learn(&mut self, key: &RoleKey, comparison: Comparison) {
        let Some(watched) = self.watch(key) else { return };
        let before = watched.role(&key.parameter.name);
        watched.evidence.add(comparison);
        let now = watched.role(&key.parameter.name);
        let becomes_harmless = before.is_none() && now.is_some_and(is_harmless);
        let parameter = (origin_of(&key.pattern).to_owned(), key.parameter.clone());
        let on_site = self.on_site.entry(parameter.clone()).or_default();
        let contradicts = comparison == Comparison::Differs && !on_site.contradicted;
        on_site.contradicted |= contradicts;
        self.withdrawn |= contradicts || before.is_some_and(is_harmless) && !now.is_some_and(is_harmless);
        on_site.patterns += u32::from(becomes_harmless);
        if becomes_harmless {
            self.certain.push(parameter);
        }
    }

    fn watch(&mut self, key: &RoleKey) -> Option<&mut Watched> {
        if self.watched.len() >= MAX_ROLES && !self.watched.contains_key(key) {
            return None;
        }
        Some(self.watched.entry(key.clone()).or_default())
    }

    /// Whether a parameter is certain to change nothing but the order of a page: by what pages of the pattern prove, or
    /// by what those of several others do.
    fn is_harmless(&self, pattern: &str, parameter: &Parameter) -> bool {
        let key = RoleKey { pattern: pattern.to_owned(), parameter: parameter.clone() };
        let watched = self.watched.get(&key);
        let own = watched.and_then(|watched| watched.role(&parameter.name));
        let on_site = || {
            let site = self.on_site.get(&(origin_of(pattern).to_owned(), parameter.clone()))?;
            site.role(&watched.map(|watched| watched.evidence).unwrap_or_default(), &parameter.name)
        };
        own.or_else(on_site).is_some_and(is_harmless)
    }
}

/// Whether pages that differ in a parameter of this role alone are one page.
fn is_harmless(role: Role) -> bool {
    matches!(role, Role::NoEffect | Role::Sorts)
}

fn compare(variant: Print, clean: Option<Print>) -> Comparison {
    clean.map_or(Comparison::Differs, |clean| variant.compare(&clean))
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
