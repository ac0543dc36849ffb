//! Reads a sitemap or a feed.

use super::ResponseReader;
use crate::discover::{LinkCollector, Prerequisite};
use crate::sitemap_file::{SitemapFile, unfinished};
use mapwright_fetch::Fetch;
use mapwright_frontier::Settlement;
use mapwright_model::{Outcome, Purpose, Via, Visit};

impl<C: Fetch> ResponseReader<'_, C> {
    pub(super) fn sitemap(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let task = self.task;
        if let Some(url) = &self.location {
            visit.outcome = Outcome::Redirect;
            visit.target = Some(collector.find(url, Via::Resource));
            let file = Prerequisite { purpose: task.purpose, level: task.level, named_by_robots: task.named_by_robots };
            collector.prerequisite(url, Via::Redirect, file);
        } else if matches!(self.reply.status, 200 | 203) {
            visit.outcome = Outcome::File;
            let file = SitemapFile::new(task, &self.reply.body, self.reply.headers.content_type());
            let (entries, is_finished) = file.entries(&self.context.reading, collector);
            visit.entries = entries;
            if self.context.audits && task.purpose == Purpose::Sitemap {
                visit.faults = file.faults(visit.cut, self.at);
            }
            // A rule of the protocol reports a file that exceeds the read limit.
            visit.unfinished = !is_finished && !visit.cut;
            if self.context.audits && visit.unfinished {
                visit.faults.push(unfinished());
            }
        } else if self.throttles() {
            visit.outcome = Outcome::Throttled;
        }
        Settlement::Done
    }
}
