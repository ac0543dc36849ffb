//! Reads the responses to checks: probes of URLs that cannot exist, and links to other sites.

use super::ResponseReader;
use crate::discover::LinkCollector;
use mapwright_fetch::Fetch;
use mapwright_frontier::Settlement;
use mapwright_model::{Outcome, Via, Visit};

impl<C: Fetch> ResponseReader<'_, C> {
    /// Reads the response to a probe of a URL that cannot exist: its text is stored, and its links are dropped.
    pub(super) fn probe(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let settlement = self.page(collector, visit);
        visit.links.clear();
        collector.forget();
        settlement
    }

    /// Reads the response to a check of an external URL.
    pub(super) fn external(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        visit.outcome = match (&self.location, self.reply.status) {
            (Some(_), _) => Outcome::Redirect,
            (None, 200..=299) => Outcome::File,
            (None, _) if self.throttles() => Outcome::Throttled,
            (None, _) => Outcome::Status,
        };
        visit.target = self.location.as_ref().map(|url| collector.find(url, Via::Redirect));
        Settlement::Done
    }
}
