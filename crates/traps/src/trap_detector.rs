//! URL patterns that grow without end: calendars, filters, session identifiers, repeating paths.
//!
//! A pattern has a budget only once the behaviour of its own pages *proves* it endless (see `proof.rs`). Numbered names
//! prove nothing; chains of numbers in which each page leads to little but the next have ten times the budget.

use crate::barren::{Barren, LastRunState};
use crate::choices::adds;
use crate::content::DistinctContent;
use crate::fresh::{Families, PatternFamilies, narrow_name, wide_name};
use crate::growing::{growing, growing_path, growing_query};
use crate::proof::Evidence;
use crate::proof_limits::ProofLimits;
use crate::shape::{counted_shape, plain_shape, shape, shape_of_date};
use mapwright_model::{Discovery, Unfetched, UrlId};
use mapwright_web::{KeyMap, PageUrl};
use std::collections::HashMap;

/// The detector of crawl traps, over all admitted URLs.
#[derive(Debug)]
pub struct TrapDetector {
    measure: ProofLimits,
    shapes: HashMap<String, Shape>,
    families: Families,
    barren: Barren,
    refused: HashMap<String, u64>,
    /// The decisions since the last commit began, and those before it: pages that end together find the same URLs.
    decided: KeyMap<Option<Unfetched>>,
    decided_before: KeyMap<Option<Unfetched>>,
    /// The page that led to URLs last.
    parent: Option<Parent>,
    /// Number of pages that led to URLs.
    parents: u64,
    /// The families of the page that was read last.
    page: Option<(PageUrl, PatternFamilies)>,
    /// Few shapes have only one URL, so another search for them is useless.
    crowded: bool,
}

/// Highest number of shapes watched; where all of them are busy, later shapes are not watched.
const MAX_SHAPES: usize = 20_000;

/// A page that leads to URLs, with its shape and its families.
#[derive(Debug)]
struct Parent {
    url: PageUrl,
    shape: Option<String>,
    families: PatternFamilies,
    /// The page's number among the pages that led to URLs.
    number: u64,
}

#[derive(Debug, Default)]
struct Shape {
    evidence: Evidence,
    endless: bool,
}

impl TrapDetector {
    /// Returns a detector that allows `budget` URLs to each pattern proven endless (ten times as many to patterns that
    /// may be real pages), in a crawl of `this_year`; 0 detects nothing.
    #[must_use]
    pub fn new(budget: u64, this_year: u16) -> Self {
        Self {
            measure: ProofLimits { budget, this_year },
            shapes: HashMap::new(),
            families: Families::default(),
            barren: Barren::default(),
            refused: HashMap::new(),
            decided: KeyMap::default(),
            decided_before: KeyMap::default(),
            parent: None,
            parents: 0,
            page: None,
            crowded: false,
        }
    }

    /// Counts a URL that is about to be queued, once, given its state in the last run; returns the reason where its
    /// pattern has no room for it.
    pub fn refuses(&mut self, found: &Discovery, parent: Option<&PageUrl>, before: LastRunState) -> Option<Unfetched> {
        if self.measure.budget == 0 {
            return None;
        }
        let key = found.key.0;
        if let Some(before) = self.decided.get(&key).or_else(|| self.decided_before.get(&key)).copied() {
            if found.route.generation > 0 {
                self.note_again(&found.url, std::iter::once(key));
            }
            if let Some(parent) = parent.filter(|_| self.tracks_relinks()) {
                self.families.found_again(PatternFamilies::of(&found.url), PatternFamilies::of(parent), key);
            }
            return before;
        }
        let refused = match self.barren.refuses(found, parent, before, self.measure.budget) {
            Some(refused) => {
                *self.refused.entry(wide_name(&found.url).unwrap_or_default()).or_default() += 1;
                Some(refused)
            }
            None => (!self.has_room(found, parent)).then_some(Unfetched::Endless),
        };
        self.decided.insert(key, refused);
        refused
    }

