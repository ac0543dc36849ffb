//! The next crawl of a known site: what it asks for, under which conditions, and what a 304 vouches for.

use std::time::Duration;

use mapwright_e2e::night::clock;
use mapwright_e2e::{Crawl, Revision, Round, Rounds, Workspace, links};
use mapwright_testkit::living::dates;
use mapwright_testkit::{Response, Site};

const MODIFIED: &str = "Sun, 06 Nov 2016 08:49:37 GMT";

/// A start page that changes with each `word`, and leads to these paths.
fn start(rounds: &Rounds, word: &str, paths: &[&str]) {
    Revision::new(format!("<h1>{word}</h1>{}", links(paths))).etag(&format!("\"{word}\"")).publish(rounds, "/");
}

/// A page of its own, under a tag of its own.
fn tagged(html: &str) -> Revision {
    Revision::new(html).etag("\"1\"")
}

/// A start page that leads to the one page `/a`, crawled once.
fn crawled_once(a: Revision) -> (Rounds, Round) {
    let rounds = Rounds::new();
    rounds.page("/", links(&["/a"]));
    a.publish(&rounds, "/a");
    let first = rounds.crawl();
    (rounds, first)
}

// ---- conditions

#[test]
fn the_validators_of_the_first_crawl_are_the_conditions_of_the_second() {
    let cases = [
        (Some("\"abc\""), None),
        (Some("W/\"weak one\""), None),
        (Some("\"a,b;c='d'\""), None),
        (Some("\"\""), None),
        (None, Some(MODIFIED)),
        (Some("\"abc-gzip\""), Some(MODIFIED)),
        (None, None),
    ];
    for (etag, modified) in cases {
        let mut page = Revision::new("<h1>A</h1>");
        page = etag.into_iter().fold(page, Revision::etag);
        page = modified.into_iter().fold(page, Revision::modified);
        let (rounds, first) = crawled_once(page);
        assert_eq!(first.conditions("/a"), (None, None));
        assert_eq!(rounds.crawl().conditions("/a"), (etag, modified));
    }
}

/// RFC 9110, 13.1.3: the server compares the date as it gave it, so it gets it back as it stands.
#[test]
fn an_obsolete_date_is_given_back_as_it_stands_or_not_at_all() {
    for date in ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
        let (rounds, _) = crawled_once(Revision::new("<h1>A</h1>").modified(date));
        let second = rounds.crawl();
        assert!(matches!(second.conditions("/a"), (None, None)) || second.conditions("/a") == (None, Some(date)));
        second.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    }
}

#[test]
fn a_full_recrawl_asks_without_conditions() {
    let (rounds, _) = crawled_once(tagged("<h1>A</h1>").modified(MODIFIED));
    assert_eq!(rounds.crawl_with(&["--recrawl", "full"]).conditions("/a"), (None, None));
    assert_eq!(rounds.crawl().conditions("/a"), (Some("\"1\""), Some(MODIFIED)));
}

/// RFC 9111, 3.2 and 4.3.4: the fields of a 304 replace those that are kept.
#[test]
fn validators_that_a_304_renews_are_the_next_conditions() {
    let later = "Mon, 07 Nov 2016 08:49:37 GMT";
    let page = tagged("<h1>A</h1>").modified(MODIFIED);
    let renewing = page.clone().header_of_304("ETag", "\"2\"").header_of_304("Last-Modified", later);
    let (rounds, _) = crawled_once(renewing);
    assert_eq!(rounds.crawl().conditions("/a"), (Some("\"1\""), Some(MODIFIED)));
    assert_eq!(rounds.crawl().conditions("/a"), (Some("\"2\""), Some(later)));
}

