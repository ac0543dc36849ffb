//! Whether a URL that was found may be fetched.

use crate::checks::Checking;
use crate::options::EngineOptions;
use crate::start::Resumed;
use crate::variants::Variants;
use crate::visited::Visit;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use mapwright_frontier::{
    Before, Content, Discovery, Finished, Patterns, Purpose, Seen, Standing, Task, Unfetched, UrlId, Via,
};
use mapwright_web::{Origin, PageUrl, Scope, UrlKey};
use std::collections::HashSet;

/// Decides on discoveries, one by one, in the engine's loop: single-threaded, and in the order of commits.
#[derive(Debug)]
pub struct Admission {
    scope: Scope,
    max_depth: Option<u32>,
    max_redirects: u8,
    max_sitemap_files: u64,
    max_sitemap_depth: u8,
    patterns: Patterns,
    /// What the last run left out of barren families.
    sampled: HashSet<UrlKey>,
    /// Sitemaps and feeds that were admitted.
    files: HashSet<UrlKey>,
    /// Of these, sitemaps: feeds never take their places. All, where the run was gone on with.
    sitemaps: u64,
    files_over: u64,
    feeds_over: bool,
    /// Origins that have pages in this crawl, and whose sitemaps are therefore worth reading.
    origins: HashSet<Origin>,
    checking: Checking,
    variants: Variants,
}

/// What was refused by limits, for the summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refused {
    /// Patterns proven endless, with the count of URLs refused for each.
    pub endless: Vec<(String, u64)>,
    /// Sitemap files beyond the limits of number and nesting: counted, not remembered.
    pub sitemap_files: u64,
    /// Feeds beyond the limit of number: not counted, for each may be named by many pages.
    pub feeds: bool,
}

impl Admission {
    /// Admission by `options` into `scope`.
    #[must_use]
    pub fn new(scope: Scope, options: &EngineOptions) -> Self {
        Self {
            scope,
            max_depth: options.max_depth,
            max_redirects: options.max_redirects,
            max_sitemap_files: options.max_sitemap_files,
            max_sitemap_depth: options.max_sitemap_depth,
            patterns: Patterns::new(options.pattern_budget, this_year()),
            sampled: options.sampled.clone(),
            files: HashSet::new(),
            sitemaps: 0,
            files_over: 0,
            feeds_over: false,
            origins: HashSet::new(),
            checking: Checking::new(options),
            variants: Variants::new(options),
        }
    }

    /// Goes on where a run that was cut left off.
    pub fn go_on(&mut self, resumed: Resumed) {
        self.scope.set_roots(resumed.roots);
        self.files.extend(resumed.files);
        self.sitemaps = self.files.len() as u64;
        self.origins.extend(resumed.origins);
        resumed.endless.iter().for_each(|url| self.patterns.recall_refused(url));
    }

    /// The scope as it stands now.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// What was refused so far.
    #[must_use]
    pub fn refused(&self) -> Refused {
        Refused { endless: self.patterns.refused(), sitemap_files: self.files_over, feeds: self.feeds_over }
    }

    /// A start URL redirects. Whether the crawl goes along: within the scope it does, whatever the patterns say, as they
    /// do not count for start URLs; within the registrable domain the scope moves there.
    pub fn follow_start(&mut self, from: &PageUrl, to: &PageUrl) -> Along {
        if self.scope.admits(to) != mapwright_web::Admission::OutOfScope {
            return Along::Inside;
        }
        if from.registrable_domain() == to.registrable_domain() {
            return Along::Moved(self.scope.move_root(from, to));
        }
        Along::Left
    }

    /// Questions whether these images and the like answer, of those of which no more is known.
    pub(crate) fn checks_of(&self, resources: Vec<PageUrl>, seen: &Seen) -> Vec<Discovery> {
        let checks = resources.into_iter().map(|url| self.checking.resource(url));
        let is_open = |check: &Discovery| {
            let known = seen.get(check.key);
            known.is_none_or(|known| known.standing != Standing::Decided) && !self.files.contains(&check.key)
        };
        checks.filter(is_open).collect()
    }

    /// Whether a discovery would be queued, were it decided on now.
    #[must_use]
    pub fn would_queue(&self, found: &Discovery, seen: &Seen) -> bool {
        let decided = seen.get(found.key).is_some_and(|known| known.standing == Standing::Decided);
        !decided && self.refusal(found).is_none()
    }

    /// A commit begins with all that was decided; what the one before held is known by now.
    pub fn turn(&mut self) {
        self.patterns.turn();
    }

    /// A page was read, and links `others` of its own pattern that were known before; of one that is `remembered` alone,
    /// they may not all be known.
    pub fn read(&mut self, page: &PageUrl, others: &[UrlId], remembered: bool) {
        self.patterns.read(page, others, remembered);
    }

    /// What was learnt of the parameters of URLs, and is to be learnt.
    pub(crate) fn variants(&mut self) -> &mut Variants {
        &mut self.variants
    }

    /// What a page says, if that is known, of which what is decided on next was found.
    pub fn learn_content(&mut self, page: &PageUrl, content: Option<Content<'_>>) {
        self.patterns.learn_content(page, content);
    }

    /// Whether pages are to tell of any names which they link again.
    #[must_use]
    pub fn is_wary(&self) -> bool {
        self.patterns.is_wary()
    }

