//! `mapwright diff`: the differences between two runs of a record.
#![allow(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use mapwright_e2e::{Crawl, RepeatedCrawls, Revision, links};
use mapwright_testkit::Response;
use serde_json::Value;

/// The difference as JSON: one valid value on one line.
#[track_caller]
fn diff_json(rounds: &RepeatedCrawls, runs: &[&str]) -> Value {
    let done = rounds.query(&[&["diff", "--format", "json"], runs].concat()).exited(0);
    assert_eq!(done.stdout.trim_end_matches('\n').lines().count(), 1, "{}", done.stdout);
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {}", done.stdout))
}

#[track_caller]
fn diff_text(rounds: &RepeatedCrawls, runs: &[&str]) -> String {
    rounds.query(&[&["diff"], runs].concat()).exited(0).stdout
}

/// The URLs below a key, sorted; an entry is a URL, or an object with one under `url`.
#[track_caller]
fn urls(diff: &Value, key: &str) -> Vec<String> {
    let entries = diff[key].as_array().unwrap_or_else(|| panic!("no list {key}: {diff}"));
    let url = |entry: &Value| entry.as_str().or_else(|| entry["url"].as_str()).map(str::to_owned);
    let mut urls: Vec<String> = entries.iter().map(|entry| url(entry).unwrap_or_else(|| panic!("{entry}"))).collect();
    urls.sort();
    urls
}

#[track_caller]
fn assert_quiet(diff: &Value) {
    for key in [
        "added",
        "removed",
        "changed",
        "title_changed",
        "status_changed",
        "added_to_sitemap",
        "removed_from_sitemap",
        "noindex",
    ] {
        assert!(urls(diff, key).is_empty(), "{key}: {diff}");
    }
}

fn numbers(diff: &Value) -> Vec<u64> {
    diff["runs"].as_array().unwrap().iter().filter_map(|run| run["run"].as_u64()).collect()
}

/// A site after two runs with every kind of difference.
fn eventful() -> RepeatedCrawls {
    let rounds = RepeatedCrawls::new();
    let nav = ["/same", "/text", "/dies", "/moves", "/hides"];
    rounds.page("/", links(&nav) + &links(&["/leaves"]));
    Revision::new("<h1>Same</h1>").etag("\"s\"").publish(&rounds, "/same");
    rounds.page("/text", "<h1>Text</h1><p>old words</p>").page("/dies", "<h1>d</h1>").page("/moves", "<h1>m</h1>");
    rounds.page("/hides", "<h1>hides</h1>").page("/leaves", "<h1>leaves</h1>");
    drop(rounds.crawl());
    rounds.page("/", links(&nav) + &links(&["/young"])).page("/young", "<h1>young</h1>");
    rounds.page("/text", "<h1>Text</h1><p>other words</p>").status("/dies", 404).redirect("/moves", "/young", 301);
    rounds.page("/hides", "<meta name=robots content=noindex><h1>hides</h1>");
    drop(rounds.crawl_with(&["--shrink-guard", "0"]));
    rounds
}

#[test]
fn titles_are_shown_before_and_after_and_a_summary_counts() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<title>Home</title>".to_owned() + &links(&["/a", "/b"]));
    rounds.page("/a", "<title>Old</title><p>words</p>").page("/b", "<title>Same</title><p>words of b</p>");
    drop(rounds.crawl());
    rounds.page("/a", "<title>New</title><p>words</p>").page("/b", "<title>Same</title><p>other words</p>");
    drop(rounds.crawl());
    let diff = diff_json(&rounds, &[]);
    assert_eq!(urls(&diff, "title_changed"), rounds.urls(&["/a"]));
    assert_eq!(
        (diff["title_changed"][0]["before"].as_str(), diff["title_changed"][0]["now"].as_str()),
        (Some("Old"), Some("New"))
    );
    let text = diff_text(&rounds, &[]);
    assert!(text.contains("title changed: 1\n") && text.contains("/a  “Old” → “New”\n"), "{text}");
    let summary = diff_text(&rounds, &["--summary"]);
    assert!(summary.contains("title changed: 1\n") && !summary.contains("/a"), "{summary}");
    let counts = diff_json(&rounds, &["--summary"]);
    assert_eq!((counts["title_changed"].as_u64(), counts["added"].as_u64()), (Some(1), Some(0)));
}

