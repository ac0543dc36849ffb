//! Names that are new on every link, in any form: words, numbers, letters of either case. The name itself shows
//! nothing; the proof is that page after page leads to new URLs of its family, and that hardly any of them is linked
//! again.

use crate::path_prefix::{directory, section};
use crate::proof_limits::{ProofLimits, UNCERTAIN_FACTOR};
use crate::shape::plain_shape;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Highest number of families watched; where all of them are busy, later families are not watched.
const MAX_FAMILIES: usize = 20_000;
/// URLs of a family from which on it is busy.
const BUSY: u64 = 10;

/// A family, by the hash of its name: every URL needs the hash, and few need the name.
pub(crate) type Family = u64;

/// Seeds of the hashes of names, by the kind of family.
const SHAPE: u64 = 1;
const DIRECTORY: u64 = 2;
const SECTION: u64 = 3;

/// The two families of a URL, either of which may be endless. The narrow one has the URLs of its shape or, where
/// nothing in it varies, those in its directory; the wide one has those below its first directory.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PatternFamilies {
    narrow: Option<Family>,
    wide: Option<Family>,
    /// The narrow family is that of a shape.
    varies: bool,
}

impl PatternFamilies {
    /// Returns the families of a URL; none for the root of a site.
    pub(crate) fn of(url: &PageUrl) -> Self {
        Self::shaped(url, plain_shape(url).as_deref())
    }

    /// Returns the families of a URL with this plain shape.
    pub(crate) fn shaped(url: &PageUrl, shape: Option<&str>) -> Self {
        let shape = shape.map(|shape| xxh3_64_with_seed(shape.as_bytes(), SHAPE));
        let narrow = shape.or_else(|| directory(url).map(|text| xxh3_64_with_seed(text.as_bytes(), DIRECTORY)));
        let wide = section(url).map(|section| xxh3_64_with_seed(section.as_bytes(), SECTION));
        Self { narrow, wide, varies: shape.is_some() }
    }

    /// Returns the narrow family.
    pub(crate) fn narrow(self) -> Option<Family> {
        self.narrow
    }

    /// Returns the narrow family, where it is that of a shape: plain names in a directory are the site's own.
    pub(crate) fn shape(self) -> Option<Family> {
        self.narrow.filter(|_| self.varies)
    }

    fn all(self) -> impl Iterator<Item = Family> {
        self.narrow.into_iter().chain(self.wide)
    }

    fn shares(self, family: Family) -> bool {
        self.narrow == Some(family) || self.wide == Some(family)
    }
}

/// Returns the name of the narrow family of a URL.
pub(crate) fn narrow_name(url: &PageUrl) -> Option<String> {
    plain_shape(url).or_else(|| directory(url).map(|directory| format!("{directory}*")))
}

/// Returns the name of the wide family of a URL; that of the site's root, where the URL is in no directory.
pub(crate) fn wide_name(url: &PageUrl) -> Option<String> {
    let below = section(url).map(|section| format!("{section}…"));
    below.or_else(|| directory(url).map(|directory| format!("{directory}*")))
}

/// The watched families.
#[derive(Debug, Default)]
pub(crate) struct Families {
    watched: HashMap<Family, FamilyGrowth>,
    /// Families that may prove endless, for which repeated links matter.
    suspects: usize,
    /// Few families are idle, so another search for them is useless.
    crowded: bool,
}

/// The growth of one family.
#[derive(Debug, Default)]
struct FamilyGrowth {
    urls: u64,
    /// URLs found by pages of the same family.
    within: u64,
    /// New URLs of other families that its pages led to.
    others: u64,
    /// Pages that were read or remembered.
    read: u64,
    /// Pages among them that were only remembered: little is known of their repeated links.
    remembered: u64,
    /// Pages that led to new ones of the family.
    fruitful: u64,
    /// Number of the last of those.
    last: u64,
    verdict: FamilyVerdict,
}

/// The verdict on a family.
#[derive(Debug, Default)]
enum FamilyVerdict {
    /// No suspicion yet.
    #[default]
    None,
    /// The family feeds itself. Its pages that pages of the family link to again are counted for it: by ID, or by key
    /// where they had no ID yet.
    Suspect(HashSet<u64>),
    /// The family's pages are linked again: it is a real part of the site.
    Sound,
    /// The family is endless.
    Endless,
}

impl Families {
    /// Reports whether repeated links matter.
    pub(crate) fn are_suspect(&self) -> bool {
        self.suspects > 0
    }

