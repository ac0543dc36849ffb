//! Names made up anew on every link, of whatever form: words, numbers, letters in any case. Such a name tells nothing;
//! what tells is that page after page leads to ever new ones of its family, and that hardly any is linked again.

use crate::proof::{Measure, PATIENCE};
use crate::shape::plain_shape;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Families watched at once, at most; where all of them are busy, families met later go unwatched.
const MAX_FAMILIES: usize = 20_000;
/// URLs of a family from which on it is busy.
const BUSY: u64 = 10;

/// A family, by the hash of its name: it is looked up for each URL, and named for few.
pub(crate) type Family = u64;

/// The two families of a URL, either of which may be endless: a narrow one, those of its shape, or, where nothing of it
/// varies, those in its directory; and a wide one, those below its first directory.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PatternFamilies {
    narrow: Option<Family>,
    wide: Option<Family>,
    /// The narrow one is of a shape.
    varies: bool,
}

impl PatternFamilies {
    /// The families of a URL; none for the root of a site.
    pub(crate) fn of(url: &PageUrl) -> Self {
        Self::shaped(url, plain_shape(url).as_deref())
    }

    /// The same, given its plain shape.
    pub(crate) fn shaped(url: &PageUrl, shape: Option<&str>) -> Self {
        let hash = BuildHasherDefault::<DefaultHasher>::default();
        let shape = shape.map(|shape| hash.hash_one(("shape", shape)));
        let narrow = shape.or_else(|| directory(url).map(|directory| hash.hash_one(("directory", directory))));
        let wide = section(url).map(|section| hash.hash_one(("section", section)));
        Self { narrow, wide, varies: shape.is_some() }
    }

    /// The narrow family.
    pub(crate) fn narrow(self) -> Option<Family> {
        self.narrow
    }

    /// The narrow family, where it is one of a shape: plain names in a directory are a site's own.
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

/// The name of the narrow family of a URL.
pub(crate) fn narrow_name(url: &PageUrl) -> Option<String> {
    plain_shape(url).or_else(|| directory(url).map(|directory| format!("{directory}*")))
}

/// The name of the wide family of a URL; that of the root of its site, where it stands in no directory.
pub(crate) fn wide_name(url: &PageUrl) -> Option<String> {
    let below = section(url).map(|section| format!("{section}…"));
    below.or_else(|| directory(url).map(|directory| format!("{directory}*")))
}

/// The text of a URL up to its last name.
pub(crate) fn directory(url: &PageUrl) -> Option<&str> {
    let path = url.path().trim_end_matches('/');
    let origin = url.as_str().len() - url.path_and_query().len();
    url.as_str().get(..=origin + path.rfind('/')?)
}

/// The text of a URL up to the end of its first directory; `None` where it stands in none.
pub(crate) fn section(url: &PageUrl) -> Option<&str> {
    let origin = url.as_str().len() - url.path_and_query().len();
    let first = url.path().trim_start_matches('/');
    let at = url.path().len() - first.len() + first.find('/')?;
    url.as_str().get(..=origin + at)
}

/// The watch over all families.
#[derive(Debug, Default)]
pub(crate) struct Families {
    watched: HashMap<Family, Growth>,
    /// Families that may prove endless: what their pages link again is of interest.
    suspects: usize,
    /// Few families are at rest: no use in looking for those again.
    crowded: bool,
}

/// What the pages of one family do.
#[derive(Debug, Default)]
struct Growth {
    urls: u64,
    /// Found by pages of the same family.
    within: u64,
    /// Fresh URLs of other families that its pages led to.
    others: u64,
    /// Pages that were read, or remembered.
    read: u64,
    /// Those of them that were remembered alone: of what they link again little is told.
    remembered: u64,
    /// Pages that led to fresh ones of the family.
    fruitful: u64,
    /// The number of the last of those.
    last: u64,
    doubt: Doubt,
}

/// What is thought of a family.
#[derive(Debug, Default)]
enum Doubt {
    /// Nothing is held against it yet.
    #[default]
    None,
    /// It feeds itself. Its pages that are linked again by their like count for it: by their number, or by the key
    /// where they had none yet.
    Suspect(HashSet<u64>),
    /// Its pages are linked again: it is a site's.
    Sound,
    /// It has no end.
    Endless,
}

impl Families {
    /// Whether it matters what pages link again.
    pub(crate) fn are_suspect(&self) -> bool {
        self.suspects > 0
    }