#[test]
fn the_text_that_came_and_went_is_shown() {
    let rounds = RepeatedCrawls::new();
    let page = |body: &str| format!("<title>Shop</title><nav>Menu of {} items</nav>{body}", body.len());
    rounds.page("/", links(&["/a"]));
    rounds.page("/a", page("<h1>Tea</h1><p>Costs 3 euros.</p><p>In stock.</p><p>Stays.</p>"));
    drop(rounds.crawl());
    rounds.page("/a", page("<h1>Tea</h1><p>Costs 4 euros.</p><p>Stays.</p><p>New <b>&amp;</b> fresh.</p>"));
    drop(rounds.crawl());
    let text = diff_text(&rounds, &[]);
    let lines = "/a\n    - Costs 3 euros.\n    - In stock.\n    + Costs 4 euros.\n    + New & fresh.\n";
    assert!(text.contains(lines), "{text}");
    let diff = diff_json(&rounds, &[]);
    let [change] = diff["text_changed"].as_array().unwrap().as_slice() else { panic!("{diff}") };
    assert_eq!(change["removed"], serde_json::json!(["Costs 3 euros.", "In stock."]));
    assert_eq!(change["added"], serde_json::json!(["Costs 4 euros.", "New & fresh."]));
    assert_eq!((&change["others"], &change["url"]), (&0.into(), &rounds.url("/a").into()));
    assert!(!diff_text(&rounds, &["--summary"]).contains("euros"));
}

#[test]
fn text_that_is_not_kept_is_counted() {
    let page = |body: &str| format!("<h1>Tea</h1><p>{}</p><p>{body}</p>", "word ".repeat(40));
    let uncounted = "/\n    and 2 other blocks of text\n";
    for (size, lines) in [("0", uncounted), ("200", uncounted), ("300", "/\n    - black\n    + green\n")] {
        let rounds = RepeatedCrawls::new();
        for kind in ["black", "green"] {
            rounds.page("/", page(kind));
            drop(rounds.crawl_with(&["--keep-text", size]));
        }
        let text = diff_text(&rounds, &[]);
        assert!(text.contains(lines), "{size}: {text}");
    }
}

#[test]
fn noindex_pages_are_kept_apart() {
    let rounds = RepeatedCrawls::new();
    let page = |text: &str| format!("<meta name=robots content=noindex><h1>{text}</h1>");
    rounds.page("/", links(&["/a", "/goes", "/stays", "/old"])).page("/a", "<h1>A</h1>");
    rounds.page("/old", page("Old words")).page("/goes", page("Goes")).page("/stays", page("Stays"));
    drop(rounds.crawl());
    rounds.page("/", links(&["/a", "/stays", "/old", "/comes", "/new"])).page("/new", "<h1>New</h1>");
    rounds.page("/old", page("Other words")).page("/comes", page("Comes"));
    drop(rounds.crawl());
    let diff = diff_json(&rounds, &[]);
    assert_eq!(urls(&diff, "added"), rounds.urls(&["/new"]));
    assert_eq!(urls(&diff, "removed"), rounds.urls(&[]));
    assert_eq!(urls(&diff, "changed"), rounds.urls(&["/"]));
    let mut changes: Vec<_> = diff["noindex"].as_array().unwrap().iter().map(|one| one["change"].clone()).collect();
    changes.sort_by_key(Value::to_string);
    assert_eq!(urls(&diff, "noindex"), rounds.urls(&["/comes", "/goes", "/old"]));
    assert_eq!(changes, ["added", "changed", "removed"]);
    assert!(diff_text(&rounds, &[]).contains("noindex pages that came, went or changed: 3\n"));
    assert_eq!(diff_json(&rounds, &["--summary"])["noindex"], 3);
}

#[test]
fn json_reports_added_removed_and_changed_urls() {
    let rounds = eventful();
    let diff = diff_json(&rounds, &[]);
    assert_eq!(numbers(&diff), [1, 2]);
    assert_eq!(urls(&diff, "added"), rounds.urls(&["/young"]));
    assert_eq!(urls(&diff, "removed"), rounds.urls(&["/leaves"]));
    assert_eq!(urls(&diff, "status_changed"), rounds.urls(&["/dies", "/moves"]));
    assert_eq!(urls(&diff, "added_to_sitemap"), rounds.urls(&["/young"]));
    assert_eq!(urls(&diff, "removed_from_sitemap"), rounds.urls(&["/dies", "/hides", "/leaves", "/moves"]));
    let changed = urls(&diff, "changed");
    assert!(changed.contains(&rounds.url("/text")) && !changed.contains(&rounds.url("/same")), "{changed:?}");
}