    /// Counts a URL of these families. `parent` is the page that led to it: its number among the pages that led
    /// anywhere, and its families. Returns whether there is room for the URL in the narrow family, and in the wide one.
    pub(crate) fn admit(
        &mut self,
        url: PatternFamilies,
        parent: Option<(u64, PatternFamilies)>,
        measure: ProofLimits,
    ) -> [bool; 2] {
        for elsewhere in parent.iter().flat_map(|(_, families)| families.all()).filter(|family| !url.shares(*family)) {
            if let Some(growth) = self.watched.get_mut(&elsewhere) {
                growth.others += 1;
            }
        }
        [url.narrow, url.wide].map(|family| {
            let Some(family) = family else { return true };
            let within = parent.filter(|(_, families)| families.shares(family)).map(|(number, _)| number);
            let Some(growth) = self.watch(family) else { return true };
            growth.learn(within);
            let (was, is) = growth.judge(measure);
            self.suspects = self.suspects + usize::from(is) - usize::from(was);
            self.watched.get(&family).is_none_or(|growth| !matches!(growth.verdict, FamilyVerdict::Endless))
        })
    }

    /// Counts a page of these families that was read or is remembered, and the `others`, known pages of its families
    /// that it links to.
    pub(crate) fn read(&mut self, page: PatternFamilies, remembered: bool, others: impl Iterator<Item = u64> + Clone) {
        for family in page.all() {
            if let Some(growth) = self.watched.get_mut(&family) {
                growth.read += 1;
                growth.remembered += u64::from(remembered);
                growth.met_again(others.clone());
            }
        }
    }

    /// Counts a page that was found again before it had an ID, in the families that it shares with `parent`.
    pub(crate) fn found_again(&mut self, page: PatternFamilies, parent: PatternFamilies, key: u64) {
        for family in page.all().filter(|family| parent.shares(*family)) {
            if let Some(growth) = self.watched.get_mut(&family) {
                growth.met_again(std::iter::once(key));
            }
        }
    }

    /// Resumes an interrupted run in which a family of this URL had proven endless; the narrow one is assumed.
    pub(crate) fn recall(&mut self, url: PatternFamilies) {
        if let Some(growth) = url.narrow.and_then(|family| self.watch(family)) {
            growth.verdict = FamilyVerdict::Endless;
        }
    }

    fn watch(&mut self, family: Family) -> Option<&mut FamilyGrowth> {
        let is_full = self.watched.len() >= MAX_FAMILIES && !self.watched.contains_key(&family);
        if is_full && !self.make_room() {
            return None;
        }
        Some(self.watched.entry(family).or_default())
    }

    /// Drops idle families. Where few are idle, the search is not repeated.
    fn make_room(&mut self) -> bool {
        if !self.crowded {
            self.watched.retain(|_, growth| growth.urls >= BUSY || !matches!(growth.verdict, FamilyVerdict::None));
            self.crowded = self.watched.len() * 2 > MAX_FAMILIES;
        }
        self.watched.len() < MAX_FAMILIES
    }
}

impl FamilyGrowth {
    /// Counts a URL that is about to be queued; `parent` is the number of the page of the family itself on which it was
    /// found, if any.
    fn learn(&mut self, parent: Option<u64>) {
        self.urls += 1;
        self.within += u64::from(parent.is_some());
        if let Some(parent) = parent.filter(|parent| *parent != self.last) {
            self.last = parent;
            self.fruitful += 1;
        }
    }

    fn met_again(&mut self, pages: impl Iterator<Item = u64>) {
        if let FamilyVerdict::Suspect(again) = &mut self.verdict {
            again.extend(pages);
        }
    }

    /// Judges the family again. Returns whether it was a suspect before, and whether it is one now.
    ///
    /// The verdict falls after ten budgets of pages: no site has so many pages of which nearly each one leads to others
    /// of its family and to little else, while hardly any is linked from two of them. Real sites have an end, and links
    /// between their pages. (A tree of that size without a single link back or across is cut as well.)
    fn judge(&mut self, measure: ProofLimits) -> (bool, bool) {
        let was = matches!(self.verdict, FamilyVerdict::Suspect(_));
        match &self.verdict {
            FamilyVerdict::None if self.read >= measure.budget && self.feeds_itself() => {
                self.verdict = FamilyVerdict::Suspect(HashSet::new());
            }
            FamilyVerdict::Suspect(again) if again.len() as u64 >= measure.budget => {
                self.verdict = FamilyVerdict::Sound
            }
            FamilyVerdict::Suspect(again) if self.read >= measure.budget.saturating_mul(UNCERTAIN_FACTOR) => {
                self.verdict = match again.len() as u64 * 10 < self.urls {
                    true if self.feeds_itself() => FamilyVerdict::Endless,
                    true => FamilyVerdict::None,
                    false => FamilyVerdict::Sound,
                }
            }
            _ => {}
        }
        (was, matches!(self.verdict, FamilyVerdict::Suspect(_)))
    }

    fn feeds_itself(&self) -> bool {
        let requested = self.remembered * 10 < self.read;
        let each = self.fruitful * 10 >= self.read * 9;
        let unlisted = self.within * 10 >= self.urls * 9;
        requested && each && unlisted && self.others * 2 < self.urls
    }
}

#[cfg(test)]
#[path = "fresh_tests.rs"]
mod tests;