    /// Reports whether a URL that the last run did not know has room.
    #[cfg(test)]
    pub(crate) fn admit(&mut self, found: &Discovery, parent: Option<&PageUrl>) -> bool {
        self.refuses(found, parent, LastRunState::New).is_none()
    }

    /// Reports whether a queued URL is still to be requested now that it has its turn: more is known of its pattern by
    /// now.
    pub fn still_admits(&mut self, url: &PageUrl) -> bool {
        let stays = self.measure.budget == 0 || self.barren.still_admits(url, self.measure.budget);
        if !stays {
            *self.refused.entry(wide_name(url).unwrap_or_default()).or_default() += 1;
        }
        stays
    }

    /// Begins a commit: the URLs of the commit before are recorded by now and will not be looked up again.
    pub fn begin_commit(&mut self) {
        self.decided_before = std::mem::take(&mut self.decided);
    }

    /// Learns that `page` was read, or is only `remembered`, and links to `others`, known pages of its own pattern.
    pub fn read(&mut self, page: &PageUrl, others: &[UrlId], remembered: bool) {
        let others = others.iter().map(|id| u64::from(id.0));
        if others.len() > 0 {
            self.note_again(page, others.clone());
        }
        let families = self.families_of(page);
        self.families.read(families, remembered, others);
    }

    /// Learns the content of `page`, on which the next discoveries are found; `None` for a page that is only
    /// remembered.
    pub fn learn_content(&mut self, page: &PageUrl, content: Option<DistinctContent<'_>>) {
        if self.measure.budget > 0 {
            let families = self.families_of(page);
            self.barren.read(page, families, content);
        }
    }

    /// Returns the families of a page that is read, from a cache of one.
    fn families_of(&mut self, page: &PageUrl) -> PatternFamilies {
        match &self.page {
            Some((url, families)) if url == page => *families,
            _ => {
                let families = PatternFamilies::of(page);
                self.page = Some((page.clone(), families));
                families
            }
        }
    }

    /// Reports whether repeated links between neighbouring pages matter, whatever their names: see
    /// [`PatternFamily::near`](crate::PatternFamily::near).
    #[must_use]
    pub fn tracks_relinks(&self) -> bool {
        self.families.are_suspect()
    }

    /// Counts pages of the shape of `url` that pages of the shape link to again.
    fn note_again(&mut self, url: &PageUrl, pages: impl Iterator<Item = u64>) {
        if let Some(shape) = shape(url).and_then(|name| self.shapes.get_mut(&name)) {
            shape.evidence.met_again(pages, self.measure);
        }
    }

    /// Resumes an interrupted run in which the budget of this URL's pattern was spent before its turn.
    pub fn recall_refused(&mut self, url: &PageUrl) {
        self.barren.recall(self.measure.budget);
        let varying = growing(url).or_else(|| shape(url));
        if varying.is_none() {
            self.families.recall(PatternFamilies::of(url));
        }
        let Some(name) = varying.or_else(|| narrow_name(url)) else { return };
        let shape = self.shapes.entry(name.clone()).or_default();
        shape.endless = true;
        shape.evidence.urls = shape.evidence.urls.max(self.measure.budget) + 1;
        *self.refused.entry(name).or_default() += 1;
    }

    /// Returns the patterns whose budget was spent, each with the number of URLs refused.
    #[must_use]
    pub fn refused(&self) -> Vec<(String, u64)> {
        let mut list: Vec<_> = self.refused.iter().map(|(name, count)| (name.clone(), *count)).collect();
        list.sort();
        list
    }

