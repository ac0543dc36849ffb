//! Reading what is no page: robots files, sitemaps and feeds.

use crate::discover::{Finds, Prerequisite};
use crate::options::Reading;
use crate::visited::Entry;
use crate::visited::SitemapFault;
use jiff::Timestamp;
use mapwright_frontier::{Purpose, RobotsAnswer, Task, Via};
use mapwright_sitemap::{DocumentKind, Item, MAX_BYTES, ReadLimits, Reader, Rule, Subject, check};
use mapwright_web::{PageUrl, Robots, media};
use std::collections::BTreeMap;
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

/// What is known of a sitemap or feed beside its bytes.
pub(crate) fn subject(task: &Task, content_type: Option<&str>) -> Subject {
    Subject { url: Some(task.url.as_url().clone()), charset: content_type.and_then(media::charset).map(str::to_owned) }
}

/// The entries of a sitemap or feed, each found by it.
pub(crate) fn sitemap(
    body: &[u8],
    about: &Subject,
    task: &Task,
    reading: &Reading,
    finds: &mut Finds<'_>,
) -> Vec<Entry> {
    let limits = ReadLimits { bytes: reading.max_sitemap, ..ReadLimits::default() };
    let via = if task.purpose == Purpose::Feed { Via::Feed } else { Via::Sitemap };
    let mut entries = Vec::new();
    for item in Reader::of(body, &limits, about) {
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

/// What is wrong with a sitemap by the protocol: each rule that it breaks once. `cut`: it was longer than is read.
pub(crate) fn faults(body: &[u8], about: &Subject, task: &Task, cut: bool, now: Timestamp) -> Vec<SitemapFault> {
    let report = check(body, about, now);
    let is_nested = report.kind == Some(DocumentKind::Index) && task.level > 0;
    let mut faults: BTreeMap<Rule, SitemapFault> = BTreeMap::new();
    for fault in report.faults {
        let known = faults.entry(fault.rule).or_insert_with(|| SitemapFault {
            rule: fault.rule.code(),
            line: fault.line,
            what: fault.what,
            count: 0,
        });
        known.count += 1;
    }
    for (rule, count) in report.further_faults {
        faults.entry(rule).and_modify(|known| known.count += count);
    }
    if is_nested {
        let rule = Rule::NestedIndex;
        let what = "this index is listed by another".to_owned();
        faults.entry(rule).or_insert(SitemapFault { rule: rule.code(), line: 1, what, count: 1 });
    }
    if cut {
        // What stands at the cut is no fault of the file.
        faults.remove(&Rule::NotWellFormed);
        let what = format!("the file is larger than {MAX_BYTES} bytes");
        faults.entry(Rule::TooLarge).or_insert(SitemapFault { rule: Rule::TooLarge.code(), line: 1, what, count: 1 });
    }
    faults.into_values().collect()
}
