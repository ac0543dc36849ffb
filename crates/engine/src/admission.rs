//! The admission of discovered URLs.

use crate::audit_requests::AuditRequests;
use crate::options::EngineOptions;
use crate::sitemap_limits::SitemapLimits;
use crate::variants::Variants;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use mapwright_frontier::{DiscoveryState, Finished, Seen, Settlement};
use mapwright_model::{Discovery, Purpose, Resumed, Task, Unfetched, UrlId, Via, Visit};
use mapwright_traps::{DistinctContent, LastRunState, TrapDetector};
use mapwright_web::{Origin, PageUrl, Scope, UrlKey};
use std::collections::HashSet;

/// Decides on discoveries one by one, in the engine's loop: single-threaded, and in the order of commits.
#[derive(Debug)]
pub struct Admission {
    scope: Scope,
    max_depth: Option<u32>,
    max_redirects: u8,
    patterns: TrapDetector,
    /// URLs of barren families that the last run left out.
    sampled: HashSet<UrlKey>,
    sitemap_limits: SitemapLimits,
    /// Origins that have pages in this crawl, so that their sitemaps are read.
    origins: HashSet<Origin>,
    checking: AuditRequests,
    variants: Variants,
}

/// The URLs that limits refused, for the summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LimitCounts {
    /// Patterns proven endless, each with the number of URLs refused.
    pub endless: Vec<(String, u64)>,
    /// Sitemap files beyond the limits of number and nesting: counted, not remembered.
    pub sitemap_files: u64,
    /// Feeds beyond the limit of number were found: not counted, since many pages may name the same feed.
    pub feeds: bool,
}

impl Admission {
    /// Returns the admission by `options` into `scope`.
    #[must_use]
    pub fn new(scope: Scope, options: &EngineOptions) -> Self {
        Self {
            scope,
            max_depth: options.max_depth,
            max_redirects: options.max_redirects,
            patterns: TrapDetector::new(options.pattern_budget, this_year()),
            sampled: options.sampled.clone(),
            sitemap_limits: SitemapLimits::new(options),
            origins: HashSet::new(),
            checking: AuditRequests::new(options),
            variants: Variants::new(options),
        }
    }

    /// Resumes an interrupted run.
    pub fn resume(&mut self, resumed: Resumed) {
        self.scope.set_roots(resumed.roots);
        self.sitemap_limits.resume(resumed.files);
        self.origins.extend(resumed.origins);
        resumed.endless.iter().for_each(|url| self.patterns.recall_refused(url));
    }

    /// Returns the current scope.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the URLs refused so far.
    #[must_use]
    pub fn refused(&self) -> LimitCounts {
        let (sitemap_files, feeds) = self.sitemap_limits.refused();
        LimitCounts { endless: self.patterns.refused(), sitemap_files, feeds }
    }

    /// Decides whether the crawl follows a redirect of a start URL. Within the scope it does, whatever the include and
    /// exclude patterns say, since they do not apply to start URLs; within the registrable domain, the scope moves to
    /// the target.
    pub fn follow_start(&mut self, from: &PageUrl, to: &PageUrl) -> StartRedirect {
        if self.scope.admits(to) != mapwright_web::ScopeVerdict::OutOfScope {
            return StartRedirect::Inside;
        }
        if from.registrable_domain() == to.registrable_domain() {
            return StartRedirect::Moved(self.scope.move_root(from, to));
        }
        StartRedirect::OtherSite
    }

    /// Returns the origins that have pages in this crawl.
    pub(crate) fn page_origins(&self) -> HashSet<Origin> {
        self.origins.clone()
    }

    /// Returns the checks of those of these resources that the crawl has not requested.
    pub(crate) fn checks_of(&self, resources: Vec<PageUrl>, seen: &Seen) -> Vec<Discovery> {
        let checks = resources.into_iter().map(|url| self.checking.resource(url));
        let is_open = |check: &Discovery| {
            let known = seen.get(check.key);
            known.is_none_or(|known| known.discovery_state != DiscoveryState::Decided)
                && !self.sitemap_limits.is_admitted(check.key)
        };
        checks.filter(is_open).collect()
    }

    /// Reports whether a discovery would be queued if it were decided on now.
    #[must_use]
    pub fn would_queue(&self, found: &Discovery, seen: &Seen) -> bool {
        let decided = seen.get(found.key).is_some_and(|known| known.discovery_state == DiscoveryState::Decided);
        !decided && self.refusal(found).is_none()
    }

    /// Begins a commit with every decision so far; the decisions of the commit before are recorded by now.
    pub fn begin_commit(&mut self) {
        self.patterns.begin_commit();
    }

    /// Learns that a page was read, and links to `others`, known pages of its own pattern; of a page that is only
    /// `remembered`, they may be incomplete.
    pub fn read(&mut self, page: &PageUrl, others: &[UrlId], remembered: bool) {
        self.patterns.read(page, others, remembered);
    }

    /// Returns the roles of URL parameters that the crawl learns.
    pub(crate) fn variants(&mut self) -> &mut Variants {
        &mut self.variants
    }

    /// Learns the content of a page, if it is known; the next discoveries were found on it.
    pub fn learn_content(&mut self, page: &PageUrl, content: Option<DistinctContent<'_>>) {
        self.patterns.learn_content(page, content);
    }

    /// Reports whether visits note repeated links to neighbouring pages of any name.
    #[must_use]
    pub fn tracks_relinks(&self) -> bool {
        self.patterns.tracks_relinks()
    }

