//! Pages that say nothing of their own, and what only such pages lead to.
//!
//! A trap makes pages without end and has nothing to put on them: the same lists, the same sentence, an empty day. A page
//! is *barren* where each block of its text, numbers left out, was met before on some page of the crawl, and each of its
//! images too. One such page proves nothing, and where a page with content links it is of no account. What is found only
//! at the end of several barren pages in a row has one budget for the whole crawl, whatever its URL and however many
//! prefixes the trap grows. Where such a page turns out to have content, the budget grows.

use crate::discovery::{Discovery, Via};
use crate::fresh::Kindred;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// What a page says, as far as it may tell it from others.
#[derive(Debug, Clone, Copy)]
pub struct Content<'c> {
    /// Hashes of its blocks of text, numbers left out.
    pub blocks: &'c [u64],
    /// Words with digits in its text.
    pub numbers: u32,
    /// It shows an image, a video or a frame that no page showed before.
    pub has_new_media: bool,
}

/// Barren pages in a row from which on what they lead to counts against the budget.
const DEEP: u16 = 2;
/// Pages in a row with the same content, each found on the one before, after which no further one is requested: a list
/// that has run empty, or that repeats its last page.
const MAX_EQUAL: u16 = 30;
/// Numbers from which on a page may be one of data, whose content they are.
const MANY_NUMBERS: u32 = 8;
/// Pages of a family that were read, from which on nearly all of them being barren says something of it.
const MANY_READ: u64 = 30;
/// URLs by which the budget grows with each page at the end of barren ones that has content after all.
const WORTH: u64 = 30;
/// One part in so many of the budget must have been read before anything is refused: until then, what stands behind
/// barren pages may be a site's second floor.
const TRIED: u64 = 10;
/// URLs found on barren pages that are remembered until they are read.
const MAX_WAITING: usize = 100_000;
/// Families watched at once.
const MAX_FAMILIES: usize = 20_000;

/// The watch over barren pages.
#[derive(Debug, Default)]
pub(crate) struct Barren {
    novelty: Novelty,
    /// The page that was read last: what is found next is found on it.
    page: Option<(u64, Way)>,
    /// The ways to URLs that were found on barren pages and not read yet.
    waiting: HashMap<u64, Way>,
    families: HashMap<u64, Yield>,
    /// URLs admitted at the end of barren pages.
    spent: u64,
    /// Of those, pages that were read.
    tried: u64,
    /// Of those, pages that have content.
    worthy: u64,
}

/// How a URL came to be known.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// Barren pages in a row that lead there.
    barren: u16,
    /// Pages before the last of them with the same content.
    equal: u16,
    /// What the last of them says.
    content: u64,
    /// It counted against the budget.
    counted: bool,
}

/// What the pages of one family say.
#[derive(Debug, Default)]
struct Yield {
    read: u64,
    barren: u64,
    /// Barren pages that led to further URLs of the family.
    fruitful: u64,
    /// The last of those.
    last: u64,
}

impl Barren {
    /// A page was read; nothing is known of its content where it is `None`.
    pub(crate) fn read(&mut self, page: &PageUrl, content: Option<Content<'_>>) {
        let key = hash(page);
        let before = self.waiting.remove(&key).unwrap_or_default();
        let Some(content) = content else {
            self.page = Some((key, Way::default()));
            return;
        };
        let is_barren = !self.novelty.takes(content.blocks) && !content.has_new_media;
        self.tried += u64::from(before.counted);
        self.worthy += u64::from(before.counted && !is_barren);
        self.page = Some((key, if is_barren { before.after(content) } else { Way::default() }));
        let family = Kindred::of(page)
            .narrow()
            .filter(|family| self.families.len() < MAX_FAMILIES || self.families.contains_key(family));
        if let Some(family) = family {
            let learnt = self.families.entry(family).or_default();
            learnt.read += 1;
            learnt.barren += u64::from(is_barren);
        }
    }

