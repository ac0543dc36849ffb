//! Barren pages: pages without content of their own, and the URLs that only such pages lead to.
//!
//! A crawl trap generates endless pages and has no content for them: the same lists, the same sentence, an empty day. A
//! page is *barren* where each block of its text, numbers left out, and each of its images was seen before on some page
//! of the crawl. One such page proves nothing, and does not count where a page with content links to it. URLs found
//! only behind several barren pages in a row share one budget for the entire crawl, whatever their URLs and however
//! many prefixes the trap grows. Where such a page turns out to have content, the budget grows.
//!
//! A *barren family* is a pattern family whose latest pages were all barren, enough of them: the days of a timeline,
//! each file of each revision, sorts of a filtered table. Plain names in a directory are never one: the same manual for
//! two machines, for example. Of the URLs that barren pages lead to in such a family, only a sample is requested, and
//! more for each page with content that its pages lead to. URLs that the last run requested are requested again, and
//! URLs that it left out are left out, so that the same site has the same pages in each run.

use crate::content::{DistinctContent, MANY_NUMBERS, Novelty};
use crate::family_yield::Yield;
use crate::fresh::{Family, PatternFamilies};
use crate::further::is_further;
use mapwright_model::{Discovery, Unfetched, Via};
use mapwright_web::PageUrl;
use mapwright_web::page::block::BlockRole;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use xxhash_rust::xxh3::xxh3_64;

/// Barren pages in a row from which on the URLs behind them count against the budget.
const DEEP: u16 = 2;
/// Highest number of pages in a row with the same content, each found on the one before: a list that has run empty, or
/// that repeats its last page.
const MAX_EQUAL: u16 = 30;
/// Fraction (one in four) of a page's blocks, compared with their numbers, that are new on a page of data.
const NEW_DATA: usize = 4;
/// Fraction of the budget (one in 50) that is the sample of a barren family.
const SAMPLE: u64 = 50;
/// URLs by which a budget grows with each page behind barren ones that has content after all.
const WORTH: u64 = 30;
/// Fraction of the budget (one in ten) that must have been read before anything is refused: until then, the pages
/// behind barren ones may be a real part of the site.
const TRIED: u64 = 10;
/// Highest number of unread URLs, found on barren pages, that are remembered.
const MAX_WAITING: usize = 100_000;
/// Highest number of families watched.
const MAX_FAMILIES: usize = 20_000;
/// Highest number of blocks of barren pages that are remembered with their numbers.
const MAX_DATA: usize = 200_000;

/// The detector of barren pages.
#[derive(Debug, Default)]
pub(crate) struct Barren {
    novelty: Novelty,
    /// Blocks of barren pages, with their numbers.
    data: HashSet<u64>,
    /// The page that was read last: the next discoveries are found on it.
    page: Option<(u64, DiscoveryPath)>,
    /// The paths to URLs that were found on barren pages and not read yet.
    waiting: HashMap<u64, DiscoveryPath>,
    families: HashMap<u64, Yield>,
    /// URLs admitted behind barren pages.
    spent: u64,
    /// Pages among them that were read.
    tried: u64,
    /// Pages among them that have content.
    worthy: u64,
}

/// The path on which a URL was found.
#[derive(Debug, Clone, Copy, Default)]
struct DiscoveryPath {
    /// Barren pages in a row that lead to the URL.
    barren: u16,
    /// Pages before the last of them with the same content.
    equal: u16,
    /// Hash of the content of the last of them.
    content: u64,
    /// The URL counted against the budget.
    counted: bool,
    /// The content of the page that linked to the URL is unknown, since the page was not requested in this run.
    unknown: bool,
    /// The family of the last of the barren pages.
    from: Option<Family>,
    /// The URL is requested even if its family turns out to be barren.
    settled: bool,
}

/// The state of a URL in the last run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastRunState {
    /// The URL was not known.
    New,
    /// The URL was known, and was not left out of a sample.
    Known,
    /// The URL was not requested, since a sample of its family was enough.
    Sampled,
}

