//! Turns settings into the options of the scheduler, the page reader and the record.

use crate::crawl_spec::CrawlSpec;
use mapwright_engine::{Checks, EngineOptions, Reading};
use mapwright_frontier::{PaceRules, Rules};
use mapwright_settings::{ListKind, ListType, Recrawl as RecrawlSetting, Settings};
use mapwright_store::{Policy, Recrawl, Retention};
use mapwright_traps::{ParameterKey, ParameterRole};
use mapwright_web::media::{Kinds, MediaKind};
use mapwright_web::{KeyMaker, Limits, ScopeKind, UrlKey};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Returns the rules of the scheduler.
pub(crate) fn rules(settings: &Settings) -> Rules {
    let crawl = &settings.crawl;
    let by_rate = crawl
        .rate_limit
        .filter(|rate| *rate > 0.0)
        .map_or(Duration::ZERO, |rate| Duration::try_from_secs_f64(1.0 / rate).unwrap_or(Duration::MAX));
    Rules {
        pace: PaceRules {
            concurrency: crawl.concurrency,
            interval: crawl.delay.max(by_rate),
            max_crawl_delay: crawl.max_crawl_delay,
            ..PaceRules::default()
        },
        retries: u8::try_from(settings.fetch.retries).unwrap_or(u8::MAX),
        max_urls: crawl.max_urls,
        by_depth: crawl.max_depth.is_some(),
        agent: settings.robots_token().to_owned(),
        ignore_robots: settings.fetch.ignore_robots,
        ..Rules::default()
    }
}

/// Returns how run number `run` requests known pages.
pub(crate) fn recrawl(job: &CrawlSpec, run: i64) -> Recrawl {
    let record = &job.settings.record;
    let sweeps = run % i64::from(record.full_every) == 0;
    let policy = match record.recrawl {
        RecrawlSetting::Full => Policy::Full,
        RecrawlSetting::Due if !sweeps => Policy::Due(record.max_age),
        RecrawlSetting::Conditional | RecrawlSetting::Due => Policy::Conditional,
    };
    Recrawl { policy, settings_hash: settings_hash(&job.settings), keep_failing: record.keep_failing }
}

/// The version of page reading, raised when pages are read in another way.
const READING: u32 = 8;

/// Highest number of slow pages that an audit requests again.
const MAX_TIMED_OF_AUDIT: u32 = 100;
/// Highest number of slow pages that a crawl requests again, for the record's response times. Each takes its time with
/// nothing beside it, and a crawl has no check that depends on it.
const MAX_TIMED_OF_CRAWL: u32 = 20;

/// Returns a hash of all settings that decide what is read from a page.
fn settings_hash(settings: &Settings) -> u64 {
    let (crawl, record) = (&settings.crawl, &settings.record);
    let parts = (
        READING,
        &crawl.drop_param,
        crawl.keep_tracking_params,
        &crawl.links_in,
        &crawl.no_links_in,
        &record.content_selector,
        settings.fetch.max_body,
        settings.render.render,
    );
    KeyMaker::new(0, 0).hash(format!("{parts:?}").as_bytes())
}

/// Returns the kinds of documents that are read to the end: a listed document is dated by its bytes.
fn full_body_kinds(listed: &[ListType]) -> Kinds {
    listed.iter().fold(Kinds::PAGES, |kinds, listed| match listed {
        ListType::Html => kinds,
        ListType::Pdf => kinds.and(MediaKind::Pdf),
        ListType::Text => kinds.and(MediaKind::Text),
        ListType::Xml => kinds.and(MediaKind::Xml),
        ListType::Feed => kinds.and(MediaKind::Feed),
        ListType::Image => kinds.and(MediaKind::Image),
        ListType::Other => kinds.and(MediaKind::Other),
    })
}

/// Returns the retention of runs.
#[must_use]
pub fn retention(settings: &Settings) -> Retention {
    Retention { runs: settings.record.keep_runs, age: settings.record.keep_runs_for }
}

/// The knowledge of a site from earlier runs.
#[derive(Debug, Default)]
pub(crate) struct PriorKnowledge {
    pub(crate) roles: Vec<(ParameterKey, ParameterRole)>,
    pub(crate) sampled: HashSet<UrlKey>,
}

/// Returns the options of the engine.
pub(crate) fn engine_options(job: &CrawlSpec, keys: KeyMaker, prior: PriorKnowledge) -> EngineOptions {
    let (crawl, fetch) = (&job.settings.crawl, &job.settings.fetch);
    EngineOptions {
        concurrency: crawl.concurrency,
        retries: u8::try_from(fetch.retries).unwrap_or(u8::MAX),
        max_depth: crawl.max_depth,
        max_redirects: u8::try_from(fetch.max_redirects).unwrap_or(u8::MAX),
        max_sitemap_files: u64::from(crawl.max_sitemap_files),
        max_sitemap_depth: u8::try_from(crawl.max_sitemap_depth).unwrap_or(u8::MAX),
        pattern_budget: u64::from(crawl.pattern_budget),
        recommended: job.settings.sitemap.list == ListKind::Recommended,
        roles: prior.roles,
        ignore_robots: rules(&job.settings).ignore_robots,
        sampled: prior.sampled,
        in_order: rules(&job.settings).order_matters(),
        max_time: crawl.max_time,
        reading: Reading {
            identity: job.identity.clone(),
            page: Limits {
                identity: job.identity.clone(),
                links_in: job.selection.clone(),
                content: job.content.clone(),
                kept_text: usize::try_from(job.settings.record.keep_text).unwrap_or(usize::MAX),
                clock: running_time,
                ..Limits::default()
            },
            max_body: fetch.max_body,
            full_body_kinds: full_body_kinds(&job.settings.sitemap.list_types),
            agents: vec![job.settings.robots_token().to_owned(), fetch.search_agent.clone()],
            follow_nofollow: crawl.follow_nofollow,
            sitemaps: !crawl.no_sitemaps && crawl.scope != ScopeKind::List,
            feeds: !crawl.no_feeds && crawl.scope != ScopeKind::List,
            keys,
            ..Reading::default()
        },
        checks: Checks {
            audit: job.audit.is_some(),
            slow: job.settings.audit.slow,
            max_timed: if job.audit.is_some() { MAX_TIMED_OF_AUDIT } else { MAX_TIMED_OF_CRAWL },
            external: if job.audit.is_some() && job.settings.audit.check_external {
                u64::from(job.settings.audit.max_external)
            } else {
                0
            },
            resources: if job.audit.is_some() && !job.settings.audit.no_resources {
                u64::from(job.settings.audit.max_resources)
            } else {
                0
            },
        },
        ..EngineOptions::default()
    }
}

/// Returns the time of a clock that never goes back, for parsers that have a deadline.
fn running_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests;
