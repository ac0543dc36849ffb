//! The engine of a crawl that runs the scripts of pages.

use super::Engine;
use crate::page_requests::{PageRequests, RobotsFiles};
use crate::render::{RenderRules, Renders};
use mapwright_browser::Render;
use mapwright_fetch::Fetch;
use mapwright_frontier::Frontier;
use mapwright_model::{Remembered, Visit};
use std::sync::Arc;

impl<F: Frontier<Visit = Visit, Memory = Remembered>, C: Fetch + Clone> Engine<F, C> {
    /// Has the scripts of pages run by a renderer, which sends the requests of pages through what it is given.
    #[must_use]
    pub fn with_rendering(
        mut self,
        rules: RenderRules,
        renderer: impl FnOnce(PageRequests<F, C>) -> Arc<dyn Render>,
    ) -> Self {
        let reading = &self.options.reading;
        let agent = reading.agents.first().cloned().unwrap_or_default();
        let robots = Arc::new(RobotsFiles::new(agent, self.options.ignore_robots, reading.max_robots));
        let (fetcher, frontier) = (self.context.fetcher.clone(), Arc::clone(&self.frontier));
        let requests = PageRequests::new(fetcher, frontier, self.began, Arc::clone(&robots));
        self.context.set_renders(Renders::new(renderer(requests), rules));
        self.robots_of_pages = Some(robots);
        self
    }
}
