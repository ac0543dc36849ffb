//! Reading robots files, and the sitemaps that they name.

use crate::discover::{LinkCollector, Prerequisite};
use crate::options::Reading;
use mapwright_frontier::RobotsAnswer;
use mapwright_model::{Purpose, Task, Via};
use mapwright_web::{PageUrl, Robots};
use std::sync::Arc;

/// Customary path of a sitemap; requested where robots.txt names none.
const USUAL_PLACE: &str = "/sitemap.xml";

/// Returns the rules of a robots file that answered 2xx, and adds the sitemaps that it names.
pub(crate) fn robots(body: &[u8], task: &Task, reading: &Reading, collector: &mut LinkCollector<'_>) -> RobotsAnswer {
    let robots = Robots::compile(body);
    if reading.sitemaps {
        let named: Vec<PageUrl> = robots
            .sitemaps()
            .iter()
            .filter_map(|text| PageUrl::join(task.url.as_url(), text, encoding_rs::UTF_8, &reading.identity).ok())
            .collect();
        for url in &named {
            collector.prerequisite(
                url,
                Via::RobotsTxt,
                Prerequisite { purpose: Purpose::Sitemap, level: 0, named_by_robots: true },
            );
        }
        if named.is_empty() {
            usual_sitemap(task, reading, collector);
        }
    }
    RobotsAnswer::Rules(Arc::new(robots))
}

/// Adds the customary sitemap of the origin whose robots file was requested.
pub(crate) fn usual_sitemap(task: &Task, reading: &Reading, collector: &mut LinkCollector<'_>) {
    let Some(origin) = &task.robots_of else { return };
    if !reading.sitemaps {
        return;
    }
    if let Ok(url) = PageUrl::parse(&format!("{origin}{USUAL_PLACE}"), &reading.identity) {
        collector.prerequisite(
            &url,
            Via::RobotsTxt,
            Prerequisite { purpose: Purpose::Sitemap, level: 0, named_by_robots: false },
        );
    }
}
