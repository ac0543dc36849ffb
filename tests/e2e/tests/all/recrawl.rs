//! The next crawl of a known site: its conditional requests, and the content that a 304 revalidates.

use std::time::Duration;

use mapwright_e2e::clock;
use mapwright_e2e::{Crawl, CrawlRound, RepeatedCrawls, Revision, Workspace, links};
use mapwright_testkit::living::dates;
use mapwright_testkit::{FakeSite, Response};

const MODIFIED: &str = "Sun, 06 Nov 2016 08:49:37 GMT";

/// Publishes a start page with this `word` as its text and entity tag, which links these paths.
fn start(rounds: &RepeatedCrawls, word: &str, paths: &[&str]) {
    revise(rounds, "/", word, paths);
}

fn revise(rounds: &RepeatedCrawls, path: &str, word: &str, paths: &[&str]) {
    Revision::new(format!("<h1>{word}</h1>{}", links(paths))).etag(&format!("\"{word}\"")).publish(rounds, path);
}

/// A page with this HTML and an entity tag.
pub(crate) fn tagged(html: &str) -> Revision {
    Revision::new(html).etag("\"1\"")
}

/// A site whose start page links only to `/a`, crawled once.
pub(crate) fn crawled_once(a: Revision) -> (RepeatedCrawls, CrawlRound) {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"]));
    a.publish(&rounds, "/a");
    let first = rounds.crawl();
    (rounds, first)
}

// ---- the content that a 304 revalidates

#[test]
fn a_page_that_did_not_change_stays_listed_with_its_date() {
    let (rounds, first) = crawled_once(tagged("<h1>A</h1>").modified(MODIFIED));
    let url = rounds.url("/a");
    let mut round = first;
    for _ in 0..3 {
        assert_eq!(round.lastmod(&url).as_deref(), Some("2016-11-06T08:49:37Z"));
        assert_eq!(round.source(&url), "last-modified");
        round.crawled.assert_accounts_for_all();
        round = rounds.crawl();
    }
}

#[test]
fn links_of_a_page_that_did_not_change_are_followed() {
    let rounds = RepeatedCrawls::new();
    start(&rounds, "one", &["/a"]);
    tagged(&links(&["/b"])).publish(&rounds, "/a");
    tagged(&links(&["/c"])).publish(&rounds, "/b");
    revise(&rounds, "/c", "old", &[]);
    rounds.page("/new", "<h1>New</h1>");
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/a", "/b", "/c"]));
    revise(&rounds, "/c", "young", &["/new"]);
    for _ in 0..2 {
        let round = rounds.crawl();
        round.crawled.assert_lists(&rounds.urls(&["/", "/a", "/b", "/c", "/new"]));
        let depths = round.crawled.query("SELECT depth FROM v_listed ORDER BY depth");
        assert_eq!(depths.concat(), ["0", "1", "2", "3", "4"]);
    }
}

/// The bytes of the page are unchanged, but the new settings find other links in them, which count from then on.
#[test]
fn the_links_of_the_last_settings_count() {
    let main = &["--links-in", "main"][..];
    for (before, after, paths) in [(&[][..], main, &["/", "/m"][..]), (main, &[], &["/", "/m", "/n"])] {
        let rounds = RepeatedCrawls::new();
        tagged("<nav><a href=/n>N</a></nav><main><a href=/m>M</a></main>").publish(&rounds, "/");
        tagged("<h1>M").publish(&rounds, "/m");
        tagged("<h1>N").publish(&rounds, "/n");
        let _ = rounds.crawl_with(before);
        for _ in 0..3 {
            rounds.crawl_with(after).crawled.assert_lists(&rounds.urls(paths));
        }
    }
}

/// A new link in the header counts, although the bytes of the page are unchanged.
#[test]
fn the_links_of_the_last_header_count() {
    let rounds = RepeatedCrawls::new();
    for path in ["/old", "/new"] {
        tagged(&format!("<h1>{path}")).publish(&rounds, path);
    }
    for (tag, path) in [("1", "/old"), ("2", "/new"), ("2", "/new")] {
        let revision = Revision::new("<h1>A").etag(&format!("\"{tag}\""));
        revision.header("Link", &format!("<{path}>; rel=\"next\"")).publish(&rounds, "/");
        rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", path]));
    }
}