    fn has_room(&mut self, found: &Discovery, parent: Option<&PageUrl>) -> bool {
        if let Some(name) = growing_path(&found.url) {
            return self.spend(name, |shape, _| shape.endless = true);
        }
        if let Some((parameter, name)) = growing_query(&found.url)
            && parent.is_some_and(|parent| adds(parent, &found.url, &parameter))
        {
            return self.spend(name, |shape, _| shape.endless = true);
        }
        if let Some(name) = shape_of_date(&found.url).filter(|name| self.watches(name)) {
            self.shapes.entry(name).or_default().evidence.doubt();
        }
        let plain = plain_shape(&found.url);
        let families = PatternFamilies::shaped(&found.url, plain.as_deref());
        let is_counted = plain.is_none();
        let name = plain.or_else(|| counted_shape(&found.url));
        if let Some(parent) = parent {
            self.credit(parent, name.as_deref());
        }
        if !self.has_end(&found.url, families, parent.is_some()) {
            return false;
        }
        let Some(name) = name else { return true };
        // A number within a name is most often that of an article, whose shape no other URL has.
        if is_counted && found.route.generation == 0 && !self.shapes.contains_key(&name) {
            return true;
        }
        let has_content = self.barren.has_content(families);
        self.spend(name, |shape, measure| {
            shape.evidence.has_content = has_content;
            shape.evidence.learn(found, parent, measure);
            shape.endless = shape.endless || shape.evidence.is_endless(measure);
        })
    }

    /// Reports whether both families of a URL have room for it.
    fn has_end(&mut self, url: &PageUrl, families: PatternFamilies, has_parent: bool) -> bool {
        let parent = self.parent.as_ref().filter(|_| has_parent).map(|parent| (parent.number, parent.families));
        let full = match self.families.admit(families, parent, self.measure) {
            [true, true] => return true,
            // For a name in which nothing varies, the wide family says more.
            [_, false] if plain_shape(url).is_none() => wide_name(url),
            [false, _] => narrow_name(url),
            [true, false] => wide_name(url),
        };
        *self.refused.entry(full.unwrap_or_default()).or_default() += 1;
        false
    }

    /// Counts a URL of the shape `name`; `learn` updates the evidence.
    fn spend(&mut self, name: String, learn: impl FnOnce(&mut Shape, ProofLimits)) -> bool {
        if !self.watches(&name) {
            return true;
        }
        let shape = self.shapes.entry(name.clone()).or_default();
        learn(shape, self.measure);
        shape.evidence.urls += 1;
        if !shape.endless || shape.evidence.urls <= self.measure.budget {
            return true;
        }
        *self.refused.entry(name).or_default() += 1;
        false
    }

    /// Reports whether a shape is watched, or can be.
    fn watches(&mut self, name: &str) -> bool {
        self.shapes.len() < MAX_SHAPES || self.shapes.contains_key(name) || self.make_room()
    }

    /// Drops shapes with only one URL, as articles below a date have. Where few are such, the search is not repeated.
    fn make_room(&mut self) -> bool {
        if !self.crowded {
            self.shapes.retain(|_, shape| shape.endless || shape.evidence.urls > 1);
            self.crowded = self.shapes.len() * 2 > MAX_SHAPES;
        }
        self.shapes.len() < MAX_SHAPES
    }

    /// Credits the shape of a page that leads to pages of other shapes.
    fn credit(&mut self, parent: &PageUrl, child: Option<&str>) {
        if self.parent.as_ref().is_none_or(|before| before.url != *parent) {
            self.parents += 1;
            let families = self.families_of(parent);
            self.parent = Some(Parent { url: parent.clone(), shape: shape(parent), families, number: self.parents });
        }
        let Some(Parent { shape: Some(name), .. }) = &self.parent else { return };
        if child != Some(name)
            && let Some(shape) = self.shapes.get_mut(name)
        {
            shape.evidence.credit();
        }
    }
}

/// Returns the pattern of a URL; `None` for the root of a site.
#[must_use]
pub fn pattern(url: &PageUrl) -> Option<String> {
    growing(url).or_else(|| shape(url)).or_else(|| wide_pattern(url))
}

/// Returns the widest pattern of a URL: everything below its first directory, or everything in the root of its site;
/// `None` for the root itself.
#[must_use]
pub fn wide_pattern(url: &PageUrl) -> Option<String> {
    wide_name(url)
}

#[cfg(test)]
#[path = "trap_detector_tests.rs"]
pub(crate) mod tests;
