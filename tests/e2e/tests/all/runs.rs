//! `mapwright runs`: the runs of a record, and their retention.
#![allow(clippy::panic, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use mapwright_e2e::clock;
use mapwright_e2e::{Crawl, RepeatedCrawls, Revision, links};
use serde_json::Value;

/// The runs as JSON: one valid value on one line, newest first.
#[track_caller]
fn runs_json(rounds: &RepeatedCrawls, more: &[&str]) -> Vec<Value> {
    let done = rounds.query(&[&["runs", "--format", "json"], more].concat()).exited(0);
    assert_eq!(done.stdout.trim_end_matches('\n').lines().count(), 1, "{}", done.stdout);
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("no list ({error}): {}", done.stdout))
}

#[track_caller]
fn numbers(rounds: &RepeatedCrawls, more: &[&str]) -> Vec<u64> {
    runs_json(rounds, more).iter().filter_map(|run| run["run"].as_u64()).collect()
}

/// A site of some pages with entity tags, and a page without one.
fn small() -> RepeatedCrawls {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/b"]));
    for path in ["/a", "/b"] {
        Revision::new(format!("<h1>{path}</h1>")).etag("\"1\"").publish(&rounds, path);
    }
    rounds
}

#[test]
fn runs_are_listed_newest_first() {
    let rounds = small();
    drop(rounds.crawls(3));
    let text = rounds.query(&["runs"]).exited(0).stdout;
    assert_eq!(text.lines().count(), 4, "{text}");
    let first_words: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(first_words, ["3", "2", "1"]);
    assert!(text.lines().skip(1).all(|line| line.contains("complete") && line.contains(&rounds.url("/"))), "{text}");
}

#[test]
fn json_shows_state_time_and_figures() {
    let rounds = small();
    drop(rounds.crawls(2));
    rounds.stall("/b");
    let cut = Crawl::of(&rounds).within(rounds.workspace()).args(["--max-time", "1s"]).run();
    let _ = cut.exited(4);
    let runs = runs_json(&rounds, &[]);
    let states: Vec<&str> = runs.iter().filter_map(|run| run["state"].as_str()).collect();
    assert_eq!(states, ["cut", "complete", "complete"]);
    assert_eq!(runs[2]["summary"]["listed"], 3);
    assert_eq!(runs[1]["summary"]["not_modified"], 2);
    assert_eq!(runs[1]["starts"], serde_json::json!([rounds.url("/")]));
    assert!(runs[1]["started"].as_str() > runs[2]["started"].as_str(), "{runs:?}");
    assert!(runs[0]["queued"].as_u64() > Some(0), "{:?}", runs[0]);
}

#[test]
fn a_dropped_run_is_reported_as_dropped() {
    let rounds = small();
    rounds.stall("/b");
    let cut = Crawl::of(&rounds).within(rounds.workspace()).args(["--max-time", "1s"]).run();
    let _ = cut.exited(4);
    rounds.page("/b", "<h1>b</h1>");
    drop(rounds.crawl());
    let states: Vec<Value> = runs_json(&rounds, &[]).iter().map(|run| run["state"].clone()).collect();
    assert_eq!(states, ["complete", "dropped"]);
}

#[test]
fn without_a_record_it_says_so() {
    let rounds = RepeatedCrawls::new();
    let done = rounds.query(&["runs"]).exited(2);
    assert_eq!(done.stderr.trim_end().lines().count(), 1, "{}", done.stderr);
    assert!(!rounds.workspace().state().exists(), "the query made a record");
}

// ---- retention

#[test]
fn a_crawl_keeps_the_configured_number_of_runs() {
    let rounds = small();
    for run in 1..=5_u64 {
        drop(rounds.crawl_with(&["--keep-runs", "3"]));
        let expected: Vec<u64> = (1..=run).rev().take(3).collect();
        assert_eq!(numbers(&rounds, &[]), expected);
    }
}

#[test]
fn a_run_is_complete_though_old_ones_cannot_be_dropped() {
    let rounds = small();
    drop(rounds.crawls(3));
    rounds.tamper("CREATE TRIGGER stays BEFORE DELETE ON run BEGIN SELECT RAISE(ABORT, 'it stays'); END");
    let round = rounds.crawl_with(&["--keep-runs", "2"]);
    let reported = format!("{}{}", round.crawled.stdout(), round.crawled.stderr());
    assert!(reported.contains("old runs could not be dropped from the record: "), "{reported}");
    assert_eq!(runs_json(&rounds, &[])[0]["state"], "complete");
    assert_eq!(numbers(&rounds, &[]), [4, 3, 2, 1]);
}

