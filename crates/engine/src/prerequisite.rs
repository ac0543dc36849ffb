//! Reading what is no page: robots files, sitemaps and feeds.

use crate::discover::{Finds, Prerequisite};
use crate::options::Reading;
use crate::visited::Entry;
use mapwright_frontier::{Purpose, RobotsAnswer, Task, Via};
use mapwright_sitemap::{Item, ReadLimits, Reader};
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

/// The entries of a sitemap or feed, each found by it.
pub(crate) fn sitemap(body: &[u8], task: &Task, reading: &Reading, finds: &mut Finds<'_>) -> Vec<Entry> {
    let limits = ReadLimits { bytes: reading.max_sitemap, ..ReadLimits::default() };
    let via = if task.purpose == Purpose::Feed { Via::Feed } else { Via::Sitemap };
    let mut entries = Vec::new();
    for item in Reader::of_url(body, &limits, task.url.as_url()) {
        match item {
            Item::Page(page) => {
                let Ok(url) = PageUrl::parse(&page.loc, &reading.identity) else { continue };
                let lastmod = page.lastmod.map(|date| date.to_string());
                entries.push(Entry { target: finds.find(&url, via), lastmod });
            }
            Item::Sitemap { loc, .. } => {
                let Ok(url) = PageUrl::parse(&loc, &reading.identity) else { continue };
                let level = task.level.saturating_add(1);
                let file = Prerequisite { purpose: Purpose::Sitemap, level, invited: task.invited };
                finds.prerequisite(&url, via, file);
            }
        }
    }
    entries
}