/// A link of a revalidated page may lead to a URL that was never requested, once robots.txt allows it.
#[test]
fn a_link_that_was_disallowed_before_is_followed_from_a_304() {
    let rounds = RepeatedCrawls::new();
    rounds.robots("User-agent: *\nDisallow: /b\n");
    tagged(&links(&["/b"])).publish(&rounds, "/");
    rounds.page("/b", "<h1>B</h1>");
    rounds.crawl().crawled.assert_excluded(&rounds.url("/b"), "robots");
    rounds.robots("");
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/b"]));
}

#[test]
fn a_page_that_is_no_longer_linked_is_removed() {
    let rounds = RepeatedCrawls::new();
    start(&rounds, "one", &["/a", "/b"]);
    for path in ["/a", "/b"] {
        tagged(&format!("<h1>{path}</h1>")).publish(&rounds, path);
    }
    drop(rounds.crawl());
    start(&rounds, "two", &["/a"]);
    let second = rounds.crawl();
    second.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    assert_eq!(second.hits("/b"), 0);
}

#[test]
fn directives_of_an_unchanged_page_apply() {
    let rounds = RepeatedCrawls::new();
    start(&rounds, "one", &["/nofollow", "/noindex", "/header", "/canonical", "/link", "/refresh", "/main"]);
    tagged(&format!("<meta name=robots content=nofollow>{}", links(&["/hidden"]))).publish(&rounds, "/nofollow");
    tagged("<meta name=robots content=noindex><h1>x</h1>").publish(&rounds, "/noindex");
    tagged("<h1>by header</h1>").header("X-Robots-Tag", "noindex").publish(&rounds, "/header");
    tagged("<link rel=canonical href=/main><h1>c</h1>").publish(&rounds, "/canonical");
    tagged("<h1>link</h1>").header("Link", "</main>; rel=canonical").publish(&rounds, "/link");
    tagged("<meta http-equiv=refresh content='0; url=/main'>").publish(&rounds, "/refresh");
    rounds.page("/main", "<h1>The page itself</h1>").page("/hidden", "<h1>Hidden</h1>");
    for number in 1..=3 {
        let round = rounds.crawl();
        round.crawled.assert_lists(&rounds.urls(&["/", "/nofollow", "/main"]));
        let reasons =
            [("/noindex", "noindex"), ("/header", "noindex"), ("/canonical", "canonical"), ("/link", "canonical")];
        for (path, reason) in reasons.into_iter().chain([("/refresh", "redirect"), ("/hidden", "nofollow")]) {
            round.crawled.assert_excluded(&rounds.url(path), reason);
            assert_eq!(round.hits(path), usize::from(path != "/hidden"), "{path} in round {number}");
        }
        round.crawled.assert_accounts_for_all();
    }
}

/// The link targets of an unchanged page are excluded for the same reasons as before.
#[test]
fn the_link_targets_of_an_unchanged_page_are_excluded_as_before() {
    let rounds = RepeatedCrawls::new();
    rounds.robots("User-agent: *\nDisallow: /forbidden\n").page("/", links(&["/a", "/meta"]));
    let body = "<a href=/rel rel=nofollow>n</a><a href=http://example.test/>away</a><img src=/image.png>\
                <a href=/forbidden>f</a><a href=/not-wanted>x</a><a href=/missing>m</a><a href=/b>b</a>";
    tagged(body).publish(&rounds, "/a");
    tagged("<meta name=robots content=nofollow><a href=/hidden>h</a>").publish(&rounds, "/meta");
    tagged(&links(&["/too/deep"])).publish(&rounds, "/b");
    let crawl = || rounds.crawl_with(&["--exclude", "/not-wanted", "--max-depth", "2"]).crawled.excluded();
    let first = crawl();
    for path in ["/rel", "/image.png", "/forbidden", "/not-wanted", "/missing", "/hidden", "/too/deep"] {
        assert!(first.contains_key(&rounds.url(path)), "{path}: {first:#?}");
    }
    for _ in 0..2 {
        assert_eq!(crawl(), first);
    }
}

#[test]
fn unchanged_duplicates_remain_duplicates() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/a/", "/a"]) + &links(&["/a"]));
    for path in ["/a", "/a/"] {
        tagged("<h1>The very same</h1>").publish(&rounds, path);
    }
    for _ in 0..2 {
        let round = rounds.crawl();
        round.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
        round.crawled.assert_excluded(&rounds.url("/a/"), "duplicate");
    }
}

