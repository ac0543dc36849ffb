//! Names made up anew on every link, of whatever form: words, numbers, letters in any case. Such a name tells nothing;
//! what tells is that page after page leads to ever new ones of its family, and that none is ever linked again.

use crate::proof::{Measure, PATIENCE};
use crate::shape::shape;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// Families watched at once, at most; where all of them are busy, families met later go unwatched.
const MAX_FAMILIES: usize = 5_000;
/// URLs of a family from which on it is busy.
const BUSY: u64 = 10;

/// The family of a URL: those of its shape, or, where nothing of it varies, those in its directory. `None` for the root
/// of a site.
pub(crate) fn family(url: &PageUrl) -> Option<String> {
    shape(url).or_else(|| directory(url).map(|directory| format!("{directory}*")))
}

/// The text of a URL up to its last name.
pub(crate) fn directory(url: &PageUrl) -> Option<&str> {
    let path = url.path().trim_end_matches('/');
    let origin = url.as_str().len() - url.path_and_query().len();
    url.as_str().get(..=origin + path.rfind('/')?)
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
    /// Counts a URL of `family` that the page `parent`, of the family `before`, led to. Whether there is room for it.
    pub(crate) fn admit(&mut self, family: &str, parent: Option<(&PageUrl, Option<&str>)>, measure: Measure) -> bool {
        let before = parent.and_then(|(_, before)| before);
        if before != Some(family)
            && let Some(growth) = before.and_then(|before| self.watched.get_mut(before))
        {
            growth.others += 1;
        }
        let Some(growth) = self.watch(family) else { return true };
        growth.learn(parent.filter(|_| before == Some(family)).map(|(page, _)| page));
        growth.endless = growth.endless || growth.is_endless(measure);
        !growth.endless
    }

    /// A page of this family was read, or is remembered.
    pub(crate) fn read(&mut self, family: &str, remembered: bool) {
        if let Some(growth) = self.watched.get_mut(family) {
            growth.read += 1;
            growth.remembered += u64::from(remembered);
        }
    }

    /// Pages of this family link others of it that were known before.
    pub(crate) fn met_again(&mut self, family: &str, pages: impl Iterator<Item = u64>, measure: Measure) {
        if let Some(growth) = self.watched.get_mut(family) {
            let room = (measure.budget as usize).saturating_sub(growth.again.len());
            growth.again.extend(pages.take(room));
        }
    }

    /// Goes on with a run that was cut, in which this family had proven endless.
    pub(crate) fn recall(&mut self, family: &str) {
        if let Some(growth) = self.watch(family) {
            growth.endless = true;
        }
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
