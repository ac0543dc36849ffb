//! Variants of pages by URL parameters that change nothing: which are crawled, and which clean URLs in their place.

use crate::checked::Checked;
use crate::options::EngineOptions;
use crate::visited::{CanonicalGiven, Outcome, Visit};
use mapwright_frontier::{
    Discovery, Finished, Purpose, RobotsAnswer, Seen, Settlement, Standing, Target, Task, Unfetched, Via,
};
use mapwright_traps::{Learner, Print, SeriesWatch, has_parameters};
use mapwright_web::page::block::BlockRole;
use mapwright_web::{KeyMaker, Origin, PageUrl, Robots};
use std::collections::HashMap;
use std::sync::Arc;

/// The roles of URL parameters, learnt from the pages of this crawl, and what follows from them.
#[derive(Debug)]
pub(crate) struct Variants {
    learner: Learner,
    series: SeriesWatch,
    learns: bool,
    checked: Checked,
    /// Variants that were not requested, in case a role is withdrawn.
    refused: Vec<Discovery>,
    keys: KeyMaker,
    /// The rules of origins that have some, for our agent.
    robots: HashMap<Origin, Arc<Robots>>,
    agent: Option<String>,
}

/// Origins whose rules are remembered, at most.
const MAX_ROBOTS: usize = 1_000;

/// Bytes of text and blocks below which a page says too little to be compared with others.
const LITTLE_PROSE: u32 = 40;
const FEW_BLOCKS: usize = 8;

/// Variants that are remembered while they are refused, at most; those met later stay refused.
const MAX_REFUSED: usize = 50_000;

impl Variants {
    pub(crate) fn new(options: &EngineOptions) -> Self {
        let mut learner = Learner::default();
        options.roles.iter().for_each(|(key, role)| learner.recall(key.clone(), *role));
        Self {
            learner,
            series: SeriesWatch::default(),
            learns: options.recommended,
            checked: Checked::new(options.checks.audit),
            refused: Vec::new(),
            keys: options.reading.keys,
            robots: HashMap::new(),
            agent: options.reading.agents.first().filter(|_| !options.ignore_robots).cloned(),
        }
    }

    /// Robots.txt of the origin of a task was answered.
    pub(crate) fn learn_robots(&mut self, task: &Task, answer: &RobotsAnswer) {
        if let (Some(origin), RobotsAnswer::Rules(robots)) = (&task.robots_of, answer)
            && self.robots.len() < MAX_ROBOTS
        {
            self.robots.insert(origin.clone(), Arc::clone(robots));
        }
    }

    /// Whether robots.txt forbids a URL: then nothing is requested in its place either.
    fn is_forbidden(&self, url: &PageUrl) -> bool {
        let rules = self.robots.get(&url.origin()).zip(self.agent.as_ref());
        rules.is_some_and(|(robots, agent)| !robots.rule_for(agent, url).allowed)
    }