#[test]
fn text_reports_the_same() {
    let rounds = eventful();
    let text = diff_text(&rounds, &[]);
    for heading in
        ["run 1", "run 2", "added: 1", "removed", "changed: ", "added to the sitemap: 1", "removed from the sitemap: 4"]
    {
        assert!(text.contains(heading), "{heading}: {text}");
    }
    for path in ["/young", "/leaves", "/text", "/dies", "/moves", "/hides"] {
        assert!(text.contains(&rounds.url(path)), "{path}: {text}");
    }
    assert!(!text.contains(&rounds.url("/same")), "{text}");
    let dies = text.lines().find(|line| line.contains("/dies") && line.contains("404"));
    assert!(dies.is_some_and(|line| line.contains("200")), "the old and the new status: {text}");
}

#[test]
fn changed_responses_show_both_statuses() {
    let diff = diff_json(&eventful(), &[]);
    let dies = diff["status_changed"].as_array().unwrap().iter().find(|entry| entry.to_string().contains("/dies"));
    let dies = dies.map(Value::to_string).unwrap_or_default();
    assert!(dies.contains("200") && dies.contains("404"), "{dies}");
}

/// A response with another target or media type is reported as different, although status and text are the same.
#[test]
fn another_redirect_target_or_kind_of_document_is_a_changed_response() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/moves", "/turns", "/a", "/b"])).page("/a", "<h1>a</h1>").page("/b", "<h1>b</h1>");
    rounds.redirect("/moves", "/a", 301).page("/turns", "<h1>turns</h1>");
    drop(rounds.crawl());
    rounds.redirect("/moves", "/b", 301);
    rounds.answer("/turns", Response::new(200).content_type("application/pdf").body("%PDF-1.4"));
    drop(rounds.crawl_with(&["--shrink-guard", "0"]));
    let lines = [
        format!("{}  301 to {} -> 301 to {}", rounds.url("/moves"), rounds.url("/a"), rounds.url("/b")),
        format!("{}  200 (page) -> 200 (file)", rounds.url("/turns")),
    ];
    let text = diff_text(&rounds, &[]);
    assert!(lines.iter().all(|line| text.contains(line.as_str())), "{text}");
    let before: Vec<Value> = diff_json(&rounds, &[])["status_changed"].as_array().unwrap().clone();
    assert_eq!(
        before.iter().map(|answer| answer["before"].as_str().unwrap()).collect::<Vec<_>>(),
        [format!("301 to {}", rounds.url("/a")).as_str(), "200 (page)"]
    );
}

#[test]
fn content_that_returns_to_its_old_state_is_no_difference() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"]));
    for words in ["old", "old", "new", "new", "old", "old"] {
        rounds.page("/a", format!("<h1>A</h1><p>The {words} words.</p>"));
        drop(rounds.crawl());
    }
    for (runs, changed) in [(["1", "6"], vec![]), (["2", "5"], vec![]), (["2", "4"], rounds.urls(&["/a"]))] {
        assert_eq!(urls(&diff_json(&rounds, &runs), "changed"), changed, "{runs:?}");
    }
}

/// A 304 counts as the response that it revalidates: neither a changed response nor a content change.
#[test]
fn a_304_is_no_difference() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"]));
    let body = "<h1>A</h1><img src=/image.png><a href=/rel rel=nofollow>n</a><a href=http://example.test/>away</a>";
    Revision::new(body).etag("\"1\"").publish(&rounds, "/a");
    drop(rounds.crawls(2));
    assert_quiet(&diff_json(&rounds, &[]));
    rounds.status("/a", 404);
    drop(rounds.crawl_with(&["--shrink-guard", "0"]));
    let dies = diff_json(&rounds, &[])["status_changed"].to_string();
    assert!(dies.contains("200") && dies.contains("404") && !dies.contains("304"), "{dies}");
}