impl Barren {
    /// Learns from a page of these families; `content` is `None` where its content is unknown.
    pub(crate) fn read(&mut self, page: &PageUrl, families: PatternFamilies, content: Option<DistinctContent<'_>>) {
        let key = hash(page);
        let before = self.waiting.remove(&key).unwrap_or_default();
        let Some(content) = content else {
            self.page = Some((key, DiscoveryPath { unknown: true, ..DiscoveryPath::default() }));
            return;
        };
        let is_barren = !self.novelty.takes(content.blocks) && !content.has_new_media;
        self.tried += u64::from(before.counted);
        self.worthy += u64::from(before.counted && !is_barren);
        let says_nothing = is_barren && content.has_words() && !self.has_new_data(content);
        let family = families.narrow();
        self.page = Some((key, if is_barren { before.after(content, family) } else { DiscoveryPath::default() }));
        if let Some(led) = before.from.and_then(|family| self.families.get_mut(&family)) {
            led.tried += u64::from(family != before.from);
            led.worthy += u64::from(!is_barren);
        }
        let has_room = |family: &Family| self.families.len() < MAX_FAMILIES || self.families.contains_key(family);
        if let Some(family) = family.filter(has_room) {
            let learnt = self.families.entry(family).or_default();
            learnt.read += 1;
            learnt.barren += u64::from(is_barren);
            learnt.data += u64::from(content.is_data);
            learnt.streak = if says_nothing { learnt.streak + 1 } else { 0 };
        }
    }

    /// Reports whether a page with known text has new numbers: a page of data.
    fn has_new_data(&mut self, page: DistinctContent<'_>) -> bool {
        if page.numbers < MANY_NUMBERS || self.data.len() >= MAX_DATA {
            return false;
        }
        let texts = || page.all_blocks.iter().filter(|block| block.role == BlockRole::Text);
        let new = texts().filter(|block| self.data.insert(block.hash)).count();
        new > 0 && new * NEW_DATA >= texts().count()
    }

    /// Counts a URL that is about to be queued, found on `parent`; returns the reason where there is no room for it.
    pub(crate) fn refuses(
        &mut self,
        found: &Discovery,
        parent: Option<&PageUrl>,
        before: LastRunState,
        budget: u64,
    ) -> Option<Unfetched> {
        let parent = parent.filter(|_| !matches!(found.via, Via::Sitemap | Via::Feed))?;
        let from = hash(parent);
        let way = match self.page {
            Some((page, way)) if page == from => way,
            // A redirect is no page: its target inherits its path.
            _ => self.waiting.remove(&from).unwrap_or_default(),
        };
        if way.barren == 0 && !(way.unknown && before == LastRunState::Sampled) {
            return None;
        }
        // Further pages of a list may show new entries one day.
        let is_further = is_further(&found.url, parent);
        if before == LastRunState::Sampled && !is_further {
            return Some(Unfetched::Sampled);
        }
        if way.barren == 0 {
            // When the URL has its turn, more is known of its family.
            let is_spare = before == LastRunState::Sampled && self.is_of_data(&found.url);
            return is_spare.then_some(Unfetched::Sampled);
        }
        let is_same_kind = found.route.generation > 0;
        if is_same_kind && way.equal >= MAX_EQUAL {
            return Some(Unfetched::Endless);
        }
        let varies_itself = found.url.path() == parent.path();
        let counted = way.barren >= DEEP || varies_itself;
        let is_proven = || (way.barren >= DEEP && self.tried * TRIED >= budget) || self.is_known_barren(found, parent);
        if counted && self.is_spent(budget) && is_proven() {
            return Some(Unfetched::Endless);
        }
        let is_free = before == LastRunState::Known || found.via == Via::ParameterTest || is_further;
        let is_sample = !is_free && self.is_in_barren_family(&found.url);
        if is_sample && !self.takes_sample(&found.url, budget) {
            return Some(Unfetched::Sampled);
        }
        self.note_fruit(found, parent, from);
        self.spent += u64::from(counted);
        if self.waiting.len() < MAX_WAITING {
            self.waiting.insert(hash(&found.url), DiscoveryPath { counted, settled: is_free || is_sample, ..way });
            if let Some(led) = way.from.and_then(|family| self.families.get_mut(&family)) {
                led.led_to += u64::from(PatternFamilies::of(&found.url).narrow() != way.from);
            }
        }
        None
    }