/// RFC 9111, 3.2: the header fields of a 304 replace those of the 200.
#[test]
fn a_directive_on_the_304_itself_applies() {
    let page = tagged("<h1>A</h1>").header_of_304("X-Robots-Tag", "noindex");
    let (rounds, first) = crawled_once(page);
    first.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    rounds.crawl().crawled.assert_excluded(&rounds.url("/a"), "noindex");
}

#[test]
fn a_canonical_on_the_304_itself_counts() {
    let (rounds, first) = crawled_once(tagged("<h1>A</h1>"));
    first.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    let canonical = format!("<{}>; rel=canonical", rounds.url("/"));
    let page = tagged("<h1>A</h1>").header("Link", &canonical).header_of_304("Link", &canonical);
    page.publish(&rounds, "/a");
    for _ in 0..2 {
        rounds.crawl().crawled.assert_excluded(&rounds.url("/a"), "canonical");
    }
}

#[test]
fn an_unavailable_after_date_that_has_passed_meanwhile_applies() {
    let expiry = clock::next_second() + 2;
    let content = format!("unavailable_after: {}", dates::http_date(expiry));
    let (rounds, first) = crawled_once(tagged(&format!("<meta name=robots content=\"{content}\"><h1>A</h1>")));
    assert!(first.ended < expiry * 1_000, "the first crawl took too long for this test");
    first.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    clock::wait_for(expiry + 1);
    let second = rounds.crawl();
    assert_eq!(second.conditions("/a").0, Some("\"1\""));
    second.crawled.assert_excluded(&rounds.url("/a"), "noindex");
}

// ---- a 304 that revalidates nothing

/// RFC 9110, 15.4.5: a 304 answers a conditional request; to any other it is no success.
#[test]
fn a_304_to_a_request_without_conditions_is_no_success() {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/b"])).answer("/a", Response::new(304).header("ETag", "\"1\"")).page("/b", "<p>B");
    let workspace = Workspace::new();
    for _ in 0..2 {
        let crawled = Crawl::of(&site).within(&workspace).run().exited(0);
        crawled.assert_lists(&site.urls(&["/", "/b"]));
        crawled.assert_excluded(&site.url("/a"), "http-error");
    }
    assert!(site.requests_for("/a").iter().all(|request| request.header("if-none-match").is_none()));
}

#[test]
fn a_start_page_that_answers_304_to_no_condition_is_a_failure() {
    let site = FakeSite::open();
    site.answer("/", Response::new(304));
    let crawled = Crawl::of(&site).run().exited(3);
    assert!(!crawled.has_sitemap());
}

#[test]
fn a_start_page_that_answers_304_to_its_condition_is_a_success() {
    let rounds = RepeatedCrawls::new();
    tagged("<h1>All there is</h1>").publish(&rounds, "/");
    for _ in 0..3 {
        rounds.crawl().crawled.assert_lists(&[rounds.url("/")]);
    }
    rounds.answer("/", Response::new(304));
    rounds.crawl().crawled.assert_lists(&[rounds.url("/")]);
    let _ = Crawl::of(&rounds).within(rounds.workspace()).args(["--recrawl", "full"]).run().exited(3);
    mapwright_testkit::assert_listed(&rounds.workspace().out(), &[rounds.url("/")]);
}

#[test]
fn without_a_record_no_request_is_conditional() {
    let (rounds, _) = crawled_once(tagged("<h1>A</h1>"));
    std::fs::remove_dir_all(rounds.workspace().state()).unwrap();
    let again = rounds.crawl();
    assert_eq!(again.conditions("/a"), (None, None));
    again.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    // A 304 to such a request revalidates nothing.
    std::fs::remove_dir_all(rounds.workspace().state()).unwrap();
    rounds.answer("/a", Response::new(304));
    let lied_to = rounds.crawl_with(&["--shrink-guard", "0"]);
    lied_to.crawled.assert_lists(&[rounds.url("/")]);
    lied_to.crawled.assert_excluded(&rounds.url("/a"), "http-error");
}

