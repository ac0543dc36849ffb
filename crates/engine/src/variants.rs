//! Variants of pages by URL parameters without effect: the choice of those that are crawled, and of the clean URLs that
//! replace the others.

use crate::audited_variants::AuditedVariants;
use crate::clean_urls::CleanUrls;
use crate::deferred_variants::DeferredVariants;
use crate::options::EngineOptions;
use mapwright_frontier::{DiscoveryState, Finished, RobotsAnswer, Seen, Settlement};
use mapwright_model::{CanonicalGiven, Discovery, Outcome, Purpose, Route, Target, Task, Unfetched, Via, Visit};
use mapwright_traps::{Learner, PageFingerprint, RepeatingLists, has_parameters};
use mapwright_web::page::block::BlockRole;
use mapwright_web::{KeyMaker, Origin, PageUrl, Robots};
use std::collections::HashMap;
use std::sync::Arc;

/// The roles of URL parameters, learnt from the pages of this crawl, and their effects on it.
#[derive(Debug)]
pub(crate) struct Variants {
    learner: Learner,
    lists: RepeatingLists,
    learns: bool,
    checked: AuditedVariants,
    deferred: DeferredVariants,
    clean_urls: CleanUrls,
    /// Pages that were read since the last round, and what is compared of each; `None` where there is no page.
    read: Vec<(Task, Option<PageFingerprint>)>,
    /// Variants that were not requested, to be requested if a role is withdrawn.
    refused: Vec<Discovery>,
    keys: KeyMaker,
    /// Robots rules of the origins that have some, for the crawler's user agent.
    robots: HashMap<Origin, Arc<Robots>>,
    agent: Option<String>,
}

/// Highest number of origins whose rules are remembered.
const MAX_ROBOTS: usize = 1_000;

/// Highest number of pages from which the roles are learnt at once, not after the round.
const MAX_READ: usize = 20_000;

/// Bytes of text and number of blocks below which a page has too little content to compare with others.
const LITTLE_PROSE: u32 = 40;
const FEW_BLOCKS: usize = 8;

/// Highest number of refused variants that are remembered; later ones stay refused.
const MAX_REFUSED: usize = 50_000;

impl Variants {
    pub(crate) fn new(options: &EngineOptions) -> Self {
        let mut learner = Learner::default();
        options.roles.iter().for_each(|(key, role)| learner.recall(key.clone(), *role));
        Self {
            learner,
            lists: RepeatingLists::default(),
            learns: options.recommended,
            checked: AuditedVariants::new(options.checks.audit),
            deferred: DeferredVariants::default(),
            clean_urls: CleanUrls::default(),
            read: Vec::new(),
            refused: Vec::new(),
            keys: options.reading.keys,
            robots: HashMap::new(),
            agent: options.reading.agents.first().filter(|_| !options.ignore_robots).cloned(),
        }
    }

    /// Learns the robots rules of a task's origin.
    pub(crate) fn learn_robots(&mut self, task: &Task, answer: &RobotsAnswer) {
        if let (Some(origin), RobotsAnswer::Rules(robots)) = (&task.robots_of, answer)
            && self.robots.len() < MAX_ROBOTS
        {
            self.robots.insert(origin.clone(), Arc::clone(robots));
        }
    }

    /// Reports whether robots.txt forbids a URL: then no clean URL is requested in its place either.
    fn is_forbidden(&self, url: &PageUrl) -> bool {
        let rules = self.robots.get(&url.origin()).zip(self.agent.as_ref());
        rules.is_some_and(|(robots, agent)| !robots.rule_for(agent, url).allowed)
    }

    /// Reports whether a discovered URL is a variant of another URL, and need not be requested.
    pub(crate) fn is_variant(&mut self, found: &Discovery) -> bool {
        let is_page = found.purpose == Purpose::Page && found.via != Via::ParameterTest && !found.route.seed;
        let is_variant = self.learns
            && is_page
            && self.learner.clean(&found.url).is_some()
            && !self.is_forbidden(&found.url)
            && !self.checked.takes(found.key, &found.url);
        if is_variant {
            self.remember(found);
        }
        is_variant
    }

