//! Reading robots files, and where they lead.

use crate::discover::{Finds, Prerequisite};
use crate::options::Reading;
use mapwright_frontier::{Purpose, RobotsAnswer, Task, Via};
use mapwright_web::{PageUrl, Robots};
use std::sync::Arc;

/// Where most sites put their sitemap; read where robots.txt names none.
const USUAL_PLACE: &str = "/sitemap.xml";

/// The rules of a robots file that answered 2xx, and the sitemaps it names.
pub(crate) fn robots(body: &[u8], task: &Task, reading: &Reading, finds: &mut Finds<'_>) -> RobotsAnswer {
    let robots = Robots::compile(body);
    if reading.sitemaps {
        let named: Vec<PageUrl> = robots
            .sitemaps()
            .iter()
            .filter_map(|text| PageUrl::join(task.url.as_url(), text, encoding_rs::UTF_8, &reading.identity).ok())
            .collect();
        for url in &named {
            finds.prerequisite(
                url,
                Via::RobotsTxt,
                Prerequisite { purpose: Purpose::Sitemap, level: 0, invited: true },
            );
        }
        if named.is_empty() {
            usual_sitemap(task, reading, finds);
        }
    }
    RobotsAnswer::Rules(Arc::new(robots))
}

/// The usual place of a sitemap at the origin whose robots file was asked for.
pub(crate) fn usual_sitemap(task: &Task, reading: &Reading, finds: &mut Finds<'_>) {
    let Some(origin) = &task.robots_of else { return };
    if !reading.sitemaps {
        return;
    }
    if let Ok(url) = PageUrl::parse(&format!("{origin}{USUAL_PLACE}"), &reading.identity) {
        finds.prerequisite(&url, Via::RobotsTxt, Prerequisite { purpose: Purpose::Sitemap, level: 0, invited: false });
    }
}
