//! Names made up anew on every link, of whatever form: words, numbers, letters in any case. Such a name tells nothing;
//! what tells is that page after page leads to ever new ones of its family, and that none is ever linked again.

use crate::proof::{Measure, PATIENCE};
use crate::shape::plain_shape;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// Families watched at once, at most; where all of them are busy, families met later go unwatched.
const MAX_FAMILIES: usize = 5_000;
/// URLs of a family from which on it is busy.
const BUSY: u64 = 10;

/// The two families of a URL, either of which may be endless: a narrow one, those of its shape, or, where nothing of it
/// varies, those in its directory; and a wide one, those below its first directory.
#[derive(Debug, Default)]
pub(crate) struct Kindred {
    narrow: Option<String>,
    wide: Option<String>,
    /// Something varies: the narrow one tells more.
    varies: bool,
}

impl Kindred {
    /// The families of a URL; none for the root of a site.
    pub(crate) fn of(url: &PageUrl) -> Self {
        let shape = plain_shape(url);
        let varies = shape.is_some();
        let narrow = shape.or_else(|| directory(url).map(|directory| format!("{directory}*")));
        Self { narrow, wide: section(url).map(|section| format!("{section}…")), varies }
    }

    /// Their names, the more telling one first.
    fn names(&self) -> impl Iterator<Item = &str> {
        let (first, second) = if self.varies { (&self.narrow, &self.wide) } else { (&self.wide, &self.narrow) };
        first.iter().chain(second).map(String::as_str)
    }

    fn shares(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }
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
    watched: HashMap<String, Growth>,
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
    /// The last of those.
    last: Option<PageUrl>,
    /// Pages that are linked again by their like: by their number, or by the key where they had none yet.
    again: HashSet<u64>,
    endless: bool,
}

impl Families {
    /// Counts a URL of these families that the page `parent`, of those families, led to. The family that has no room
    /// for it, if there is one.
    pub(crate) fn admit<'k>(
        &mut self,
        url: &'k Kindred,
        parent: Option<(&PageUrl, &Kindred)>,
        measure: Measure,
    ) -> Option<&'k str> {
        for elsewhere in parent.iter().flat_map(|(_, kindred)| kindred.names()).filter(|name| !url.shares(name)) {
            if let Some(growth) = self.watched.get_mut(elsewhere) {
                growth.others += 1;
            }
        }
        let mut full = None;
        for name in url.names() {
            let within = parent.filter(|(_, kindred)| kindred.shares(name)).map(|(page, _)| page);
            if let Some(growth) = self.watch(name) {
                growth.learn(within);
                growth.endless = growth.endless || growth.is_endless(measure);
                full = full.or_else(|| growth.endless.then_some(name));
            }
        }
        full
    }

    /// A page of these families was read, or is remembered, and links `others` of its kin that were known before.
    pub(crate) fn read(
        &mut self,
        page: &Kindred,
        remembered: bool,
        others: impl Iterator<Item = u64> + Clone,
        measure: Measure,
    ) {
        for name in page.names() {
            if let Some(growth) = self.watched.get_mut(name) {
                growth.read += 1;
                growth.remembered += u64::from(remembered);
                growth.met_again(others.clone(), measure);
            }
        }
    }

    /// A page of the families that `parent` shares was found once more, before anybody knew of it.
    pub(crate) fn found_again(&mut self, page: &Kindred, parent: &Kindred, key: u64, measure: Measure) {
        for name in page.names().filter(|name| parent.shares(name)) {
            if let Some(growth) = self.watched.get_mut(name) {
                growth.met_again(std::iter::once(key), measure);
            }
        }
    }

    /// Goes on with a run that was cut, in which a family of this URL had proven endless: the narrow one, for all that
    /// is known, whose name it gives.
    pub(crate) fn recall(&mut self, url: Kindred) -> Option<String> {
        let name = url.narrow?;
        self.watch(&name)?.endless = true;
        Some(name)
    }

    fn watch(&mut self, family: &str) -> Option<&mut Growth> {
        if !self.watched.contains_key(family) {
            if self.watched.len() >= MAX_FAMILIES && !self.make_room() {
                return None;
            }
            self.watched.insert(family.to_owned(), Growth::default());
        }
        self.watched.get_mut(family)
    }

    /// Lets go of families that are at rest. Where few are, it is not tried again.
    fn make_room(&mut self) -> bool {
        if !self.crowded {
            self.watched.retain(|_, growth| growth.endless || growth.urls >= BUSY);
            self.crowded = self.watched.len() * 2 > MAX_FAMILIES;
        }
        self.watched.len() < MAX_FAMILIES
    }
}

impl Growth {
    /// Takes in a URL that is about to be queued, found on a page of the family itself if `parent` is one.
    fn learn(&mut self, parent: Option<&PageUrl>) {
        self.urls += 1;
        self.within += u64::from(parent.is_some());
        if parent.is_some() && self.last.as_ref() != parent {
            self.last = parent.cloned();
            self.fruitful += 1;
        }
    }

    fn met_again(&mut self, pages: impl Iterator<Item = u64>, measure: Measure) {
        let room = (measure.budget as usize).saturating_sub(self.again.len());
        self.again.extend(pages.take(room));
    }

    /// So many pages were read that no site has so many of which nearly each one leads to others of its kind and to
    /// little else, while hardly any is linked by two of them: sites have ends, and ways between their pages. (A tree so
    /// large, without a single way back or across, is cut as well.)
    fn is_endless(&self, measure: Measure) -> bool {
        let enough = self.read >= measure.budget.saturating_mul(PATIENCE);
        enough && self.feeds_itself() && !self.is_linked_again(measure)
    }

    fn feeds_itself(&self) -> bool {
        let asked = self.remembered * 10 < self.read;
        let each = self.fruitful * 10 >= self.read * 9;
        let unlisted = self.within * 10 >= self.urls * 9;
        asked && each && unlisted && self.others * 2 < self.urls
    }

    fn is_linked_again(&self, measure: Measure) -> bool {
        let again = self.again.len() as u64;
        again >= measure.budget || again * 10 >= self.urls
    }
}

#[cfg(test)]
#[path = "fresh_tests.rs"]
mod tests;