    /// Decides on everything that one visit found; what is not worth remembering is dropped.
    pub fn decide(&mut self, task: Option<&Task>, found: Vec<Discovery>, seen: &Seen) -> Vec<Discovery> {
        let mut decided = Vec::with_capacity(found.len());
        for discovery in found {
            let Some(discovery) = self.admit(task, discovery, seen) else { continue };
            let probe = self.probe(&discovery);
            let clean = self.variants.lead_to(&discovery, seen);
            decided.push(discovery);
            decided.extend(probe);
            for clean in clean {
                let Some(clean) = self.admit(task, clean, seen) else { continue };
                // What stands for a variant that was found is tested as that would have been.
                let samples = self.variants.lead_to(&clean, seen);
                decided.push(clean);
                decided.extend(samples.into_iter().filter_map(|sample| self.admit(task, sample, seen)));
            }
        }
        decided
    }

    /// With the first page of an origin comes the question what it answers to a name that cannot exist.
    fn probe(&mut self, found: &Discovery) -> Option<Discovery> {
        let page = found.purpose == Purpose::Page && found.refused.is_none();
        let new = page && self.origins.insert(found.url.origin());
        let root = self.scope.roots().iter().find(|root| root.origin() == found.url.origin());
        if new { self.checking.probe(root.unwrap_or(&found.url.with_path("/"))) } else { None }
    }

    fn admit(&mut self, task: Option<&Task>, mut found: Discovery, seen: &Seen) -> Option<Discovery> {
        if found.purpose.is_prerequisite() {
            return self.admit_file(task, found);
        }
        // Where an image leads is nothing to crawl.
        if task.is_some_and(|task| task.purpose == Purpose::External && self.is_inside(&task.url)) {
            return None;
        }
        if found.back {
            return self.refusal(&found).is_none().then_some(found);
        }
        // Of a task that was queued before enough was known.
        if matches!(found.refused, Some(Unfetched::ParameterVariant | Unfetched::Sampled)) {
            return Some(found);
        }
        let known = seen.get(found.key).map_or(Standing::Past, |known| known.standing);
        if known == Standing::Decided && !found.reopened {
            return None;
        }
        found.refused = self.refusal(&found);
        if found.refused.is_none() && self.variants.is_variant(&found) {
            found.refused = Some(Unfetched::ParameterVariant);
        }
        if found.refused.is_none() && self.variants.is_beyond(task, &found) {
            found.refused = Some(Unfetched::Beyond);
        }
        let is_new = known <= Standing::Heard || found.reopened;
        if found.refused.is_none() && is_new {
            let before = self.before(&found, seen);
            found.refused = self.patterns.refuses(&found, task.map(|t| &t.url), before);
        }
        Some(if found.refused == Some(Unfetched::OutOfScope) { self.checking.external(found) } else { found })
    }

    fn is_inside(&self, url: &PageUrl) -> bool {
        self.scope.admits(url) != mapwright_web::Admission::OutOfScope
    }

    /// What became of a URL in the last run.
    fn before(&self, found: &Discovery, seen: &Seen) -> Before {
        match seen.get(found.key) {
            _ if self.sampled.contains(&found.key) => Before::Sampled,
            Some(known) if known.standing == Standing::Past => Before::Known,
            _ => Before::New,
        }
    }

    /// What becomes of a task that need not be requested any more, by what was learnt since it was queued; `None` where it
    /// is still to be.
    pub(crate) fn settle(&mut self, task: &Task) -> Option<Finished<Visit>> {
        if let Some(settled) = self.variants.settle(task) {
            return Some(settled);
        }
        let is_open = task.purpose == Purpose::Page && !task.seed && task.is_first();
        let goes = is_open && !self.patterns.still_admits(&task.url);
        goes.then(|| self.variants.refuse(task, Unfetched::Sampled))
    }

    fn refusal(&self, found: &Discovery) -> Option<Unfetched> {
        match self.scope.admits(&found.url) {
            mapwright_web::Admission::OutOfScope => return Some(Unfetched::OutOfScope),
            mapwright_web::Admission::Excluded if !found.seed => return Some(Unfetched::Excluded),
            mapwright_web::Admission::Excluded | mapwright_web::Admission::In => {}
        }
        match found.via {
            Via::Nofollow => Some(Unfetched::Nofollow),
            Via::Resource => Some(Unfetched::Resource),
            _ if self.max_depth.is_some_and(|most| found.depth > most) => Some(Unfetched::Depth),
            _ if found.hops > self.max_redirects => Some(Unfetched::Redirects),
            _ => None,
        }
    }

    /// Sitemaps and feeds are exempt from scope, and have limits of their own.
    fn admit_file(&mut self, task: Option<&Task>, found: Discovery) -> Option<Discovery> {
        let asked_for = task.and_then(|t| t.robots_of.as_ref());
        if asked_for.is_some_and(|origin| !self.origins.contains(origin)) || self.files.contains(&found.key) {
            return None;
        }
        let within = found.level < self.max_sitemap_depth && found.hops <= self.max_redirects;
        if found.purpose == Purpose::Feed {
            let room = (self.files.len() as u64) < self.max_sitemap_files;
            self.feeds_over |= within && !room;
            return (within && room && self.files.insert(found.key)).then_some(found);
        }
        if !within || self.sitemaps >= self.max_sitemap_files {
            self.files_over += 1;
            return None;
        }
        self.sitemaps += 1;
        self.files.insert(found.key);
        Some(found)
    }
}

/// The year that the crawl begins in: calendars go on beyond it.
fn this_year() -> u16 {
    u16::try_from(Timestamp::now().to_zoned(TimeZone::UTC).year()).unwrap_or_default()
}

/// Whether a crawl goes along with a start URL that redirects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Along {
    /// The target is in scope as it is.
    Inside,
    /// The scope moved with it, to this root.
    Moved(PageUrl),
    /// The target is another site's.
    Left,
}
