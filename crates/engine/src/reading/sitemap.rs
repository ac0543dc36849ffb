//! Reads a sitemap or a feed.

use super::ResponseReader;
use crate::discover::{LinkCollector, Prerequisite};
use crate::response::RedirectTarget;
use crate::sitemap_file::{SitemapFile, unfinished};
use mapwright_fetch::Fetch;
use mapwright_frontier::Settlement;
use mapwright_model::{Content, ListingContent, Outcome, Purpose, Via, Visit};

impl<C: Fetch> ResponseReader<'_, C> {
    pub(super) fn sitemap(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let task = self.task;
        if let Some(RedirectTarget { url, .. }) = self.response.redirect() {
            visit.outcome = Outcome::Redirect;
            visit.response.target = Some(collector.find(url, Via::Resource));
            let file = Prerequisite {
                purpose: task.purpose,
                level: task.route.level,
                named_by_robots: task.route.named_by_robots,
            };
            collector.prerequisite(url, Via::Redirect, file);
        } else if matches!(self.reply.status, 200 | 203) {
            visit.outcome = Outcome::File;
            visit.content = Content::Listing(self.listing(collector, visit.response.cut));
        } else if self.response.throttles() {
            visit.outcome = Outcome::Throttled;
        }
        Settlement::Done
    }

    /// Reads the file; `is_cut`: its body is longer than the limit.
    fn listing(&self, collector: &mut LinkCollector<'_>, is_cut: bool) -> ListingContent {
        let (task, audits) = (self.task, self.context.retry_policy.audits);
        let file = SitemapFile::new(task, &self.reply.body, self.reply.headers.content_type());
        let (entries, is_finished) = file.entries(&self.context.reading, collector);
        let is_checked = audits && task.purpose == Purpose::Sitemap;
        let mut faults = if is_checked { file.faults(is_cut, self.at) } else { Vec::new() };
        // A rule of the protocol reports a file that exceeds the read limit.
        let is_unfinished = !is_finished && !is_cut;
        if audits && is_unfinished {
            faults.push(unfinished());
        }
        ListingContent { entries, unfinished: is_unfinished, faults }
    }
}
