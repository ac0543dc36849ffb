//! Roles learnt while a crawl goes on, so that variants are sampled and not crawled.

use crate::evidence::{Comparison, OnSite, Role};
use crate::parameter::{Parameter, Place, has_parameters, is_numbered, is_session, parameters, path_pattern, without};
use crate::print::Print;
use crate::variant::Variant;
use crate::watched::{Watched, is_harmless};
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
    waiting: HashMap<u64, Vec<(u64, Variant)>>,
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
            self.watched.insert(key, Watched::recalled(role));
        }
    }

    /// The URL without the parameters that are certain to change nothing but the order; `None` where it has none.
    #[must_use]
    pub fn clean(&self, url: &PageUrl) -> Option<PageUrl> {
        self.cleaned(url, Some(path_of(url)))
    }

    /// The URL without the parameters that change nothing but the order, as the pages at this path prove; at any path of
    /// the pattern, where none is given.
    fn cleaned(&self, url: &PageUrl, path: Option<u64>) -> Option<PageUrl> {
        if self.watched.is_empty() || !has_parameters(url) {
            return None;
        }
        let pattern = path_pattern(url);
        let mut clean = url.clone();
        for parameter in parameters(url).into_iter().filter(|parameter| self.is_harmless(&pattern, path, parameter)) {
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
        let (pattern, path) = (path_pattern(url), path_of(url));
        let mut samples = Vec::new();
        for parameter in parameters(url) {
            let key = RoleKey { pattern: pattern.clone(), parameter };
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

    /// Whether segments that look drawn at random name pages on this site, as far as any was looked at: those of other
    /// patterns are not tested then.
    fn is_name(&self, key: &RoleKey) -> bool {
        let site = || self.on_site.get(&(origin_of(&key.pattern).to_owned(), key.parameter.clone()));
        key.parameter.place == Place::Segment && site().is_some_and(|site| site.contradicted && site.patterns == 0)
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
        for (variant, of) in self.waiting.remove(&own).unwrap_or_default() {
            if let Some(Some(variant)) = self.prints.get(&variant).copied() {
                self.learn(&of, compare(variant, print), variant.is_thin);
            }
        }
        let Some(print) = print.filter(|_| has_parameters(url) && !self.tested.contains(&own)) else { return };
        let (pattern, path) = (path_pattern(url), path_of(url));
        for parameter in parameters(url) {
            let clean = key_of(&without(url, &parameter));
            let is_numbered = is_numbered(url, &parameter);
            let of = Variant { key: RoleKey { pattern: pattern.clone(), parameter }, path, is_numbered };
            let variants = hash_of(&(clean, &of.key.parameter));
            if *self.titles.entry(variants).or_insert(print.title) != print.title {
                self.learn(&of, Comparison::Differs, print.is_thin);
            }
            match self.prints.get(&clean).copied() {
                Some(clean) => self.learn(&of, compare(print, clean), print.is_thin),
                None => self.waiting.entry(clean).or_default().push((own, of)),
            }
        }
        // What stands at the clean URL may be asked for sooner than a variant may be left out.
        match self.cleaned(url, None) {
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
                match self.cleaned(&page, None) {
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
        let own = parameters(url);
        let bare = own.iter().fold(url.clone(), |url, parameter| without(&url, parameter));
        let is_unread = |prints: &HashMap<u64, Option<Print>>, url: &PageUrl| !prints.contains_key(&key_of(url));
        for parameter in own {
            if is_unread(&self.prints, &bare) || is_unread(&self.prints, &without(url, &parameter)) {
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

    fn learn(&mut self, variant: &Variant, comparison: Comparison, is_thin: bool) {
        let key = &variant.key;
        let Some(watched) = self.watch(key) else { return };
        let change = watched.learn(&key.parameter.name, comparison, variant, is_thin);
        let parameter = (origin_of(&key.pattern).to_owned(), key.parameter.clone());
        let on_site = self.on_site.entry(parameter.clone()).or_default();
        let contradicts = comparison == Comparison::Differs && !on_site.contradicted;
        on_site.contradicted |= contradicts;
        self.withdrawn |= contradicts || change.withdraws;
        on_site.patterns += u32::from(change.counts_on_site);
        if change.proves || change.counts_on_site {
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
    fn is_harmless(&self, pattern: &str, path: Option<u64>, parameter: &Parameter) -> bool {
        let key = RoleKey { pattern: pattern.to_owned(), parameter: parameter.clone() };
        let watched = self.watched.get(&key);
        let own = watched.and_then(|watched| watched.role(&parameter.name, path));
        let on_site = || {
            let mut site = *self.on_site.get(&(origin_of(pattern).to_owned(), parameter.clone()))?;
            // Of the other paths of a pattern, only other patterns prove anything.
            site.patterns = site.patterns.saturating_sub(u32::from(watched.is_some_and(|watched| watched.is_counted)));
            site.believed(&watched.map(|watched| watched.evidence).unwrap_or_default(), &parameter.name)
        };
        own.or_else(on_site).is_some_and(is_harmless)
    }
}

fn compare(variant: Print, clean: Option<Print>) -> Comparison {
    clean.map_or(Comparison::Differs, |clean| variant.compare(&clean))
}

/// A hash of the path of a URL, its sessions left out.
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