#[test]
fn validators_that_a_304_leaves_out_stay() {
    let rounds = Rounds::new();
    rounds.page("/", links(&["/a"]));
    rounds.handler("/a", |request| match request.header("if-none-match") {
        Some(_) => Response::new(304),
        None => Response::html("<h1>A</h1>").header("ETag", "\"1\"").header("Last-Modified", MODIFIED),
    });
    drop(rounds.crawls(2));
    let third = rounds.crawl();
    assert_eq!(third.conditions("/a"), (Some("\"1\""), Some(MODIFIED)));
    assert_eq!(third.lastmod(&rounds.url("/a")).as_deref(), Some("2016-11-06T08:49:37Z"));
}

#[test]
fn a_page_that_lost_its_validators_is_asked_for_without() {
    let (rounds, _) = crawled_once(tagged("<h1>A</h1>"));
    rounds.page("/a", "<h1>Another</h1>");
    assert_eq!(rounds.crawl().conditions("/a"), (Some("\"1\""), None));
    assert_eq!(rounds.crawl().conditions("/a"), (None, None));
}

#[test]
fn other_kinds_of_documents_are_asked_for_on_condition_too() {
    let rounds = Rounds::new();
    rounds.page("/", links(&["/a.pdf"]));
    rounds.handler("/a.pdf", |request| match request.header("if-none-match") {
        Some("\"pdf\"") => Response::new(304),
        _ => Response::new(200).content_type("application/pdf").header("ETag", "\"pdf\"").body("%PDF-1.4"),
    });
    for condition in [None, Some("\"pdf\""), Some("\"pdf\"")] {
        let round = rounds.crawl_with(&["--list-types", "html,pdf"]);
        assert_eq!(round.conditions("/a.pdf").0, condition);
        round.crawled.assert_lists(&rounds.urls(&["/", "/a.pdf"]));
    }
}

// ---- what a 304 vouches for

#[test]
fn a_page_that_did_not_change_stays_listed_with_its_date() {
    let (rounds, first) = crawled_once(tagged("<h1>A</h1>").modified(MODIFIED));
    let url = rounds.url("/a");
    for round in [first, rounds.crawl(), rounds.crawl()] {
        assert_eq!(round.lastmod(&url).as_deref(), Some("2016-11-06T08:49:37Z"));
        assert_eq!(round.source(&url), "last-modified");
        round.crawled.assert_accounts_for_all();
    }
}

#[test]
fn links_of_a_page_that_did_not_change_are_followed() {
    let rounds = Rounds::new();
    start(&rounds, "one", &["/a"]);
    tagged(&links(&["/b"])).publish(&rounds, "/a");
    tagged(&links(&["/c"])).publish(&rounds, "/b");
    start_of_chain(&rounds, "/c", "old", &[]);
    rounds.page("/new", "<h1>New</h1>");
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/a", "/b", "/c"]));
    start_of_chain(&rounds, "/c", "young", &["/new"]);
    for _ in 0..2 {
        let round = rounds.crawl();
        round.crawled.assert_lists(&rounds.urls(&["/", "/a", "/b", "/c", "/new"]));
        let depths = round.crawled.query("SELECT depth FROM v_listed ORDER BY depth");
        assert_eq!(depths.concat(), ["0", "1", "2", "3", "4"]);
    }
}

fn start_of_chain(rounds: &Rounds, path: &str, word: &str, paths: &[&str]) {
    Revision::new(format!("<h1>{word}</h1>{}", links(paths))).etag(&format!("\"{word}\"")).publish(rounds, path);
}

/// A link that was found on a 304 alone may lead to what was never met before: by then robots.txt allows it.
#[test]
fn a_link_that_was_forbidden_before_is_followed_from_a_304() {
    let rounds = Rounds::new();
    rounds.robots("User-agent: *\nDisallow: /b\n");
    tagged(&links(&["/b"])).publish(&rounds, "/");
    rounds.page("/b", "<h1>B</h1>");
    rounds.crawl().crawled.assert_excluded(&rounds.url("/b"), "robots");
    rounds.robots("");
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/b"]));
}

