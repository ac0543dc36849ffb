//! The defaults of the settings, which users read, are those of the libraries that own the limits.

use super::{engine_options, rules};
use crate::crawl_spec::CrawlSpec;
use crate::fetch_options;
use mapwright_engine::EngineOptions;
use mapwright_fetch::FetchOptions;
use mapwright_frontier::Rules;
use mapwright_settings::{CommandKind, Layers, Loaded, arguments};
use mapwright_web::KeyMaker;

/// The settings of a command line without options.
fn defaults() -> Loaded {
    let command = clap::Command::new("crawl").args(arguments(CommandKind::Crawl));
    let matches = command.get_matches_from(["crawl"]);
    Layers::read(&matches, std::iter::empty(), None).unwrap().load(None, None).unwrap()
}

#[test]
fn the_scheduler_has_the_defaults_of_the_settings() {
    assert_eq!(rules(&defaults().settings), Rules::default());
}

#[test]
fn the_engine_has_the_defaults_of_the_settings() {
    let Loaded { settings, recorded, .. } = defaults();
    let urls = ["http://example.com/".to_owned()];
    let spec = CrawlSpec::new(settings, recorded, &urls, |_, _| unreachable!("no input is named")).unwrap();
    let limits = |options: &EngineOptions| {
        let limits = (options.concurrency, options.retries, options.max_depth, options.max_redirects);
        let sitemaps = (options.max_sitemap_files, options.max_sitemap_depth, options.pattern_budget);
        let reading = (options.reading.max_body, options.reading.full_body_kinds, options.reading.follow_nofollow);
        (limits, sitemaps, reading, options.reading.sitemaps, options.reading.feeds, options.max_time)
    };
    let wired = engine_options(&spec, KeyMaker::new(0, 0), super::PriorKnowledge::default());
    assert_eq!(limits(&wired), limits(&EngineOptions::default()));
}

#[test]
fn the_fetcher_has_the_defaults_of_the_settings() {
    let limits = |options: &FetchOptions| {
        let times = (options.timeout, options.connect_timeout, options.first_byte_timeout);
        (options.user_agent.clone(), times, options.bytes_in_flight, options.max_idle, options.http2, options.insecure)
    };
    assert_eq!(limits(&fetch_options(&defaults().settings).unwrap()), limits(&FetchOptions::default()));
}
