//! The content by a selector, `changefreq` and `priority`.

use crate::content::{article, crawl_a, leading_to};
use mapwright_e2e::{CrawlRound, RepeatedCrawls, links};

// ---- the content by a selector

/// Crawls `/a` with these parts and `--content-selector main`.
fn crawl_parts(rounds: &RepeatedCrawls, main: &str, aside: &str) -> CrawlRound {
    rounds.page("/a", format!("<title>t</title><main><p>{main}</p></main><aside><p>{aside}</p></aside>"));
    rounds.crawl_with(&["--content-selector", "main"])
}

#[test]
fn text_outside_the_selector_is_no_content() {
    let rounds = leading_to(&["/a"]);
    let url = rounds.url("/a");
    drop(crawl_parts(&rounds, "Rivers", "one advertisement"));
    crawl_parts(&rounds, "Rivers", "another").assert_undated(&url);
    let third = crawl_parts(&rounds, "Rivers", "a third");
    third.assert_undated(&url);
    let fourth = crawl_parts(&rounds, "Rivers that flood", "a third");
    fourth.assert_changed_since(&url, &third);
    let fifth = crawl_parts(&rounds, "Rivers that flood", "a fifth");
    assert_eq!(fifth.lastmod(&url), fourth.lastmod(&url));
}

#[test]
fn several_selectors_count_together() {
    let rounds = leading_to(&["/a"]);
    let parts = |main: &str, aside: &str, footer: &str| {
        rounds.page("/a", format!("<main>{main}</main><aside>{aside}</aside><footer>{footer}</footer>"));
        rounds.crawl_with(&["--content-selector", "main", "--content-selector", "aside"])
    };
    drop(parts("Rivers", "Boats", "May"));
    let second = parts("Rivers", "Boats", "June");
    second.assert_undated(&rounds.url("/a"));
    parts("Rivers", "Ships", "June").assert_changed_since(&rounds.url("/a"), &second);
}

#[test]
fn a_selector_that_matches_nothing_selects_the_entire_page() {
    let rounds = leading_to(&["/a"]);
    let first = crawl_a_selected(&rounds, "Rivers");
    let second = crawl_a_selected(&rounds, "Rivers that flood");
    second.assert_changed_since(&rounds.url("/a"), &first);
}

fn crawl_a_selected(rounds: &RepeatedCrawls, words: &str) -> CrawlRound {
    rounds.page("/a", article("", words));
    rounds.crawl_with(&["--content-selector", "#no-such-thing"])
}

#[test]
fn an_invalid_selector_is_a_usage_error() {
    let rounds = RepeatedCrawls::new();
    for selector in ["main >", "p::", "[x=", ":no-such-class"] {
        let words = ["crawl", "http://127.0.0.1:9/", "--content-selector", selector];
        let done = rounds.query(&words).exited(2);
        let lines: Vec<&str> = done.stderr.lines().filter(|line| !line.trim().is_empty()).collect();
        assert_eq!(lines.len(), 1, "{selector:?}: {}", done.stderr);
        assert!(lines[0].contains("content-selector") && lines[0].contains(selector), "{}", done.stderr);
    }
}

// ---- changefreq and priority

#[test]
fn changefreq_and_priority_are_off_by_default() {
    let rounds = leading_to(&["/a"]);
    drop(crawl_a(&rounds, "", article("", "Rivers")));
    for entry in crawl_a(&rounds, "", article("", "Rivers that flood")).crawled.entries() {
        assert_eq!((entry.changefreq, entry.priority), (None, None), "{}", entry.loc);
    }
}

#[test]
fn changefreq_follows_the_changes_that_were_seen() {
    const WORDS: [&str; 7] = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];
    let rounds = leading_to(&["/a", "/b"]);
    rounds.page("/b", article("", "Lakes"));
    for words in ["Rivers", "Rivers that flood", "Rivers of old"] {
        drop(crawl_a(&rounds, "", article("", words)));
    }
    rounds.page("/a", article("", "Rivers again"));
    let entries = rounds.crawl_with(&["--changefreq"]).crawled.entries();
    assert!(entries.iter().all(|entry| entry.priority.is_none()));
    let rank = |path: &str| {
        let word =
            entries.iter().find(|entry| entry.loc == rounds.url(path)).and_then(|entry| entry.changefreq.clone());
        word.map(|word| WORDS.iter().position(|known| *known == word).unwrap_or_else(|| panic!("{word}")))
    };
    let hot = rank("/a").expect("a page that changed in each of four runs");
    assert!(rank("/b").is_none_or(|cold| cold > hot), "{entries:#?}");
}

#[test]
fn priority_falls_with_the_clicks_from_the_start() {
    let rounds = leading_to(&["/1"]);
    for depth in 1..6 {
        rounds
            .page(&format!("/{depth}"), article("", &format!("Step {depth}")) + &links(&[&format!("/{}", depth + 1)]));
    }
    rounds.page("/6", article("", "The last step"));
    let entries = rounds.crawl_with(&["--priority"]).crawled.entries();
    let priority = |path: &str| -> f64 {
        let entry = entries.iter().find(|entry| entry.loc == rounds.url(path)).unwrap();
        entry.priority.as_deref().unwrap_or_else(|| panic!("{path} has no priority")).parse().unwrap()
    };
    let falling: Vec<f64> = ["/", "/1", "/2", "/3", "/4", "/5", "/6"].map(priority).to_vec();
    assert!(falling.iter().all(|value| (0.0..=1.0).contains(value)), "{falling:?}");
    assert!(falling.is_sorted_by(|one, next| one >= next) && falling[0] > falling[6], "{falling:?}");
    assert!(entries.iter().all(|entry| entry.changefreq.is_none()));
}