    /// Counts a URL that is about to be queued, found on `parent`. Whether there is room for it.
    pub(crate) fn admit(&mut self, found: &Discovery, parent: Option<&PageUrl>, budget: u64) -> bool {
        let Some(parent) = parent.filter(|_| !matches!(found.via, Via::Sitemap | Via::Feed)) else { return true };
        let from = hash(parent);
        let way = match self.page {
            Some((page, way)) if page == from => way,
            // A redirect is no page: what it leads to came to be known as it did.
            _ => self.waiting.remove(&from).unwrap_or_default(),
        };
        if way.barren == 0 {
            return true;
        }
        let is_same_kind = found.generation > 0;
        if is_same_kind && way.equal >= MAX_EQUAL {
            return false;
        }
        let varies_itself = found.url.path() == parent.path();
        let counted = way.barren >= DEEP || varies_itself;
        let is_proven = || (way.barren >= DEEP && self.tried * TRIED >= budget) || self.is_known_barren(found, parent);
        if counted && self.is_spent(budget) && is_proven() {
            return false;
        }
        self.note_fruit(found, parent, from);
        self.spent += u64::from(counted);
        if self.waiting.len() < MAX_WAITING {
            self.waiting.insert(hash(&found.url), Way { counted, ..way });
        }
        true
    }

    /// Whether the budget is spent.
    fn is_spent(&self, budget: u64) -> bool {
        self.spent >= budget.saturating_add(self.worthy.saturating_mul(WORTH))
    }

    /// Whether most pages of a family have content of their own, of enough that were read.
    pub(crate) fn has_content(&self, family: Kindred) -> bool {
        let learnt = family.narrow().and_then(|family| self.families.get(&family));
        learnt.is_some_and(|learnt| learnt.read >= MANY_READ && learnt.barren * 2 < learnt.read)
    }

    /// Goes on with a run that was cut in which the budget was spent.
    pub(crate) fn recall(&mut self, budget: u64) {
        (self.spent, self.tried) = (self.spent.max(budget), self.tried.max(budget));
    }

    /// Whether the family that a URL shares with the page it was found on is one of barren pages that lead on to
    /// further ones.
    fn is_known_barren(&self, found: &Discovery, parent: &PageUrl) -> bool {
        let family = Kindred::of(&found.url).narrow().filter(|family| Kindred::of(parent).narrow() == Some(*family));
        family.and_then(|family| self.families.get(&family)).is_some_and(Yield::is_barren)
    }

    fn note_fruit(&mut self, found: &Discovery, parent: &PageUrl, from: u64) {
        let shared = Kindred::of(parent).narrow().filter(|family| Kindred::of(&found.url).narrow() == Some(*family));
        if let Some(learnt) = shared.and_then(|family| self.families.get_mut(&family))
            && learnt.last != from
        {
            learnt.last = from;
            learnt.fruitful += 1;
        }
    }
}

impl Yield {
    fn is_barren(&self) -> bool {
        self.read >= MANY_READ && self.barren * 20 >= self.read * 19 && self.fruitful * 2 >= self.read
    }
}

impl Way {
    /// The way to what a barren page leads to, to which this one led.
    fn after(self, page: Content<'_>) -> Way {
        let content = BuildHasherDefault::<DefaultHasher>::default().hash_one(page.blocks);
        // A page of nothing but numbers says nothing that could be equal.
        let distinct = || page.blocks.iter().collect::<HashSet<_>>().len();
        let says_something = page.numbers < MANY_NUMBERS && (page.numbers as usize) < distinct();
        let is_equal = self.barren > 0 && self.content == content && says_something;
        let equal = if is_equal { self.equal.saturating_add(1) } else { 0 };
        Way { barren: self.barren.saturating_add(1), equal, content, counted: false }
    }
}

fn hash(url: &PageUrl) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(url.as_str())
}

/// Blocks of text that were met lately, as marks of their hashes: 4 MiB. One that comes after another of the same place
/// takes it over, so that of very many blocks those are forgotten that are on few pages: pages then count as having
/// content that have none, never the other way round.
#[derive(Debug, Default)]
struct Novelty {
    marks: Vec<u32>,
}

impl Novelty {
    /// Bits of a hash that tell its place.
    const PLACE: u32 = 20;

    /// Takes in blocks. Whether any of them is new.
    fn takes(&mut self, blocks: &[u64]) -> bool {
        if self.marks.is_empty() {
            self.marks = vec![0; 1 << Self::PLACE];
        }
        let mut any = false;
        for block in blocks {
            let mark = (*block as u32) | 1;
            let place = usize::try_from(block >> (u64::BITS - Self::PLACE)).unwrap_or_default();
            if let Some(known) = self.marks.get_mut(place) {
                any |= *known != mark;
                *known = mark;
            }
        }
        any
    }
}

#[cfg(test)]
#[path = "barren_tests.rs"]
mod tests;