#[test]
fn prune_removes_runs_and_their_numbers_are_not_reused() {
    let rounds = small();
    drop(rounds.crawls(5));
    assert_eq!(numbers(&rounds, &["--prune", "--keep-runs", "2"]), [5, 4]);
    assert_eq!(numbers(&rounds, &[]), [5, 4]);
    drop(rounds.crawl());
    assert_eq!(numbers(&rounds, &[]), [6, 5, 4]);
}

#[test]
fn listing_runs_removes_nothing() {
    let rounds = small();
    drop(rounds.crawls(3));
    assert_eq!(numbers(&rounds, &["--keep-runs", "2"]), [3, 2, 1]);
    assert_eq!(numbers(&rounds, &[]), [3, 2, 1]);
}

#[test]
fn runs_that_are_too_old_are_removed_except_the_two_newest() {
    let rounds = small();
    drop(rounds.crawls(4));
    let since = clock::next_second();
    assert_eq!(numbers(&rounds, &["--prune", "--keep-runs-for", "1h"]), [4, 3, 2, 1]);
    clock::wait_for(since + 2);
    drop(rounds.crawl());
    assert_eq!(numbers(&rounds, &["--prune", "--keep-runs-for", "1s"]), [5, 4]);
    clock::wait_for(clock::next_second() + 2);
    assert_eq!(numbers(&rounds, &["--prune", "--keep-runs-for", "1s"]), [5, 4]);
}

/// The stored state of a page does not belong to a run: conditions, dates and the sitemap survive the pruning.
#[test]
fn the_stored_state_of_pages_survives_the_pruning() {
    let rounds = small();
    drop(rounds.crawl());
    Revision::new("<h1>/a</h1><p>more to read</p>").etag("\"2\"").publish(&rounds, "/a");
    let changed = rounds.crawl();
    drop(rounds.crawls(3));
    assert_eq!(numbers(&rounds, &["--prune", "--keep-runs", "2"]), [5, 4]);
    let next = rounds.crawl();
    assert_eq!((next.conditions("/a").0, next.conditions("/b").0), (Some("\"2\""), Some("\"1\"")));
    assert_eq!(next.lastmod(&rounds.url("/a")), changed.lastmod(&rounds.url("/a")));
    assert!(next.lastmod(&rounds.url("/a")).is_some());
    next.crawled.assert_lists(&rounds.urls(&["/", "/a", "/b"]));
    next.crawled.assert_accounts_for_all();
}

#[test]
fn pruning_gives_the_space_back() {
    let rounds = RepeatedCrawls::new();
    let paths: Vec<String> = (0..150).map(|number| format!("/page/{number}")).collect();
    rounds.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    for run in 0..6 {
        for path in &paths {
            let targets: String = (0..20).map(|n| format!("<a href=/page/{n}?r={run}>{path} in {run}</a>")).collect();
            rounds.page(path, format!("<h1>{path} {run}</h1>{targets}"));
        }
        rounds.page("/page/*", "<h1>x</h1>");
        drop(rounds.crawl_with(&["--max-depth", "1"]));
    }
    let size = || -> u64 {
        mapwright_e2e::files::files_in(&rounds.workspace().state()).values().map(|bytes| bytes.len() as u64).sum()
    };
    let before = size();
    assert_eq!(numbers(&rounds, &["--prune", "--keep-runs", "2"]), [6, 5]);
    assert!(size() * 10 < before * 6, "{} bytes of {before} are left", size());
    drop(rounds.crawl_with(&["--max-depth", "1"]));
}

/// The two newest runs always stay, so that they can be compared.
#[test]
fn to_keep_fewer_than_two_runs_is_a_usage_error() {
    let rounds = small();
    drop(rounds.crawl());
    for number in ["0", "1", "-1", "few"] {
        let done = rounds.query(&["runs", "--prune", &format!("--keep-runs={number}")]).exited(2);
        assert!(done.stderr.contains("keep-runs"), "{}", done.stderr);
    }
    assert_eq!(numbers(&rounds, &[]), [1]);
}