#[test]
fn a_page_that_is_linked_no_more_is_gone() {
    let rounds = Rounds::new();
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
fn directives_of_a_page_that_did_not_change_bind() {
    let rounds = Rounds::new();
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

#[test]
fn twins_that_did_not_change_are_twins_still() {
    let rounds = Rounds::new();
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

/// RFC 9111, 3.2: what a 304 says anew replaces what the 200 said.
#[test]
fn a_directive_on_the_304_itself_binds() {
    let page = tagged("<h1>A</h1>").header_of_304("X-Robots-Tag", "noindex");
    let (rounds, first) = crawled_once(page);
    first.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    rounds.crawl().crawled.assert_excluded(&rounds.url("/a"), "noindex");
}

#[test]
fn a_date_of_expiry_that_has_passed_meanwhile_binds() {
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

// ---- a 304 that vouches for nothing

/// RFC 9110, 15.4.5: a 304 answers a conditional request; to any other it is no success.
#[test]
fn a_304_to_a_request_without_conditions_is_no_success() {
    let site = Site::open();
    site.page("/", links(&["/a", "/b"])).answer("/a", Response::new(304).header("ETag", "\"1\"")).page("/b", "<p>B");
    let workspace = Workspace::new();
    for _ in 0..2 {
        let crawled = Crawl::of(&site).within(&workspace).run().exited(0);
        crawled.assert_lists(&site.urls(&["/", "/b"]));
        crawled.assert_excluded(&site.url("/a"), "status");
    }
    assert!(site.requests_for("/a").iter().all(|request| request.header("if-none-match").is_none()));
}

#[test]
fn a_start_page_that_answers_304_to_no_condition_is_a_failure() {
    let site = Site::open();
    site.answer("/", Response::new(304));
    let crawled = Crawl::of(&site).run().exited(3);
    assert!(!crawled.has_sitemap());
}

#[test]
fn a_start_page_that_answers_304_to_its_condition_is_a_success() {
    let rounds = Rounds::new();
    tagged("<h1>All there is</h1>").publish(&rounds, "/");
    for _ in 0..3 {
        rounds.crawl().crawled.assert_lists(&[rounds.url("/")]);
    }
    rounds.answer("/", Response::new(304));
    rounds.crawl().crawled.assert_lists(&[rounds.url("/")]);
    let _ = Crawl::of(&rounds).within(rounds.workspace()).args(["--recrawl", "full"]).run().exited(3);
    rounds_listing(&rounds, &["/"]);
}

fn rounds_listing(rounds: &Rounds, paths: &[&str]) {
    mapwright_testkit::assert_listed(&rounds.workspace().out(), &rounds.urls(paths));
}

#[test]
fn where_the_record_is_gone_nothing_is_asked_on_condition() {
    let (rounds, _) = crawled_once(tagged("<h1>A</h1>"));
    std::fs::remove_dir_all(rounds.workspace().state()).unwrap();
    let again = rounds.crawl();
    assert_eq!(again.conditions("/a"), (None, None));
    again.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    // And a server that says 304 all the same vouches for nothing.
    std::fs::remove_dir_all(rounds.workspace().state()).unwrap();
    rounds.answer("/a", Response::new(304));
    let lied_to = rounds.crawl_with(&["--shrink-guard", "0"]);
    lied_to.crawled.assert_lists(&[rounds.url("/")]);
    lied_to.crawled.assert_excluded(&rounds.url("/a"), "status");
}

/// The validator of a 404 vouches for the 404 at best.
#[test]
fn a_304_for_an_error_page_is_an_error_still() {
    let rounds = Rounds::new();
    rounds.page("/", links(&["/a"]));
    rounds.handler("/a", |request| match request.header("if-none-match") {
        Some(_) => Response::new(304),
        None => Response::html("<h1>Gone</h1>").status(404).header("ETag", "\"e\""),
    });
    for _ in 0..2 {
        let round = rounds.crawl();
        round.crawled.assert_lists(&[rounds.url("/")]);
        round.crawled.assert_excluded(&rounds.url("/a"), "status");
    }
}

// ---- pages that go and come back

#[test]
fn a_page_that_was_gone_for_a_night_keeps_its_date() {
    let (rounds, _) = crawled_once(tagged("<h1>A</h1><p>first words</p>"));
    Revision::new("<h1>A</h1><p>second words</p>").etag("\"2\"").publish(&rounds, "/a");
    let changed = rounds.crawl();
    let date = changed.lastmod(&rounds.url("/a"));
    assert!(date.is_some());
    rounds.status("/a", 404);
    rounds.crawl_with(&["--shrink-guard", "0"]).crawled.assert_excluded(&rounds.url("/a"), "status");
    Revision::new("<h1>A</h1><p>second words</p>").etag("\"2\"").publish(&rounds, "/a");
    let back = rounds.crawl();
    back.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    assert_eq!(back.lastmod(&rounds.url("/a")), date);
}

// ---- what is asked anew

#[test]
fn redirects_are_asked_anew() {
    let rounds = Rounds::new();
    rounds.page("/", links(&["/old"])).page("/one", "<h1>One</h1>").page("/two", "<h1>Two</h1>");
    rounds.answer("/old", Response::redirect(301, "/one").header("ETag", "\"r\""));
    let first = rounds.crawl();
    first.crawled.assert_lists(&rounds.urls(&["/", "/one"]));
    rounds.redirect("/old", "/two", 301);
    let second = rounds.crawl();
    assert_eq!(second.hits("/old"), 1);
    assert_eq!(second.conditions("/old"), (None, None));
    second.crawled.assert_lists(&rounds.urls(&["/", "/two"]));
}

#[test]
fn sitemaps_are_asked_anew() {
    let rounds = Rounds::new();
    tagged("<h1>Home</h1>").publish(&rounds, "/");
    rounds.page("/a", "<h1>A</h1>").page("/b", "<h1>B</h1>").sitemap("/sitemap.xml", &["/a"]);
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    let second = rounds.crawl();
    assert_eq!(second.hits("/sitemap.xml"), 1);
    second.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    rounds.sitemap("/sitemap.xml", &["/a", "/b"]);
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/a", "/b"]));
}

// ---- settings that read pages differently

#[test]
fn other_settings_of_reading_ask_without_conditions_once() {
    for setting in [["--drop-param", "x"], ["--links-in", "body"], ["--content-selector", "h1"]] {
        let (rounds, _) = crawled_once(tagged("<h1>A</h1><p>words</p><a href='/b?x=1'>b</a>"));
        rounds.page("/b", "<h1>B</h1>");
        assert_eq!(rounds.crawl().conditions("/a").0, Some("\"1\""), "{setting:?}");
        let other = rounds.crawl_with(&setting);
        assert_eq!(other.conditions("/a"), (None, None), "{setting:?}");
        other.assert_undated(&rounds.url("/a"));
        let same = rounds.crawl_with(&setting);
        assert_eq!(same.conditions("/a").0, Some("\"1\""), "{setting:?}");
        same.assert_undated(&rounds.url("/a"));
    }
}

/// What a 304 would have carried over was read under the old settings.
#[test]
fn other_settings_of_reading_take_effect_at_once() {
    let (rounds, _) = crawled_once(tagged("<nav><a href=/nav>n</a></nav><main><a href='/m?x=1'>m</a></main>"));
    rounds.page("/m", "<h1>M</h1>").page("/nav", "<h1>Nav</h1>");
    let main = rounds.crawl_with(&["--no-links-in", "nav", "--drop-param", "x", "--shrink-guard", "0"]);
    main.crawled.assert_lists(&rounds.urls(&["/", "/a", "/m"]));
    let all = rounds.crawl();
    all.crawled.assert_lists(&rounds.urls(&["/", "/a", "/m?x=1", "/nav"]));
}

// ---- only what is due

/// A site with a page that is another at each fetch of the test's choice, and one that never is; crawled five times.
fn with_a_history() -> Rounds {
    let rounds = Rounds::new();
    tagged(&links(&["/hot", "/cold"])).publish(&rounds, "/");
    tagged("<h1>Cold</h1><p>never another word</p>").publish(&rounds, "/cold");
    for word in ["one", "two", "three", "four", "five"] {
        heat(&rounds, word);
        drop(rounds.crawl());
    }
    rounds
}

fn heat(rounds: &Rounds, word: &str) {
    let html = format!("<h1>Hot</h1><p>news of {word}</p><p>{word} again</p>");
    Revision::new(html).etag(&format!("\"{word}\"")).publish(rounds, "/hot");
}

#[test]
fn due_asks_for_what_is_likely_to_have_changed() {
    let rounds = with_a_history();
    heat(&rounds, "six");
    start(&rounds, "with a new page", &["/hot", "/cold", "/new"]);
    rounds.page("/new", "<h1>New</h1>");
    let due = rounds.crawl_with(&["--recrawl", "due"]);
    assert_eq!([due.hits("/"), due.hits("/hot"), due.hits("/cold"), due.hits("/new")], [1, 1, 0, 1]);
    due.crawled.assert_lists(&rounds.urls(&["/", "/hot", "/cold", "/new"]));
    due.crawled.assert_accounts_for_all();
    assert_eq!(due.crawled.summary()["not_asked"], 1);
    assert_eq!(due.conditions("/hot").0, Some("\"five\""));
}

#[test]
fn links_of_a_page_that_was_not_due_are_followed() {
    let rounds = with_a_history();
    tagged(&format!("<h1>Cold</h1><p>x</p>{}", links(&["/behind"]))).etag("\"2\"").publish(&rounds, "/cold");
    heat(&rounds, "behind");
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

// ---- a quiet run

#[test]
fn a_quiet_run_asks_once_for_each_page_and_gets_few_bytes() {
    let rounds = Rounds::new();
    let paths: Vec<String> = (0..40).map(|number| format!("/page/{number}")).collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    tagged(&links(&names)).publish(&rounds, "/");
    for path in &names {
        tagged(&format!("<h1>{path}</h1><p>{}</p>", format!("{path} words ").repeat(400))).publish(&rounds, path);
    }
    let first = rounds.crawl();
    let sent = rounds.total_bytes_sent();
    let quiet = rounds.crawl();
    assert_eq!(quiet.requests.len(), first.requests.len());
    assert!(names.iter().chain(&["/"]).all(|path| quiet.hits(path) == 1));
    assert_eq!(quiet.crawled.summary()["not_modified"], 41);
    let again = rounds.total_bytes_sent() - sent;
    assert!(again * 10 <= sent, "{again} bytes after {sent}");
    let wire = |round: &Round| round.crawled.summary()["wire_bytes"].as_u64().unwrap();
    assert!(wire(&quiet) * 10 <= wire(&first), "{} bytes after {}", wire(&quiet), wire(&first));
    assert_eq!(quiet.crawled.entries(), first.crawled.entries());
}

/// A run that was cut vouches for what it saw: the next one asks on the conditions of the latest answers.
#[test]
fn a_cut_run_counts_for_the_conditions_of_the_next() {
    let rounds = Rounds::new();
    rounds.page("/", links(&["/a", "/b"]));
    tagged("<h1>A</h1>").publish(&rounds, "/a");
    tagged("<h1>B</h1>").publish(&rounds, "/b");
    drop(rounds.crawl());
    Revision::new("<h1>A</h1><p>more</p>").etag("\"2\"").publish(&rounds, "/a");
    rounds.first_n("/b", 1, Response::html("<h1>B</h1>").delay(Duration::from_secs(20)));
    let cut = Crawl::of(&rounds).within(rounds.workspace()).args(["-c", "1", "--max-time", "2s"]).run();
    let _ = cut.exited(4);
    let next = rounds.crawl();
    assert_eq!(next.conditions("/a").0, Some("\"2\""));
    assert_eq!(next.conditions("/b").0, Some("\"1\""));
    next.crawled.assert_lists(&rounds.urls(&["/", "/a", "/b"]));
}
