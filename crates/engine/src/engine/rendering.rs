//! The engine of a crawl that runs the scripts of pages.

use super::Engine;
use crate::event::Event;
use crate::page_requests::{PageRequests, RobotsFiles};
use crate::render::{RenderRules, Renders};
use mapwright_browser::Render;
use mapwright_fetch::Fetch;
use mapwright_frontier::Frontier;
use mapwright_model::{Remembered, Template, Visit};
use std::sync::Arc;

impl<F: Frontier<Visit = Visit, Memory = Remembered>, C: Fetch + Clone> Engine<F, C> {
    /// Has the scripts of pages run by a renderer, which sends the requests of pages through what it is given; it is
    /// `None` where there is no browser. `known` are the templates of earlier runs; `relied_upon`: pages of these are what
    /// their scripts made, so that a browser that cannot be started cuts the crawl.
    #[must_use]
    pub fn with_rendering(
        mut self,
        rules: RenderRules,
        known: Vec<Template>,
        relied_upon: bool,
        renderer: impl FnOnce(PageRequests<F, C>) -> Option<Arc<dyn Render>>,
    ) -> Self {
        let reading = &self.options.reading;
        let agent = reading.agents.first().cloned().unwrap_or_default();
        let robots = Arc::new(RobotsFiles::new(agent, self.options.ignore_robots, reading.max_robots));
        let (fetcher, frontier, keys) = (self.context.fetcher.clone(), Arc::clone(&self.frontier), reading.keys);
        let requests = PageRequests::new(fetcher, frontier, self.began, Arc::clone(&robots));
        self.context.set_renders(Renders::new(renderer(requests), rules, keys, known, relied_upon));
        self.robots_of_pages = Some(robots);
        self
    }
}

impl<F: Frontier<Visit = Visit, Memory = Remembered>, C: Fetch> Engine<F, C> {
    /// Reports whether the browser does not work, and has the user know it; also of one that the crawl does without.
    pub(super) fn has_lost_browser(&self) -> bool {
        if let Some(text) = self.context.renders().and_then(Renders::take_notice) {
            self.observer.see(&Event::Notice { text: &text });
        }
        let fault = self.context.renders().and_then(Renders::fault);
        if let Some(text) = fault {
            self.observer.see(&Event::Notice { text });
        }
        fault.is_some()
    }
}