    /// Decides on the discoveries of one visit; those that are not worth recording are dropped.
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
                // The clean URL of a variant is tested as the variant would have been.
                let samples = self.variants.lead_to(&clean, seen);
                decided.push(clean);
                decided.extend(samples.into_iter().filter_map(|sample| self.admit(task, sample, seen)));
            }
        }
        decided
    }

    /// Returns a probe of a URL that cannot exist, with the first page of each origin.
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
        // The target of a redirected image is not crawled.
        if found.via != Via::Resource && task.is_some_and(|task| task.purpose == Purpose::Resource) {
            return None;
        }
        if found.after_cookie_wall {
            return self.refusal(&found).is_none().then_some(found);
        }
        // Such a discovery comes from a task that was queued before enough was known.
        if matches!(found.refused, Some(Unfetched::ParameterVariant | Unfetched::Sampled)) {
            return Some(found);
        }
        let known = seen.get(found.key).map_or(DiscoveryState::Past, |known| known.discovery_state);
        if known == DiscoveryState::Decided && !found.reopened {
            return None;
        }
        found.refused = self.refusal(&found);
        if found.refused.is_none() && self.variants.is_variant(&found) {
            found.refused = Some(Unfetched::ParameterVariant);
        }
        if found.refused.is_none() && self.variants.is_beyond(task, &found) {
            found.refused = Some(Unfetched::Beyond);
        }
        let is_new = known <= DiscoveryState::Mentioned || found.reopened;
        if found.refused.is_none() && is_new {
            let before = self.before(&found, seen);
            found.refused = self.patterns.refuses(&found, task.map(|t| &t.url), before);
        }
        Some(if found.refused == Some(Unfetched::OutOfScope) { self.checking.external(found) } else { found })
    }

    /// Returns the state of a URL in the last run.
    fn before(&self, found: &Discovery, seen: &Seen) -> LastRunState {
        match seen.get(found.key) {
            _ if self.sampled.contains(&found.key) => LastRunState::Sampled,
            Some(known) if known.discovery_state == DiscoveryState::Past => LastRunState::Known,
            _ => LastRunState::New,
        }
    }

    /// Settles a task that need not be requested any more, by what was learnt since it was queued; `None` where it is
    /// still requested.
    pub(crate) fn settle(&mut self, task: &Task) -> Option<Finished<Visit>> {
        if let Some(settled) = self.variants.settle(task) {
            return Some(settled);
        }
        let is_open = task.purpose == Purpose::Page && !task.route.seed && task.is_first();
        let goes = is_open && !self.patterns.still_admits(&task.url);
        goes.then(|| self.variants.refuse(task, Unfetched::Sampled))
    }

    /// Ends a round, once nothing else is left: learns the roles of parameters from the pages that it read, and returns
    /// what is queued for the next one. These are tasks from which further roles are learnt, clean URLs of pages that
    /// turned out to be variants, variants that turned out to be none, and deferred tasks that are decided by now.
    pub(crate) fn next_round(&mut self, seen: &Seen) -> Vec<Finished<Visit>> {
        self.variants.learn();
        let again = |task, found| Finished { settles: Some((task, Settlement::Queued)), found, visit: None };
        let decided = self.variants.take_decided();
        let mut queued = Vec::new();
        for (task, samples) in self.variants.take_round() {
            let found = self.decide(Some(&task), samples, seen);
            queued.push(again(task, found));
        }
        let found = self.variants.owed().into_iter().chain(self.variants.reopened()).collect();
        let found = self.decide(None, found, seen);
        if !found.is_empty() {
            queued.push(Finished { settles: None, found, visit: None });
        }
        queued.extend(decided.into_iter().map(|task| again(task, Vec::new())));
        queued
    }

    fn refusal(&self, found: &Discovery) -> Option<Unfetched> {
        match self.scope.admits(&found.url) {
            mapwright_web::ScopeVerdict::OutOfScope => return Some(Unfetched::OutOfScope),
            mapwright_web::ScopeVerdict::Excluded if !found.route.seed => return Some(Unfetched::Excluded),
            mapwright_web::ScopeVerdict::Excluded | mapwright_web::ScopeVerdict::In => {}
        }
        match found.via {
            Via::Nofollow => Some(Unfetched::Nofollow),
            Via::Resource => Some(Unfetched::Resource),
            _ if self.max_depth.is_some_and(|most| found.route.depth > most) => Some(Unfetched::Depth),
            _ if found.route.hops > self.max_redirects => Some(Unfetched::Redirects),
            _ => None,
        }
    }

    /// Admits sitemaps and feeds: they are exempt from scope, and have limits of their own.
    fn admit_file(&mut self, task: Option<&Task>, found: Discovery) -> Option<Discovery> {
        let robots_origin = task.and_then(|t| t.robots_of.as_ref());
        if robots_origin.is_some_and(|origin| !self.origins.contains(origin)) {
            return None;
        }
        let is_near = found.route.hops <= self.max_redirects;
        self.sitemap_limits.admit(&found, is_near).then_some(found)
    }
}

/// Returns the year in which the crawl begins: calendars that continue beyond it are traps.
fn this_year() -> u16 {
    u16::try_from(Timestamp::now().to_zoned(TimeZone::UTC).year()).unwrap_or_default()
}

/// The decision on a redirect of a start URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartRedirect {
    /// The target is in scope already.
    Inside,
    /// The scope moved to the target, with this root.
    Moved(PageUrl),
    /// The target belongs to another site.
    OtherSite,
}
