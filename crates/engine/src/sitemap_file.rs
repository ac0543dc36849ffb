//! Reading the site's own sitemaps and feeds.

use crate::discover::{LinkCollector, Prerequisite};
use crate::options::Reading;
use jiff::Timestamp;
use mapwright_model::{Purpose, ReadEntry, SitemapFault, Target, Task, UNFINISHED, Via};
use mapwright_sitemap::{
    AlternateEntry, CheckReport, CheckRule, DocumentContext, DocumentKind, Item, MAX_BYTES, ReadLimits, Reader, check,
};
use mapwright_web::{PageUrl, media};
use std::collections::BTreeMap;

/// A sitemap or feed of the site.
pub(crate) struct SitemapFile<'a> {
    task: &'a Task,
    body: &'a [u8],
    about: DocumentContext,
}

impl<'a> SitemapFile<'a> {
    pub(crate) fn new(task: &'a Task, body: &'a [u8], content_type: Option<&str>) -> Self {
        let charset = content_type.and_then(media::charset).map(str::to_owned);
        Self {
            task,
            body,
            about: DocumentContext { url: Some(task.url.as_url().clone()), charset, ..DocumentContext::default() },
        }
    }

    /// Returns the entries, adds each as a discovery, and reports whether the file was read to its end as the format
    /// that it claims to be.
    pub(crate) fn entries(&self, reading: &Reading, collector: &mut LinkCollector<'_>) -> (Vec<ReadEntry>, bool) {
        let limits = ReadLimits { bytes: reading.max_sitemap, ..ReadLimits::default() };
        let via = if self.task.purpose == Purpose::Feed { Via::Feed } else { Via::Sitemap };
        let mut entries = Vec::new();
        let mut reader = Reader::of(self.body, &limits, &self.about);
        let mut lists = false;
        for item in reader.by_ref() {
            lists = true;
            match item {
                Item::Page(page) => {
                    let Ok(url) = PageUrl::parse(&page.loc, &reading.identity) else { continue };
                    let lastmod = page.lastmod.map(|date| date.to_string());
                    let target = collector.find(&url, via);
                    let alternates = alternates(page.alternates, reading, collector);
                    entries.push(ReadEntry { target, lastmod, alternates });
                }
                Item::Sitemap { loc, .. } => {
                    let Ok(url) = PageUrl::parse(&loc, &reading.identity) else { continue };
                    let level = self.task.route.level.saturating_add(1);
                    let file = Prerequisite {
                        purpose: Purpose::Sitemap,
                        level,
                        named_by_robots: self.task.route.named_by_robots,
                    };
                    collector.prerequisite(&url, via, file);
                }
            }
        }
        // Lines of text without URLs are no sitemap.
        let is_one = reader.kind().is_some_and(|kind| lists || kind != DocumentKind::Text);
        (entries, is_one && !reader.truncated())
    }

    /// Returns the rules of the protocol that the file breaks, each once. `cut`: the file was longer than the read
    /// limit.
    pub(crate) fn faults(&self, cut: bool, now: Timestamp) -> Vec<SitemapFault> {
        let report = check(self.body, &self.about, now);
        let is_nested = report.kind == Some(DocumentKind::Index) && self.task.route.level > 0;
        let mut faults = by_rule(report);
        if is_nested {
            let what = "this index is listed by another".to_owned();
            faults.entry(CheckRule::NestedIndex).or_insert_with(|| full_file(CheckRule::NestedIndex, what));
        }
        if cut {
            // A defect at the cut is no fault of the file.
            faults.remove(&CheckRule::NotWellFormed);
            let what = format!("the file is larger than {MAX_BYTES} bytes");
            faults.entry(CheckRule::TooLarge).or_insert_with(|| full_file(CheckRule::TooLarge, what));
        }
        faults.into_values().collect()
    }
}

/// Returns the alternates of an entry, each added as a discovery.
fn alternates(
    named: Vec<AlternateEntry>,
    reading: &Reading,
    collector: &mut LinkCollector<'_>,
) -> Vec<(String, Target)> {
    let find = |AlternateEntry { code, loc }| {
        let url = PageUrl::parse(&loc, &reading.identity).ok()?;
        Some((code, collector.find(&url, Via::Sitemap)))
    };
    named.into_iter().filter_map(find).collect()
}

/// Groups the faults of a report by rule: the first place of each, and their number.
fn by_rule(report: CheckReport) -> BTreeMap<CheckRule, SitemapFault> {
    let mut faults: BTreeMap<CheckRule, SitemapFault> = BTreeMap::new();
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
    faults
}

/// Returns the fault of a file that was not read to its end.
pub(crate) fn unfinished() -> SitemapFault {
    SitemapFault { rule: UNFINISHED, line: 1, what: "the file was not read to its end".to_owned(), count: 1 }
}

/// Returns a fault of the entire file.
fn full_file(rule: CheckRule, what: String) -> SitemapFault {
    SitemapFault { rule: rule.code(), line: 1, what, count: 1 }
}