    fn remember(&mut self, found: &Discovery) {
        if self.refused.len() < MAX_REFUSED {
            self.refused.push(Discovery { refused: None, reopened: true, ..found.clone() });
        }
    }

    /// Returns the variants that are none any more, since a role was withdrawn.
    pub(crate) fn reopened(&mut self) -> Vec<Discovery> {
        if !self.learner.take_withdrawn() {
            return Vec::new();
        }
        let learner = &self.learner;
        self.refused.extract_if(.., |found| learner.clean(&found.url).is_none()).collect()
    }

    /// Reports whether a URL is only a further page of a list that repeats itself.
    pub(crate) fn is_beyond(&self, parent: Option<&Task>, found: &Discovery) -> bool {
        let is_link = found.purpose == Purpose::Page && found.via == Via::Link;
        self.learns && is_link && parent.is_some_and(|task| self.lists.is_beyond(&task.url, &found.url))
    }

    /// Returns the clean URLs that a decided URL leads to: its own where it is a variant, and those that show what its
    /// parameters do.
    pub(crate) fn lead_to(&mut self, found: &Discovery, seen: &Seen) -> Vec<Discovery> {
        let is_page = found.purpose == Purpose::Page && !found.after_cookie_wall && has_parameters(&found.url);
        if !self.learns || !is_page || self.is_forbidden(&found.url) {
            return Vec::new();
        }
        let (urls, via): (Vec<PageUrl>, Via) = match found.refused {
            Some(Unfetched::ParameterVariant) => (self.learner.clean(&found.url).into_iter().collect(), found.via),
            // A variant that is crawled as a sample also leads to its clean page.
            None if found.via != Via::ParameterTest => {
                // A start URL is never deferred.
                let samples = if found.route.seed { self.learner.samples(&found.url) } else { Vec::new() };
                (samples.into_iter().chain(self.learner.clean(&found.url)).collect(), Via::ParameterTest)
            }
            // The discoveries of a test are tested no further.
            _ => return Vec::new(),
        };
        let clean = urls.into_iter().map(|url| self.discovery(found, url, via));
        clean
            .filter(|clean| seen.get(clean.key).is_none_or(|known| known.discovery_state < DiscoveryState::Decided))
            .collect()
    }

    /// Settles a task whose URL has turned out to be a variant since it was queued, or defers one with a parameter
    /// whose role is not known yet; `None` where it is to be requested.
    pub(crate) fn settle(&mut self, task: &Task) -> Option<Finished<Visit>> {
        if !self.learns || task.purpose != Purpose::Page || task.route.seed || !task.is_first() {
            return None;
        }
        // What was chosen for a comparison is requested, whatever was learnt since from the other answers.
        if self.deferred.is_chosen(task) || self.learner.is_tested(&task.url) {
            return None;
        }
        if self.learner.clean(&task.url).is_some() && !self.checked.takes(self.keys.key(&task.url), &task.url) {
            self.remember(&queued(task, self.keys));
            return Some(self.refuse(task, Unfetched::ParameterVariant));
        }
        let waits = !self.learner.unknown(&task.url).is_empty() && self.deferred.add(task);
        waits.then(|| Finished { settles: Some((task.clone(), Settlement::Deferred)), found: Vec::new(), visit: None })
    }

    /// Returns the clean URLs of pages that turned out to be variants after they were read.
    pub(crate) fn owed(&mut self) -> Vec<Discovery> {
        let owed = self.clean_urls.take(&self.learner);
        owed.into_iter().map(|(page, url)| self.discovery(&queued(&page, self.keys), url, Via::ParameterTest)).collect()
    }

