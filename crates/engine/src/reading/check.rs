//! Reads the responses to checks: probes of URLs that cannot exist, links to other sites, and files of the site.

use super::ResponseReader;
use crate::discover::LinkCollector;
use crate::response::ResponseClass;
use mapwright_fetch::Fetch;
use mapwright_frontier::Settlement;
use mapwright_model::{Content, Outcome, Via, Visit};

impl<C: Fetch> ResponseReader<'_, C> {
    /// Reads the response to a probe of a URL that cannot exist: its text is stored, and its links are dropped.
    pub(super) fn probe(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let settlement = self.page(collector, visit);
        if let Content::Page(page) = &mut visit.content {
            page.links.clear();
        }
        collector.forget();
        settlement
    }

    /// Reads the response to a check of an external URL or a resource.
    pub(super) fn target(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        visit.outcome = match &self.response.class {
            ResponseClass::Redirect(_) => Outcome::Redirect,
            ResponseClass::Success | ResponseClass::Broken => Outcome::File,
            ResponseClass::Throttled | ResponseClass::Challenge => Outcome::Throttled,
            ResponseClass::NotModified | ResponseClass::Failed | ResponseClass::Silent(_) => Outcome::Status,
        };
        let redirect = self.response.redirect();
        visit.response.target = redirect.map(|redirect| collector.find(&redirect.url, Via::Redirect));
        Settlement::Done
    }
}
