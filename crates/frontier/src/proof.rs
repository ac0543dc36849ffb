//! What is known of the URLs of one shape, and when that proves the pattern endless. Each kind of proof is one function.

use crate::calendar::Dates;
use crate::discovery::Discovery;
use crate::{dated, drawn, facets, identifier};
use mapwright_web::PageUrl;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// What the proofs are measured by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measure {
    /// URLs that a pattern may have before anything is held against it.
    pub(crate) budget: u64,
    /// The year of the crawl.
    pub(crate) this_year: u16,
}

/// Distinct choices remembered for one shape, at most: more is no combination of few filters.
const MAX_CHOICES: usize = 64;
/// A chain so long, each page found on the one before, is an endless one's rather than a site's.
const CHAIN: u16 = 100;
/// What may well be pages of a site (a chain of strips, chapters, pages of a thread; products that are named by lot) has
/// the budget so many times.
pub(crate) const PATIENCE: u64 = 10;

/// What is known of the URLs of one shape.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) urls: u64,
    longest_chain: u16,
    /// Found by pages of the same shape.
    within: u64,
    /// Fresh URLs of other shapes that its pages led to.
    others: u64,
    /// Hashes of the choices that its URLs combine.
    choices: HashSet<u64>,
    names: HashSet<u64>,
    widest: usize,
    /// URLs with a value that looks drawn by lot, and anew.
    drawn: u64,
    /// URLs with another identifier than that of the page, of the same shape, that led to them.
    renewed: u64,
    /// Pages of the shape that pages of the shape link although they were known: by their number, or by the key where
    /// they had none yet.
    again: HashSet<u64>,
    dates: Dates,
    /// URLs that call themselves a calendar's.
    calendars: u64,
    /// Most of its pages have content that no other page has.
    pub(crate) has_content: bool,
}

impl Evidence {
    /// One of its pages leads to a fresh URL of another shape: it is worth its place.
    pub(crate) fn credit(&mut self) {
        self.others += 1;
    }

    /// One of its pages links others of them that were known before.
    pub(crate) fn met_again(&mut self, pages: impl Iterator<Item = u64>, measure: Measure) {
        let room = (measure.budget as usize).saturating_sub(self.again.len());
        self.again.extend(pages.take(room));
    }

    /// A URL would be of the shape, were its numbers a date.
    pub(crate) fn doubt(&mut self) {
        self.dates.doubt();
    }

    /// Takes in a URL of the shape, found on the page `parent`.
    pub(crate) fn learn(&mut self, found: &Discovery, parent: Option<&PageUrl>, measure: Measure) {
        let within = found.generation > 0;
        self.longest_chain = self.longest_chain.max(found.generation);
        self.within += u64::from(within);
        if let Some(new) = identifier::identifier(&found.url) {
            let before = parent.and_then(identifier::identifier);
            self.renewed += u64::from(within && before.is_none_or(|before| before.value != new.value));
        } else {
            self.drawn += u64::from(drawn::draws_anew(&found.url, parent));
        }
        self.calendars += u64::from(dated::is_named_calendar(&found.url));
        self.dates.learn(&found.url, parent.filter(|_| within), measure);
        self.choose(&found.url);
    }

    fn choose(&mut self, url: &PageUrl) {
        let hash = BuildHasherDefault::<DefaultHasher>::default();
        let mut width = 0;
        facets::choices(url, |name, value| {
            width += 1;
            if self.choices.len() <= MAX_CHOICES {
                self.choices.insert(hash.hash_one((name, value)));
                self.names.insert(hash.hash_one(name));
            }
        });
        self.widest = self.widest.max(width);
    }

    /// Whether what is known proves the pattern endless.
    pub(crate) fn is_endless(&self, measure: Measure) -> bool {
        self.urls >= measure.budget
            && (self.is_calendar(measure) || self.is_chain(measure) || self.is_facets() || self.is_session(measure))
    }

    /// Dates that go on from page to page, to where no site has pages.
    fn is_calendar(&self, measure: Measure) -> bool {
        let most = self.dates.count() * 10 >= self.urls * 9 && self.is_from_within();
        let beyond = self.dates.are_ahead(measure) || self.dates.are_wide() && self.leads_nowhere_else();
        most && beyond && self.dates.are_months(measure)
    }

    /// Each page leads to the next of its kind, and to little else: at once too many for a calendar whose pages say
    /// nothing, and in the end for plain numbers and diaries too, where no list but the chain itself leads to them.
    fn is_chain(&self, measure: Measure) -> bool {
        let plain = self.calendars * 2 < self.urls || self.dates.count() > 0 || self.has_content;
        let unlisted = || self.within * 10 >= self.urls * 9;
        let enough = !plain || self.is_beyond_patience(measure) && unlisted();
        enough && self.longest_chain >= CHAIN && self.leads_nowhere_else()
    }

    /// Ever new combinations of few filters, made by the pages of the pattern themselves.
    fn is_facets(&self) -> bool {
        let combined = self.names.len() >= 3 || self.widest >= 3;
        self.choices.len() <= MAX_CHOICES && combined && self.is_from_within()
    }

    /// A new identifier on every link, which no page ever links again; at once where its name says that it is one.
    fn is_session(&self, measure: Measure) -> bool {
        let drawn = self.drawn * 10 >= self.urls * 9 && self.longest_chain >= 3 && self.leads_nowhere_else();
        (drawn && self.is_beyond_patience(measure) || self.renewed * 2 >= self.urls) && !self.is_linked_again(measure)
    }

    /// A tenth of the URLs, or as many as the budget, are linked again: nobody draws the same lot twice.
    fn is_linked_again(&self, measure: Measure) -> bool {
        let again = self.again.len() as u64;
        again >= measure.budget || again * 10 >= self.urls
    }

    fn is_beyond_patience(&self, measure: Measure) -> bool {
        self.urls >= measure.budget.saturating_mul(PATIENCE)
    }

    fn is_from_within(&self) -> bool {
        self.within * 2 >= self.urls
    }

    fn leads_nowhere_else(&self) -> bool {
        self.others * 2 < self.urls
    }
}