    /// Returns the deferred tasks whose URLs are decided by now: each is a variant, or a page of its own.
    pub(crate) fn take_decided(&mut self) -> Vec<Task> {
        let learner = &self.learner;
        let is_variant = |task: &Task| learner.clean(&task.url).is_some();
        self.deferred.take_decided(|task| if is_variant(task) { Vec::new() } else { learner.unknown(&task.url) })
    }

    /// Returns the deferred tasks that are requested next to learn the roles of their parameters, each with the clean
    /// URLs to compare it with.
    pub(crate) fn take_round(&mut self) -> Vec<(Task, Vec<Discovery>)> {
        let learner = &self.learner;
        let tasks = self.deferred.take_round(|task| learner.unknown(&task.url));
        let mut round = Vec::with_capacity(tasks.len());
        for task in tasks {
            let urls = if self.is_forbidden(&task.url) { Vec::new() } else { self.learner.samples(&task.url) };
            let found = queued(&task, self.keys);
            let samples = urls.into_iter().map(|url| self.discovery(&found, url, Via::ParameterTest)).collect();
            round.push((task, samples));
        }
        round
    }

    /// Settles a task that is not requested.
    pub(crate) fn refuse(&self, task: &Task, why: Unfetched) -> Finished<Visit> {
        let own = Discovery { refused: Some(why), ..queued(task, self.keys) };
        Finished { settles: Some((task.clone(), Settlement::Done)), found: vec![own], visit: None }
    }

    /// Notes a page, from which the roles are learnt: its content is compared with that of its URL without each
    /// parameter.
    pub(crate) fn read(&mut self, visit: &Visit) {
        let task = &visit.task;
        let failed_for_now = visit.will_retry || visit.is_transient_failure();
        // A page that the site keeps out of search engines says nothing about those that it lets in.
        let canonical = visit.page().map(|page| &page.canonical);
        let is_kept_out =
            visit.binding().noindex || matches!(canonical, Some(CanonicalGiven::One(target)) if !is_own(task, target));
        if !self.learns || task.purpose != Purpose::Page || failed_for_now || is_kept_out || visit.reused().is_some() {
            return;
        }
        let page = visit.page().map(|page| &page.facts).filter(|_| visit.outcome == Outcome::Page);
        let print = page.map(|facts| {
            let own = || facts.blocks.iter().filter(|block| block.role != BlockRole::Boilerplate);
            let is_thin = facts.prose_bytes < LITTLE_PROSE && own().count() < FEW_BLOCKS;
            let title = facts.distinctive_title();
            PageFingerprint { is_thin, ..PageFingerprint::of(own().map(|block| block.hash), title) }
        });
        if let Some(print) = print {
            self.lists.read(&task.url, print);
        }
        self.read.push((task.clone(), print));
        if self.read.len() >= MAX_READ {
            self.learn();
        }
    }

    /// Learns from the pages that were read since the last round. Until then, the order of answers decides nothing.
    pub(crate) fn learn(&mut self) {
        for (task, print) in std::mem::take(&mut self.read) {
            self.learner.read(&task.url, print);
            if print.is_some() {
                self.clean_urls.read(&task, &self.learner);
            }
        }
    }

    fn discovery(&self, found: &Discovery, url: PageUrl, via: Via) -> Discovery {
        let route = Route { seed: false, generation: 0, ..found.route };
        Discovery { key: self.keys.key(&url), url, via, refused: None, route, ..found.clone() }
    }
}

/// Reports whether a page's canonical is the page itself.
fn is_own(task: &Task, canonical: &Target) -> bool {
    match canonical {
        Target::Known(id) => task.url_id == Some(*id),
        Target::New(_, url) => *url == task.url,
    }
}

/// Returns the discovery of a queued task.
fn queued(task: &Task, keys: KeyMaker) -> Discovery {
    Discovery {
        route: Route { seed: false, named_by_robots: false, ..task.route },
        ..Discovery::new(keys.key(&task.url), task.url.clone(), Via::Link, task.purpose)
    }
}
