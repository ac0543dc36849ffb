//! The rounds of a crawl: each begins when nothing is left of the one before.

use super::Engine;
use crate::render::Renders;
use mapwright_fetch::Fetch;
use mapwright_frontier::{Finished, Frontier};
use mapwright_model::{Remembered, Visit};

impl<F: Frontier<Visit = Visit, Memory = Remembered>, C: Fetch> Engine<F, C> {
    /// Begins the next round. Returns whether there is anything to do.
    pub(super) async fn begin_next_round(&mut self) -> Result<bool, F::Error> {
        Ok(self.render_again().await? || self.queue_waiting().await? || self.check_resources().await?)
    }

    /// Queues again the pages that were read without their scripts before their template turned out to need them.
    /// Returns whether there are any.
    async fn render_again(&mut self) -> Result<bool, F::Error> {
        let mut any = false;
        for template in self.context.renders().map(Renders::take_turned).unwrap_or_default() {
            any |= self.frontier.request_again(template).await? > 0;
        }
        Ok(any)
    }

    /// Queues what waited until nothing else was left. Returns whether there is anything.
    async fn queue_waiting(&mut self) -> Result<bool, F::Error> {
        let queued = self.admission.next_round(&self.context.seen);
        let any = !queued.is_empty();
        if any {
            self.frontier.commit(self.now(), queued).await?;
        }
        Ok(any)
    }

    /// Queues the checks of images and other resources for an audit, after all pages are read: until then, a resource
    /// may turn out to be a page. The second time, these are the ones that style sheets name. Returns whether there is
    /// anything to request.
    async fn check_resources(&mut self) -> Result<bool, F::Error> {
        let Some(most) = self.resource_rounds.begin() else { return Ok(false) };
        let resources = self.frontier.resources(self.admission.page_origins(), most).await?;
        let mut found = self.admission.checks_of(resources, &self.frontier.seen());
        self.resource_rounds.limit(&mut found);
        let any = !found.is_empty();
        if any {
            self.frontier.commit(self.now(), vec![Finished { settles: None, found, visit: None }]).await?;
        }
        Ok(any)
    }
}