    /// Counts a URL of these families that a page led to, the `number`-th that led anywhere, of those families. Whether
    /// there is room for it: in the narrow family, and in the wide one.
    pub(crate) fn admit(
        &mut self,
        url: PatternFamilies,
        parent: Option<(u64, PatternFamilies)>,
        measure: Measure,
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
            self.watched.get(&family).is_none_or(|growth| !matches!(growth.doubt, Doubt::Endless))
        })
    }

    /// A page of these families was read, or is remembered, and links `others` of its kin that were known before.
    pub(crate) fn read(&mut self, page: PatternFamilies, remembered: bool, others: impl Iterator<Item = u64> + Clone) {
        for family in page.all() {
            if let Some(growth) = self.watched.get_mut(&family) {
                growth.read += 1;
                growth.remembered += u64::from(remembered);
                growth.met_again(others.clone());
            }
        }
    }

    /// A page of the families that `parent` shares was found once more, before anybody knew of it.
    pub(crate) fn found_again(&mut self, page: PatternFamilies, parent: PatternFamilies, key: u64) {
        for family in page.all().filter(|family| parent.shares(*family)) {
            if let Some(growth) = self.watched.get_mut(&family) {
                growth.met_again(std::iter::once(key));
            }
        }
    }

    /// Goes on with a run that was cut, in which a family of this URL had proven endless: the narrow one, for all that
    /// is known.
    pub(crate) fn recall(&mut self, url: PatternFamilies) {
        if let Some(growth) = url.narrow.and_then(|family| self.watch(family)) {
            growth.doubt = Doubt::Endless;
        }
    }

    fn watch(&mut self, family: Family) -> Option<&mut Growth> {
        let is_full = self.watched.len() >= MAX_FAMILIES && !self.watched.contains_key(&family);
        if is_full && !self.make_room() {
            return None;
        }
        Some(self.watched.entry(family).or_default())
    }

    /// Lets go of families that are at rest. Where few are, it is not tried again.
    fn make_room(&mut self) -> bool {
        if !self.crowded {
            self.watched.retain(|_, growth| growth.urls >= BUSY || !matches!(growth.doubt, Doubt::None));
            self.crowded = self.watched.len() * 2 > MAX_FAMILIES;
        }
        self.watched.len() < MAX_FAMILIES
    }
}

impl Growth {
    /// Takes in a URL that is about to be queued, found on a page of the family itself if `parent` is the number of one.
    fn learn(&mut self, parent: Option<u64>) {
        self.urls += 1;
        self.within += u64::from(parent.is_some());
        if let Some(parent) = parent.filter(|parent| *parent != self.last) {
            self.last = parent;
            self.fruitful += 1;
        }
    }

    fn met_again(&mut self, pages: impl Iterator<Item = u64>) {
        if let Doubt::Suspect(again) = &mut self.doubt {
            again.extend(pages);
        }
    }

    /// Thinks anew of the family. Whether it was a suspect before, and whether it is one now.
    ///
    /// In the end so many pages were read that no site has so many of which nearly each one leads to others of its kind
    /// and to little else, while hardly any is linked by two of them: sites have ends, and ways between their pages. (A
    /// tree so large, without a single way back or across, is cut as well.)
    fn judge(&mut self, measure: Measure) -> (bool, bool) {
        let was = matches!(self.doubt, Doubt::Suspect(_));
        match &self.doubt {
            Doubt::None if self.read >= measure.budget && self.feeds_itself() => {
                self.doubt = Doubt::Suspect(HashSet::new());
            }
            Doubt::Suspect(again) if again.len() as u64 >= measure.budget => self.doubt = Doubt::Sound,
            Doubt::Suspect(again) if self.read >= measure.budget.saturating_mul(PATIENCE) => {
                self.doubt = match again.len() as u64 * 10 < self.urls {
                    true if self.feeds_itself() => Doubt::Endless,
                    true => Doubt::None,
                    false => Doubt::Sound,
                }
            }
            _ => {}
        }
        (was, matches!(self.doubt, Doubt::Suspect(_)))
    }

    fn feeds_itself(&self) -> bool {
        let asked = self.remembered * 10 < self.read;
        let each = self.fruitful * 10 >= self.read * 9;
        let unlisted = self.within * 10 >= self.urls * 9;
        asked && each && unlisted && self.others * 2 < self.urls
    }
}

#[cfg(test)]
#[path = "fresh_tests.rs"]
mod tests;