    /// Whether a URL that was found is the page of another URL, and need not be requested.
    pub(crate) fn is_variant(&mut self, found: &Discovery) -> bool {
        let is_page = found.purpose == Purpose::Page && found.via != Via::ParameterTest && !found.seed;
        let is_variant = self.learns
            && is_page
            && self.learner.clean(&found.url).is_some()
            && !self.is_forbidden(&found.url)
            && !self.learner.takes_sample(&found.url)
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

    /// What was refused as a variant and is none any more, since a role was withdrawn.
    pub(crate) fn reopened(&mut self) -> Vec<Discovery> {
        if !self.learner.take_withdrawn() {
            return Vec::new();
        }
        let learner = &self.learner;
        self.refused.extract_if(.., |found| learner.clean(&found.url).is_none()).collect()
    }

    /// Whether a URL is but a further page of a list that repeats itself.
    pub(crate) fn is_beyond(&self, parent: Option<&Task>, found: &Discovery) -> bool {
        let is_link = found.purpose == Purpose::Page && found.via == Via::Link;
        self.learns && is_link && parent.is_some_and(|task| self.series.is_beyond(&task.url, &found.url))
    }

    /// The clean URLs that a URL leads to which was decided on: its own where it is a variant, and those that tell what
    /// its parameters do.
    pub(crate) fn lead_to(&mut self, found: &Discovery, seen: &Seen) -> Vec<Discovery> {
        let is_page = found.purpose == Purpose::Page && !found.back && has_parameters(&found.url);
        if !self.learns || !is_page || self.is_forbidden(&found.url) {
            return Vec::new();
        }
        let (urls, via): (Vec<PageUrl>, Via) = match found.refused {
            Some(Unfetched::ParameterVariant) => (self.learner.clean(&found.url).into_iter().collect(), found.via),
            // What a test leads to is tested no further.
            None if found.via != Via::ParameterTest => {
                let samples = self.learner.samples(&found.url);
                // A variant that is crawled as a sample stands for its page, too.
                (samples.into_iter().chain(self.learner.clean(&found.url)).collect(), Via::ParameterTest)
            }
            _ => return Vec::new(),
        };
        let clean = urls.into_iter().map(|url| self.discovery(found, url, via));
        clean.filter(|clean| seen.get(clean.key).is_none_or(|known| known.standing < Standing::Decided)).collect()
    }

    /// The clean URLs of pages that were read before they turned out to be variants. `task` has just been read.
    pub(crate) fn owed(&mut self, task: &Task) -> Vec<Discovery> {
        let found = queued(task, self.keys);
        let owed = self.learner.owed();
        owed.into_iter().map(|url| self.discovery(&found, url, Via::ParameterTest)).collect()
    }

    /// What becomes of a task whose URL has turned out to be a variant since it was queued; `None` where it is none.
    pub(crate) fn settle(&mut self, task: &Task) -> Option<Finished<Visit>> {
        if !self.learns || task.purpose != Purpose::Page || task.seed || !task.is_first() {
            return None;
        }
        self.learner.clean(&task.url)?;
        if self.checked.takes(self.keys.key(&task.url), &task.url) {
            return None;
        }
        self.remember(&queued(task, self.keys));
        Some(self.refuse(task, Unfetched::ParameterVariant))
    }

    /// What becomes of a task that is not requested after all.
    pub(crate) fn refuse(&self, task: &Task, why: Unfetched) -> Finished<Visit> {
        let own = Discovery { refused: Some(why), ..queued(task, self.keys) };
        Finished { settles: Some((task.clone(), Settlement::Done)), found: vec![own], visit: None }
    }

    /// A page was requested: what it says is compared with what its URL without each parameter says.
    pub(crate) fn read(&mut self, visit: &Visit) {
        let task = &visit.task;
        let failed_for_now = visit.to_be_tried_again || visit.is_bad_hour();
        // What the site keeps out of search engines says nothing of the pages that it lets in.
        let is_kept_out = visit.binding.noindex
            || matches!(visit.canonical, CanonicalGiven::One(ref target) if !is_own(task, target));
        if !self.learns || task.purpose != Purpose::Page || failed_for_now || is_kept_out || visit.carried.is_some() {
            return;
        }
        let page = visit.facts.as_ref().filter(|_| visit.outcome == Outcome::Page);
        let print = page.map(|facts| {
            let own = || facts.blocks.iter().filter(|block| block.role != BlockRole::Boilerplate);
            let is_thin = facts.prose_bytes < LITTLE_PROSE && own().count() < FEW_BLOCKS;
            Print { is_thin, ..Print::of(own().map(|block| block.hash), facts.title.as_deref()) }
        });
        if let Some(print) = print {
            self.series.read(&task.url, print);
        }
        self.learner.read(&task.url, print);
    }

    fn discovery(&self, found: &Discovery, url: PageUrl, via: Via) -> Discovery {
        let seed = false;
        Discovery { key: self.keys.key(&url), url, via, refused: None, seed, generation: 0, ..found.clone() }
    }
}

/// Whether a page's canonical is the page itself.
fn is_own(task: &Task, canonical: &Target) -> bool {
    match canonical {
        Target::Known(id) => task.id == Some(*id),
        Target::New(_, url) => *url == task.url,
    }
}

/// The discovery of a task that was queued.
fn queued(task: &Task, keys: KeyMaker) -> Discovery {
    Discovery {
        depth: task.depth,
        hops: task.hops,
        level: task.level,
        generation: task.generation,
        ..Discovery::new(keys.key(&task.url), task.url.clone(), Via::Link, task.purpose)
    }
}