/// A page that was not due keeps its earlier state.
#[test]
fn a_page_that_was_not_due_is_no_difference() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/b", "/c"]));
    for path in ["/a", "/b", "/c"] {
        rounds.page(path, format!("<h1>{path}</h1>"));
    }
    drop(rounds.crawls(6));
    let due = rounds.crawl_with(&["--recrawl", "due"]);
    assert_eq!(due.hits("/a"), 0);
    assert_quiet(&diff_json(&rounds, &[]));
}

#[test]
fn two_given_runs_are_compared() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/a", "<h1>A</h1>").page("/b", "<h1>B</h1>");
    for paths in [["/a"].as_slice(), &["/a", "/b"], &["/b"]] {
        rounds.page("/", links(paths));
        drop(rounds.crawl_with(&["--shrink-guard", "0"]));
    }
    let [a, b] = ["/a", "/b"].map(|path| rounds.url(path));
    for (runs, expected, added, removed) in [
        (["1", "2"].as_slice(), [1, 2], vec![b.clone()], vec![]),
        (&["2", "3"], [2, 3], vec![], vec![a.clone()]),
        (&["1", "3"], [1, 3], vec![b.clone()], vec![a.clone()]),
        (&["3", "1"], [3, 1], vec![a.clone()], vec![b.clone()]),
        (&["1"], [1, 3], vec![b], vec![a]),
    ] {
        let diff = diff_json(&rounds, runs);
        assert_eq!(numbers(&diff), expected, "{runs:?}");
        assert_eq!((urls(&diff, "added"), urls(&diff, "removed")), (added, removed), "{runs:?}");
    }
    assert_quiet(&diff_json(&rounds, &["2", "2"]));
}

#[test]
fn a_missing_run_is_reported_in_one_line() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<h1>Home</h1>");
    drop(rounds.crawls(2));
    for runs in [["9"].as_slice(), &["1", "9"], &["0", "2"], &["1", "2", "2"], &["abc", "def"], &["last"], &["2"]] {
        let done = rounds.query(&[&["diff"], runs].concat()).exited(2);
        assert!(done.stderr.contains("run"), "{runs:?}: {}", done.stderr);
        assert_eq!(done.stderr.trim_end().lines().count(), 1, "{runs:?}: {}", done.stderr);
        assert!(done.stdout.is_empty(), "{}", done.stdout);
    }
}

#[test]
fn fewer_than_two_runs_are_reported_in_one_line() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<h1>Home</h1>");
    drop(rounds.crawl());
    let done = rounds.query(&["diff"]);
    assert!(matches!(done.code, Some(0 | 2)), "{done:?}");
    let said = format!("{}{}", done.stdout, done.stderr);
    assert!(said.trim_end().lines().count() == 1 && said.contains("run"), "{said}");
    let json = rounds.query(&["diff", "--format", "json"]);
    assert!(json.stdout.is_empty() || serde_json::from_str::<Value>(&json.stdout).is_ok(), "{}", json.stdout);
}

#[test]
fn without_a_record_it_says_so() {
    let rounds = RepeatedCrawls::new();
    let done = rounds.query(&["diff"]).exited(2);
    assert_eq!(done.stderr.trim_end().lines().count(), 1, "{}", done.stderr);
}

/// An interrupted run saw only a part of the site, so a comparison with it would report the rest as gone.
#[test]
fn an_interrupted_run_in_between_is_skipped() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/slow", "/z"])).page("/a", "<h1>a</h1>").page("/slow", "<h1>s</h1>");
    rounds.page("/z", "<h1>z</h1>");
    drop(rounds.crawl());
    rounds.stall("/slow");
    let cut = Crawl::of(&rounds).within(rounds.workspace()).args(["-c", "1", "--max-time", "1s"]).run();
    let _ = cut.exited(4);
    rounds.page("/slow", "<h1>s</h1>");
    drop(rounds.crawl());
    let diff = diff_json(&rounds, &[]);
    assert_eq!(numbers(&diff), [1, 3]);
    assert_quiet(&diff);
}

#[test]
fn control_characters_of_the_site_are_escaped() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<h1>Home</h1>");
    drop(rounds.crawl());
    rounds.page("/", "<a href='/a\u{1b}[31m\u{9b}2J\u{202e}'>x</a>");
    rounds.handler("/a*", |_| Response::html("<h1>A</h1>"));
    drop(rounds.crawl());
    let text = diff_text(&rounds, &[]);
    assert!(text.contains("/a%1B"), "{text}");
    assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
}
