//! The defaults of the settings, which users read, are those of the libraries that own the limits.

use super::{engine_options, rules};
use crate::audit::thresholds;
use crate::crawl_spec::CrawlSpec;
use crate::fetch_options;
use mapwright_audit::{CheckThresholds, TextLength};
use mapwright_engine::EngineOptions;
use mapwright_fetch::FetchOptions;
use mapwright_frontier::Rules;
use mapwright_settings::{CommandKind, Layers, Loaded, arguments};
use mapwright_web::KeyMaker;

/// The settings of a command line.
fn settings(kind: CommandKind, words: &[&str]) -> Loaded {
    let command = clap::Command::new("mapwright").no_binary_name(true).args(arguments(kind));
    let matches = command.get_matches_from(words);
    Layers::read(&matches, std::iter::empty(), None).unwrap().load(None, None).unwrap()
}

/// The settings of a command line without options.
fn defaults() -> Loaded {
    settings(CommandKind::Crawl, &[])
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

#[test]
fn the_audit_has_the_thresholds_of_the_settings() {
    let limits = |words: &[&str]| thresholds(&settings(CommandKind::Audit, words).settings);
    let usual = CheckThresholds::default();
    assert_eq!(limits(&[]), usual);
    let title = |change: fn(&mut TextLength)| {
        let mut changed = usual;
        change(&mut changed.title);
        changed
    };
    assert_eq!(limits(&["--min-title", "3"]), title(|length| length.min = 3));
    assert_eq!(limits(&["--max-title", "3"]), title(|length| length.max = 3));
    assert_eq!(limits(&["--max-title-width", "3"]), title(|length| length.max_width = 3));
    let description = |change: fn(&mut TextLength)| {
        let mut changed = usual;
        change(&mut changed.description);
        changed
    };
    assert_eq!(limits(&["--max-description", "3"]), description(|length| length.max = 3));
    assert_eq!(limits(&["--max-description-width", "3"]), description(|length| length.max_width = 3));
    assert_eq!(limits(&["--thin", "3"]), CheckThresholds { thin: 3, ..usual });
    assert_eq!(limits(&["--long-url", "3"]), CheckThresholds { long_url: 3, ..usual });
}