/// A 304 to the validator of a 404 revalidates the 404.
#[test]
fn a_304_for_an_error_page_is_an_error_still() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"]));
    rounds.handler("/a", |request| match request.header("if-none-match") {
        Some(_) => Response::new(304),
        None => Response::html("<h1>Gone</h1>").status(404).header("ETag", "\"e\""),
    });
    for _ in 0..2 {
        let round = rounds.crawl();
        round.crawled.assert_lists(&[rounds.url("/")]);
        round.crawled.assert_excluded(&rounds.url("/a"), "http-error");
    }
}

// ---- pages that go and come back

#[test]
fn a_page_that_was_gone_in_one_run_keeps_its_date() {
    let (rounds, _) = crawled_once(tagged("<h1>A</h1><p>first words</p>"));
    Revision::new("<h1>A</h1><p>second words</p>").etag("\"2\"").publish(&rounds, "/a");
    let changed = rounds.crawl();
    let date = changed.lastmod(&rounds.url("/a"));
    assert!(date.is_some());
    rounds.status("/a", 404);
    rounds.crawl_with(&["--shrink-guard", "0"]).crawled.assert_excluded(&rounds.url("/a"), "http-error");
    Revision::new("<h1>A</h1><p>second words</p>").etag("\"2\"").publish(&rounds, "/a");
    let back = rounds.crawl();
    back.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    assert_eq!(back.lastmod(&rounds.url("/a")), date);
}

#[test]
fn a_transient_failure_of_a_canonical_does_not_list_its_copy() {
    let rounds = RepeatedCrawls::new();
    let copy = "<link rel=canonical href=/b><h1>A</h1>";
    rounds.page("/", links(&["/a", "/b"])).page("/a", copy).page("/b", "<h1>B</h1>");
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/b"]));
    rounds.status("/b", 503);
    for lists in [["/", "/b"], ["/", "/b"], ["/", "/a"]] {
        let options = ["--retries", "0", "--keep-failing", "2"];
        rounds.crawl_with(&options).crawled.assert_lists(&rounds.urls(&lists));
    }
}

// ---- a run without changes

#[test]
fn a_run_without_changes_requests_each_page_once_and_gets_few_bytes() {
    let rounds = RepeatedCrawls::new();
    let paths: Vec<String> = (0..40).map(|number| format!("/page/{number}")).collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    tagged(&links(&names)).publish(&rounds, "/");
    for path in &names {
        tagged(&format!("<h1>{path}</h1><p>{}</p>", format!("{path} words ").repeat(400))).publish(&rounds, path);
    }
    let first = rounds.crawl();
    let (sent, entries) = (rounds.total_bytes_sent(), first.crawled.entries());
    let quiet = rounds.crawl();
    assert_eq!(quiet.requests.len(), first.requests.len());
    assert!(names.iter().chain(&["/"]).all(|path| quiet.hits(path) == 1));
    assert_eq!(quiet.crawled.summary()["not_modified"], 41);
    let again = rounds.total_bytes_sent() - sent;
    assert!(again * 10 <= sent, "{again} bytes after {sent}");
    let wire = |round: &CrawlRound| round.crawled.summary()["wire_bytes"].as_u64().unwrap();
    assert!(wire(&quiet) * 10 <= wire(&first), "{} bytes after {}", wire(&quiet), wire(&first));
    assert_eq!(quiet.crawled.entries(), entries);
}

/// The next crawl may build on an interrupted run or on the complete run before it: it makes conditional requests, and
/// lists the current pages.
#[test]
fn an_interrupted_run_does_not_spoil_the_conditions_of_the_next() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/b"]));
    tagged("<h1>A</h1>").publish(&rounds, "/a");
    tagged("<h1>B</h1>").publish(&rounds, "/b");
    drop(rounds.crawl());
    Revision::new("<h1>A</h1><a href=/new>more</a>").etag("\"2\"").publish(&rounds, "/a");
    rounds.page("/new", "<h1>New</h1>");
    rounds.first_n("/b", 1, Response::html("<h1>B</h1>").delay(Duration::from_secs(20)));
    let cut = Crawl::of(&rounds).within(rounds.workspace()).args(["-c", "1", "--max-time", "2s"]).run();
    let _ = cut.exited(4);
    let next = rounds.crawl();
    assert!(matches!(next.conditions("/a").0, Some("\"1\"" | "\"2\"")));
    assert_eq!(next.conditions("/b").0, Some("\"1\""));
    next.crawled.assert_lists(&rounds.urls(&["/", "/a", "/b", "/new"]));
}
