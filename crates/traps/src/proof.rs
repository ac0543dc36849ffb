//! The evidence on the URLs of one shape, and the rules by which it proves a pattern endless. Each kind of proof is one
//! function; that a URL grows is seen in itself ([`crate::growing`]).

use crate::calendar::Dates;
use crate::proof_limits::{ProofLimits, UNCERTAIN_FACTOR};
use crate::{choices, dated, identifier, random_value};
use mapwright_model::Discovery;
use mapwright_web::PageUrl;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Highest number of distinct choices that are remembered for one shape: more are no combination of few filters.
const MAX_CHOICES: usize = 64;
/// Length of a chain, each page found on the one before, from which on it counts as endless rather than a site's own.
const CHAIN: u16 = 100;

/// The evidence on the URLs of one shape.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) urls: u64,
    longest_chain: u16,
    /// URLs found by pages of the same shape.
    within: u64,
    /// New URLs of other shapes that its pages led to.
    others: u64,
    /// Hashes of the choices that its URLs combine.
    choices: HashSet<u64>,
    names: HashSet<u64>,
    widest: usize,
    /// URLs with a random value that differs from their parent's.
    drawn: u64,
    /// URLs whose identifier differs from that of the page, of the same shape, that linked to them.
    renewed: u64,
    /// Known pages of the shape that pages of the shape link to again: by ID, or by key where they had no ID yet.
    again: HashSet<u64>,
    dates: Dates,
    /// URLs whose names say that they are a calendar's.
    calendars: u64,
    /// Most pages of the shape have content that no other page has.
    pub(crate) has_content: bool,
}

impl Evidence {
    /// Counts a new URL of another shape that one of its pages leads to.
    pub(crate) fn credit(&mut self) {
        self.others += 1;
    }

    /// Counts known pages of the shape that one of its pages links to again.
    pub(crate) fn met_again(&mut self, pages: impl Iterator<Item = u64>, measure: ProofLimits) {
        let room = (measure.budget as usize).saturating_sub(self.again.len());
        self.again.extend(pages.take(room));
    }

    /// Counts a URL that would have the shape if its numbers were a date.
    pub(crate) fn doubt(&mut self) {
        self.dates.doubt();
    }

    /// Takes in a URL of the shape, found on the page `parent`.
    pub(crate) fn learn(&mut self, found: &Discovery, parent: Option<&PageUrl>, measure: ProofLimits) {
        let within = found.route.generation > 0;
        self.longest_chain = self.longest_chain.max(found.route.generation);
        self.within += u64::from(within);
        if let Some(new) = identifier::identifier(&found.url) {
            let before = parent.and_then(identifier::identifier);
            self.renewed += u64::from(within && before.is_none_or(|before| before.value != new.value));
        } else {
            self.drawn += u64::from(random_value::has_new_random_value(&found.url, parent));
        }
        self.calendars += u64::from(dated::is_named_calendar(&found.url));
        self.dates.learn(&found.url, parent.filter(|_| within), measure);
        self.choose(&found.url);
    }

    fn choose(&mut self, url: &PageUrl) {
        let hash = BuildHasherDefault::<DefaultHasher>::default();
        let mut width = 0;
        choices::choices(url, |name, value| {
            width += 1;
            if self.choices.len() <= MAX_CHOICES {
                self.choices.insert(hash.hash_one((name, value)));
                self.names.insert(hash.hash_one(name));
            }
        });
        self.widest = self.widest.max(width);
    }

    /// Reports whether the evidence proves the pattern endless.
    pub(crate) fn is_endless(&self, measure: ProofLimits) -> bool {
        self.urls >= measure.budget
            && (self.is_calendar(measure) || self.is_chain(measure) || self.is_facets() || self.is_session(measure))
    }

    /// Calendar: dates continue from page to page, beyond the years in which a site has pages.
    fn is_calendar(&self, measure: ProofLimits) -> bool {
        let most = self.dates.count() * 10 >= self.urls * 9 && self.is_from_within();
        let beyond = self.dates.are_ahead(measure) || self.dates.are_wide() && self.leads_nowhere_else();
        most && beyond && self.dates.are_months(measure)
    }

    /// Chain: each page leads to the next of its shape, and to little else. A calendar whose pages have no content is
    /// proven at once; plain numbers and diaries only after ten budgets, and where no list but the chain itself leads
    /// to them.
    fn is_chain(&self, measure: ProofLimits) -> bool {
        let plain = self.calendars * 2 < self.urls || self.dates.count() > 0 || self.has_content;
        let unlisted = || self.within * 10 >= self.urls * 9;
        let enough = !plain || self.is_beyond_patience(measure) && unlisted();
        enough && self.longest_chain >= CHAIN && self.leads_nowhere_else()
    }

    /// Facets: the pages of the pattern combine few filters in ever new ways.
    fn is_facets(&self) -> bool {
        let combined = self.names.len() >= 3 || self.widest >= 3;
        self.choices.len() <= MAX_CHOICES && combined && self.is_from_within()
    }

    /// Session: each link has a new identifier, which no page links to again. It is proven at once where the
    /// parameter's name says that it is an identifier.
    fn is_session(&self, measure: ProofLimits) -> bool {
        let drawn = self.drawn * 10 >= self.urls * 9 && self.longest_chain >= 3 && self.leads_nowhere_else();
        (drawn && self.is_beyond_patience(measure) || self.renewed * 2 >= self.urls) && !self.is_linked_again(measure)
    }

    /// Reports whether a tenth of the URLs, or as many as the budget, are linked again: random identifiers never
    /// repeat.
    fn is_linked_again(&self, measure: ProofLimits) -> bool {
        let again = self.again.len() as u64;
        again >= measure.budget || again * 10 >= self.urls
    }

    fn is_beyond_patience(&self, measure: ProofLimits) -> bool {
        self.urls >= measure.budget.saturating_mul(UNCERTAIN_FACTOR)
    }

    fn is_from_within(&self) -> bool {
        self.within * 2 >= self.urls
    }

    fn leads_nowhere_else(&self) -> bool {
        self.others * 2 < self.urls
    }
}
