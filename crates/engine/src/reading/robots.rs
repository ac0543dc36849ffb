//! Reads the response to a request for robots.txt (RFC 9309 section 2.3.1).

use super::ResponseReader;
use crate::discover::LinkCollector;
use crate::prerequisite;
use crate::response::{RedirectTarget, ResponseClass};
use mapwright_fetch::Fetch;
use mapwright_frontier::{MAX_ROBOTS_HOPS, RobotsAnswer, Settlement};
use mapwright_model::{Content, Outcome, Via, Visit};

impl<C: Fetch> ResponseReader<'_, C> {
    pub(super) fn robots(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let reading = &self.context.reading;
        Settlement::Robots(match (self.response.status, self.response.redirect()) {
            (_, Some(RedirectTarget { url, .. })) => {
                visit.outcome = Outcome::Redirect;
                visit.response.target = Some(collector.find(url, Via::Resource));
                // A redirect that is followed no further counts as unavailable and, like a 4xx, names no sitemap.
                if self.task.route.hops >= MAX_ROBOTS_HOPS {
                    prerequisite::usual_sitemap(self.task, reading, collector);
                }
                RobotsAnswer::Hop(url.clone())
            }
            (200..=299, None) if self.response.class == ResponseClass::Broken => {
                visit.outcome = Outcome::Broken;
                RobotsAnswer::Silent("reset")
            }
            (200..=299, None) => {
                visit.outcome = Outcome::File;
                visit.content = Content::Robots(String::from_utf8_lossy(&self.reply.body).into_owned());
                prerequisite::robots(&self.reply.body, self.task, reading, collector)
            }
            (429 | 500..=599, None) => RobotsAnswer::Status(self.reply.status),
            _ => {
                prerequisite::usual_sitemap(self.task, reading, collector);
                RobotsAnswer::Free
            }
        })
    }
}