    /// Reports whether a URL belongs to a family of nothing but data files: each page as JSON or CSV, for example.
    fn is_of_data(&self, url: &PageUrl) -> bool {
        let family = if url.query().is_some() { PatternFamilies::of(url).shape() } else { None };
        family.and_then(|family| self.families.get(&family)).is_some_and(Yield::is_data)
    }

    /// Reports whether a queued URL is still to be requested now that it has its turn, where a page of its own family
    /// led to it or it is data: the family may have turned out to be barren since.
    pub(crate) fn still_admits(&mut self, url: &PageUrl, budget: u64) -> bool {
        if self.is_of_data(url) {
            return self.takes_sample(url, budget);
        }
        let way = if self.waiting.is_empty() { None } else { self.waiting.get(&hash(url)) };
        let is_open = way.is_some_and(|way| !way.settled && way.from == PatternFamilies::of(url).shape());
        let stays = !is_open || !self.is_in_barren_family(url) || self.takes_sample(url, budget);
        if !stays {
            self.waiting.remove(&hash(url));
        }
        stays
    }

    fn is_in_barren_family(&self, url: &PageUrl) -> bool {
        let family = PatternFamilies::of(url).shape().and_then(|family| self.families.get(&family));
        family.is_some_and(Yield::is_barren_now)
    }

    /// Counts a URL of a barren family that a barren page leads to. Returns whether there is room for it.
    fn takes_sample(&mut self, url: &PageUrl, budget: u64) -> bool {
        let Some(family) = PatternFamilies::of(url).shape().and_then(|family| self.families.get_mut(&family)) else {
            return true;
        };
        family.spent += 1;
        family.spent <= (budget / SAMPLE).max(1) + family.worthy.saturating_mul(WORTH)
    }

    /// Reports whether the budget is spent.
    fn is_spent(&self, budget: u64) -> bool {
        self.spent >= budget.saturating_add(self.worthy.saturating_mul(WORTH))
    }

    /// Reports whether most pages of a family have content of their own, once enough were read.
    pub(crate) fn has_content(&self, family: PatternFamilies) -> bool {
        let learnt = family.narrow().and_then(|family| self.families.get(&family));
        learnt.is_some_and(Yield::has_content)
    }

    /// Resumes an interrupted run in which the budget was spent.
    pub(crate) fn recall(&mut self, budget: u64) {
        (self.spent, self.tried) = (self.spent.max(budget), self.tried.max(budget));
    }

    /// Reports whether the URL and the page that links to it share a family of barren pages that lead to further ones.
    fn is_known_barren(&self, found: &Discovery, parent: &PageUrl) -> bool {
        let family = PatternFamilies::of(&found.url)
            .narrow()
            .filter(|family| PatternFamilies::of(parent).narrow() == Some(*family));
        family.and_then(|family| self.families.get(&family)).is_some_and(Yield::is_barren)
    }

    fn note_fruit(&mut self, found: &Discovery, parent: &PageUrl, from: u64) {
        let shared = PatternFamilies::of(parent)
            .narrow()
            .filter(|family| PatternFamilies::of(&found.url).narrow() == Some(*family));
        if let Some(learnt) = shared.and_then(|family| self.families.get_mut(&family))
            && learnt.last != from
        {
            learnt.last = from;
            learnt.fruitful += 1;
        }
    }
}

impl DiscoveryPath {
    /// Returns the path to URLs on a barren page, to which this path led.
    fn after(self, page: DistinctContent<'_>, family: Option<Family>) -> DiscoveryPath {
        let content = BuildHasherDefault::<DefaultHasher>::default().hash_one(page.blocks);
        let has_few_numbers = page.numbers < MANY_NUMBERS && page.has_words();
        let is_equal = self.barren > 0 && self.content == content && has_few_numbers;
        let equal = if is_equal { self.equal.saturating_add(1) } else { 0 };
        DiscoveryPath {
            barren: self.barren.saturating_add(1),
            equal,
            content,
            from: family,
            ..DiscoveryPath::default()
        }
    }
}

fn hash(url: &PageUrl) -> u64 {
    xxh3_64(url.as_str().as_bytes())
}

#[cfg(test)]
#[path = "barren_tests.rs"]
mod tests;
