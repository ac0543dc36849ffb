//! `--recrawl due`: only pages that are likely to have changed are requested, within limits.

use mapwright_e2e::clock;
use mapwright_e2e::{Crawl, RepeatedCrawls, Revision, links};

/// A page with this HTML and an entity tag.
fn tagged(html: &str) -> Revision {
    Revision::new(html).etag("\"1\"")
}

/// A site with a page that changed before each of five crawls, and one that never changed.
fn with_a_history() -> RepeatedCrawls {
    let rounds = RepeatedCrawls::new();
    tagged(&links(&["/hot", "/cold"])).publish(&rounds, "/");
    tagged("<h1>Cold</h1><p>never another word</p>").publish(&rounds, "/cold");
    for words in 1..=5 {
        heat(&rounds, words);
        drop(rounds.crawl());
    }
    // The record shows hours between these crawls, so that the speed of this machine has no effect.
    rounds.backdate_first("/cold", 3_600_000);
    rounds
}

fn heat(rounds: &RepeatedCrawls, words: usize) {
    const NEWS: [&str; 7] = ["rain", "hail", "snow", "wind", "fog", "sun", "thunder"];
    let news: String = NEWS.iter().take(words).map(|word| format!("<p>The {word} has come.</p>")).collect();
    Revision::new(format!("<h1>News</h1>{news}")).etag(&format!("\"{words}\"")).publish(rounds, "/hot");
}

#[test]
fn due_requests_pages_that_are_likely_to_have_changed() {
    let rounds = with_a_history();
    heat(&rounds, 6);
    Revision::new(links(&["/hot", "/cold", "/new"])).etag("\"2\"").publish(&rounds, "/");
    rounds.page("/new", "<h1>New</h1>");
    let due = rounds.crawl_with(&["--recrawl", "due"]);
    assert_eq!([due.hits("/"), due.hits("/hot"), due.hits("/cold"), due.hits("/new")], [1, 1, 0, 1]);
    due.crawled.assert_lists(&rounds.urls(&["/", "/hot", "/cold", "/new"]));
    due.crawled.assert_accounts_for_all();
    assert_eq!(due.crawled.summary()["not_requested"], 1);
    assert_eq!(due.conditions("/hot").0, Some("\"5\""));
}

/// The last good response of a failing page remains in use, so the page must be requested again and not be skipped as
/// unchanged.
#[test]
fn a_page_that_failed_in_a_full_sweep_is_requested_again() {
    let rounds = with_a_history();
    rounds.status("/cold", 404);
    rounds.crawl_with(&["--shrink-guard", "0"]).crawled.assert_lists(&rounds.urls(&["/", "/hot"]));
    let due = rounds.crawl_with(&["--recrawl", "due"]);
    assert_eq!(due.hits("/cold"), 1);
    due.crawled.assert_lists(&rounds.urls(&["/", "/hot"]));
}

#[test]
fn links_of_a_page_that_was_not_due_are_followed() {
    let rounds = with_a_history();
    tagged(&format!("<h1>Cold</h1><p>x</p>{}", links(&["/behind"]))).etag("\"2\"").publish(&rounds, "/cold");
    heat(&rounds, 6);
    rounds.page("/behind", links(&["/behind/2"])).page("/behind/2", "<h1>2</h1>");
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/hot", "/cold", "/behind", "/behind/2"]));
    let due = rounds.crawl_with(&["--recrawl", "due"]);
    due.crawled.assert_lists(&rounds.urls(&["/", "/hot", "/cold", "/behind", "/behind/2"]));
    due.crawled.assert_accounts_for_all();
}

#[test]
fn due_requests_everything_in_a_full_sweep_and_beyond_the_maximum_age() {
    let rounds = with_a_history();
    for bound in [["--full-every", "1"], ["--max-age", "0"]] {
        let due = rounds.crawl_with(&["--recrawl", "due", bound[0], bound[1]]);
        assert_eq!([due.hits("/"), due.hits("/hot"), due.hits("/cold")], [1, 1, 1], "{bound:?}");
        assert_eq!(due.crawled.summary()["not_requested"], 0, "{bound:?}");
        due.crawled.assert_lists(&rounds.urls(&["/", "/hot", "/cold"]));
    }
}

#[test]
fn a_full_sweep_comes_after_a_number_of_runs() {
    let rounds = with_a_history();
    let requested: Vec<usize> =
        (0..6).map(|_| rounds.crawl_with(&["--recrawl", "due", "--full-every", "3"]).hits("/cold")).collect();
    assert_eq!(requested.iter().sum::<usize>(), 2, "{requested:?}");
    let sweeps: Vec<usize> = (0..6).filter(|run| requested[*run] == 1).collect();
    assert_eq!(sweeps[1] - sweeps[0], 3, "{requested:?}");
}

#[test]
fn a_page_older_than_the_maximum_age_is_requested() {
    let rounds = with_a_history();
    let since = clock::next_second();
    let young = rounds.crawl_with(&["--recrawl", "due", "--max-age", "1h"]);
    assert_eq!(young.hits("/cold"), 0);
    clock::wait_for(since + 3);
    let old = rounds.crawl_with(&["--recrawl", "due", "--max-age", "2s"]);
    assert_eq!(old.hits("/cold"), 1);
}

#[test]
fn robots_txt_binds_pages_that_are_not_due() {
    let rounds = with_a_history();
    rounds.robots("User-agent: *\nDisallow: /cold\n");
    let due = rounds.crawl_with(&["--recrawl", "due"]);
    assert_eq!(due.hits("/cold"), 0);
    due.crawled.assert_lists(&rounds.urls(&["/", "/hot"]));
    due.crawled.assert_excluded(&rounds.url("/cold"), "robots");
}

#[test]
fn scope_binds_pages_that_are_not_due() {
    let rounds = with_a_history();
    let due = rounds.crawl_with(&["--recrawl", "due", "--exclude", "/cold"]);
    due.crawled.assert_lists(&rounds.urls(&["/", "/hot"]));
    due.crawled.assert_excluded(&rounds.url("/cold"), "excluded");
}

#[test]
fn invalid_limits_are_usage_errors() {
    let rounds = RepeatedCrawls::new();
    for bound in [["--recrawl", "sometimes"], ["--max-age", "soon"], ["--full-every", "0"], ["--full-every", "x"]] {
        let crawled = Crawl::of(&rounds).within(rounds.workspace()).args(bound).run().exited(2);
        assert!(crawled.stderr().contains(bound[0]), "{}", crawled.stderr());
    }
}
