//! `--recrawl due`: only those pages are asked for that are likely to have changed, within bounds.

use mapwright_e2e::night::clock;
use mapwright_e2e::{Crawl, Revision, Rounds, links};

/// A page under a tag of its own.
fn tagged(html: &str) -> Revision {
    Revision::new(html).etag("\"1\"")
}

/// A site with a page that had more to tell at each of five crawls, and one that never changed.
fn with_a_history() -> Rounds {
    let rounds = Rounds::new();
    tagged(&links(&["/hot", "/cold"])).publish(&rounds, "/");
    tagged("<h1>Cold</h1><p>never another word</p>").publish(&rounds, "/cold");
    for words in 1..=5 {
        heat(&rounds, words);
        drop(rounds.crawl());
    }
    // As if these crawls had been hours apart: how fast this machine is decides nothing.
    rounds.backdate_first("/cold", 3_600_000);
    rounds
}

fn heat(rounds: &Rounds, words: usize) {
    const NEWS: [&str; 7] = ["rain", "hail", "snow", "wind", "fog", "sun", "thunder"];
    let news: String = NEWS.iter().take(words).map(|word| format!("<p>The {word} has come.</p>")).collect();
    Revision::new(format!("<h1>News</h1>{news}")).etag(&format!("\"{words}\"")).publish(rounds, "/hot");
}

#[test]
fn due_asks_for_what_is_likely_to_have_changed() {
    let rounds = with_a_history();
    heat(&rounds, 6);
    Revision::new(links(&["/hot", "/cold", "/new"])).etag("\"2\"").publish(&rounds, "/");
    rounds.page("/new", "<h1>New</h1>");
    let due = rounds.crawl_with(&["--recrawl", "due"]);
    assert_eq!([due.hits("/"), due.hits("/hot"), due.hits("/cold"), due.hits("/new")], [1, 1, 0, 1]);
    due.crawled.assert_lists(&rounds.urls(&["/", "/hot", "/cold", "/new"]));
    due.crawled.assert_accounts_for_all();
    assert_eq!(due.crawled.summary()["not_asked"], 1);
    assert_eq!(due.conditions("/hot").0, Some("\"5\""));
}

/// What an answer that was fine said stands until another comes: then it is not taken for it without being asked again.
#[test]
fn a_page_that_failed_in_a_sweep_is_asked_for_again() {
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
fn due_asks_for_everything_in_a_full_sweep_and_beyond_the_greatest_age() {
    let rounds = with_a_history();
    for bound in [["--full-every", "1"], ["--max-age", "0"]] {
        let due = rounds.crawl_with(&["--recrawl", "due", bound[0], bound[1]]);
        assert_eq!([due.hits("/"), due.hits("/hot"), due.hits("/cold")], [1, 1, 1], "{bound:?}");
        assert_eq!(due.crawled.summary()["not_asked"], 0, "{bound:?}");
        due.crawled.assert_lists(&rounds.urls(&["/", "/hot", "/cold"]));
    }
}

#[test]
fn every_so_many_runs_is_a_full_sweep() {
    let rounds = with_a_history();
    let asked: Vec<usize> =
        (0..6).map(|_| rounds.crawl_with(&["--recrawl", "due", "--full-every", "3"]).hits("/cold")).collect();
    assert_eq!(asked.iter().sum::<usize>(), 2, "{asked:?}");
    let sweeps: Vec<usize> = (0..6).filter(|run| asked[*run] == 1).collect();
    assert_eq!(sweeps[1] - sweeps[0], 3, "{asked:?}");
}

#[test]
fn a_page_older_than_the_greatest_age_is_asked_for() {
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
fn bounds_that_make_no_sense_are_usage_errors() {
    let rounds = Rounds::new();
    for bound in [["--recrawl", "sometimes"], ["--max-age", "soon"], ["--full-every", "0"], ["--full-every", "x"]] {
        let crawled = Crawl::of(&rounds).within(rounds.workspace()).args(bound).run().exited(2);
        assert!(crawled.stderr().contains(bound[0]), "{}", crawled.stderr());
    }
}
