//! `mapwright explain`: the complete history of a URL, read only from the record.
#![allow(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use mapwright_e2e::{Command, Crawl, RepeatedCrawls, Revision, Workspace, links};
use mapwright_testkit::{FakeSite, Response, ServerAction};
use serde_json::Value;

/// Explains a URL as text.
#[track_caller]
fn explain(rounds: &RepeatedCrawls, url: &str) -> String {
    rounds.query(&["explain", url]).exited(0).stdout
}

/// Explains a URL as JSON: one valid value on one line.
#[track_caller]
fn explain_json(rounds: &RepeatedCrawls, url: &str) -> Value {
    let done = rounds.query(&["explain", url, "--format", "json"]).exited(0);
    assert_eq!(done.stdout.trim_end_matches('\n').lines().count(), 1, "{}", done.stdout);
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {}", done.stdout))
}

/// Asserts that a text contains these words in this order.
#[track_caller]
fn assert_reports(text: &str, words: &[&str]) {
    let mut rest = text;
    for word in words {
        let Some(place) = rest.find(word) else { panic!("it does not report {word:?} (of {words:?}):\n{text}") };
        rest = &rest[place + word.len()..];
    }
}

// ---- discovery

#[test]
fn the_shortest_click_path_with_its_anchor_texts() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<a href=/long>The long way</a> <a href=/shop>Our shop</a>");
    rounds.page("/long", "<a href=/long/2>on</a>").page("/long/2", "<a href=/shoes>shoes at last</a>");
    rounds.page("/shop", "<a href=/shoes>All <b>shoes</b></a>").page("/shoes", "<h1>Shoes</h1>");
    drop(rounds.crawl());
    let [start, shop, shoes] = ["/", "/shop", "/shoes"].map(|path| rounds.url(path));
    assert_reports(&explain(&rounds, &shoes), &["click path", &start, &shop, "Our shop", &shoes, "All shoes"]);
    let path = explain_json(&rounds, &shoes)["click_path"].clone();
    let step = |url: &str, anchor: Option<&str>| serde_json::json!({ "url": url, "anchor": anchor });
    let expected = [step(&start, None), step(&shop, Some("Our shop")), step(&shoes, Some("All shoes"))];
    assert_eq!(path, Value::from(expected.to_vec()));
}

#[test]
fn found_by_a_sitemap_and_by_a_feed() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<link rel=alternate type=application/rss+xml href=/feed.xml><h1>Home</h1>");
    rounds.page("/a", "<h1>A</h1>").page("/news", "<h1>News</h1>").sitemap("/sitemap.xml", &["/a"]);
    let item = format!("<item><title>n</title><link>{}</link></item>", rounds.url("/news"));
    let feed = format!("<rss version=\"2.0\"><channel><title>t</title>{item}</channel></rss>");
    rounds.file("/feed.xml", "application/rss+xml", feed);
    drop(rounds.crawl());
    assert_reports(&explain(&rounds, &rounds.url("/a")), &["sitemap", &rounds.url("/sitemap.xml")]);
    assert_reports(&explain(&rounds, &rounds.url("/news")), &["feed", &rounds.url("/feed.xml")]);
    let listed_in = explain_json(&rounds, &rounds.url("/a"))["listed_in"].to_string();
    assert!(listed_in.contains(&rounds.url("/sitemap.xml")), "{listed_in}");
}

/// A link found the page first, and the sitemap lists it too.
#[test]
fn a_page_that_is_linked_and_in_a_sitemap_shows_both_sources() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<a href=/a>To A</a>").page("/a", "<h1>A</h1>").sitemap("/sitemap.xml", &["/", "/a"]);
    drop(rounds.crawl());
    let output = explain(&rounds, &rounds.url("/a"));
    assert_reports(&output, &["To A"]);
    assert_reports(&output, &[&rounds.url("/sitemap.xml")]);
}

#[test]
fn a_redirect_is_shown_for_its_source_and_its_target() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/old"])).redirect("/old", "/older", 301).redirect("/older", "/new", 302);
    rounds.page("/new", "<h1>New</h1>");
    drop(rounds.crawl());
    let [old, older, new] = ["/old", "/older", "/new"].map(|path| rounds.url(path));
    assert_reports(&explain(&rounds, &old), &["no", "redirect", &older, "301"]);
    let output = explain(&rounds, &older);
    assert_reports(&output, &["302", &new]);
    assert!(output.contains(&old), "{output}");
    assert_reports(&explain(&rounds, &new), &["yes", "redirect", &older]);
    assert_eq!(explain_json(&rounds, &new)["redirected_to_by"], serde_json::json!([older]));
}

#[test]
fn a_chain_of_canonicals_is_shown_for_both_ends() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/b"])).page("/a", "<link rel=canonical href=/b><h1>A</h1>");
    rounds.page("/b", "<link rel=canonical href=/c><h1>B</h1>").page("/c", "<h1>C</h1>");
    drop(rounds.crawl());
    let [a, b, c] = ["/a", "/b", "/c"].map(|path| rounds.url(path));
    assert_reports(&explain(&rounds, &a), &["canonical", &b]);
    assert_reports(&explain(&rounds, &c), &["yes", "canonical", &b]);
    let json = explain_json(&rounds, &a);
    assert_reports(&json["canonicals"].to_string(), &[&b, &c]);
    assert_eq!(explain_json(&rounds, &c)["canonical_of"], serde_json::json!([b]));
}

// ---- robots.txt, responses, directives, duplicates

#[test]
fn the_line_of_robots_txt_that_decided() {
    let rounds = RepeatedCrawls::new();
    rounds.robots("User-agent: *\nDisallow: /private/\nAllow: /private/open\n");
    rounds.page("/", links(&["/private/x", "/private/open", "/free"]));
    rounds.page("/private/open", "<h1>Open</h1>").page("/free", "<h1>Free</h1>");
    drop(rounds.crawl());
    let file = rounds.url("/robots.txt");
    let forbidden = explain(&rounds, &rounds.url("/private/x"));
    assert_reports(&forbidden, &[&file, "line 2", "Disallow: /private/"]);
    assert_reports(&explain(&rounds, &rounds.url("/private/open")), &[&file, "line 3", "Allow: /private/open"]);
    assert_reports(&explain(&rounds, &rounds.url("/free")), &[&file, "no rule"]);
    let robots = explain_json(&rounds, &rounds.url("/private/x"))["robots"].clone();
    assert_eq!((&robots["allowed"], &robots["line"]), (&Value::Bool(false), &Value::from(2)));
}

#[test]
fn a_failed_robots_txt_is_reported_as_such() {
    let rounds = RepeatedCrawls::new();
    let hosts = ["broken.test", "limited.test", "none.test"];
    let [broken, limited, none] = hosts.map(|host| format!("http://{host}:{}", rounds.port()));
    rounds.page("/", "<h1>Home</h1>").page("/x", "<h1>X</h1>");
    rounds.status("//broken.test/robots.txt", 503).status("//limited.test/robots.txt", 429);
    let starts = [rounds.url("/"), format!("{broken}/x"), format!("{limited}/x"), format!("{none}/x")];
    let crawl = Crawl::from(&starts).hosts(&rounds, &hosts);
    let _ = crawl.within(rounds.workspace()).args(["--retries", "0"]).run();
    for (host, status) in [(broken, "503"), (limited, "429")] {
        let output = explain(&rounds, &format!("{host}/x"));
        let says = format!(
            "  {host}/robots.txt ({status}): unreachable, which disallows everything (RFC 9309, section 2.3.1.4)\n"
        );
        assert!(output.contains("no: robots-unavailable") && output.contains(&says), "{output}");
    }
    let output = explain(&rounds, &format!("{none}/x"));
    assert!(output.contains(&format!("  {none}/robots.txt (404): no rules\n")), "{output}");
}

#[test]
fn the_hint_at_an_http_error_speaks_of_its_status() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/gone", "/shut", "/failing"]));
    rounds.status("/gone", 410).status("/shut", 403).status("/failing", 500);
    drop(rounds.crawl_with(&["--retries", "0"]));
    for (path, hint) in [
        ("/gone", "  hint: fix the page, or the links that lead to it\n"),
        ("/shut", "  hint: let visitors and this crawler in, or link to it only where they may go\n"),
        ("/failing", "  hint: see the server's log: the server failed\n"),
    ] {
        assert_reports(&explain(&rounds, &rounds.url(path)), &["no: http-error", hint]);
    }
}

#[test]
fn each_response_of_several_runs() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"]));
    Revision::new("<h1>A</h1>").etag("\"1\"").publish(&rounds, "/a");
    drop(rounds.crawls(2));
    rounds.status("/a", 410);
    drop(rounds.crawl_with(&["--shrink-guard", "0"]));
    rounds.answer("/a", ServerAction::raw([]));
    drop(rounds.crawl_with(&["--shrink-guard", "0", "--retries", "1"]));
    let url = rounds.url("/a");
    assert_reports(&explain(&rounds, &url), &["crawl 4", "crawl 3", "410", "crawl 2", "304", "crawl 1", "200"]);
    let answers = explain_json(&rounds, &url)["responses"].clone();
    let output: Vec<_> = answers.as_array().unwrap().iter().map(|one| (&one["run"], &one["status"])).collect();
    let numbers = |(run, status): &(&Value, &Value)| (run.as_u64().unwrap(), status.as_u64());
    let output: Vec<(u64, Option<u64>)> = output.iter().map(numbers).collect();
    assert_eq!(output, [(4, None), (4, None), (3, Some(410)), (2, Some(200)), (1, Some(200))]);
    assert_eq!(answers[3]["not_modified"], true);
    assert!(answers[0]["failure"].is_string(), "{answers}");
}

#[test]
fn directives_and_their_places() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/meta", "/header"]));
    rounds.page("/meta", "<meta name=googlebot content='noindex, nofollow'><h1>m</h1>");
    rounds.answer("/header", Response::html("<h1>h</h1>").header("X-Robots-Tag", "mapwright: none"));
    drop(rounds.crawl());
    assert_reports(&explain(&rounds, &rounds.url("/meta")), &["no", "noindex"]);
    assert_reports(&explain(&rounds, &rounds.url("/meta")).to_lowercase(), &["googlebot"]);
    assert_reports(&explain(&rounds, &rounds.url("/header")).to_lowercase(), &["no", "x-robots-tag"]);
    assert_ne!(explain_json(&rounds, &rounds.url("/header"))["directives"], serde_json::json!([]));
}

#[test]
fn duplicates_name_one_another() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/a/"]) + &links(&["/a"])).page("/a", "<h1>Same</h1>").page("/a/", "<h1>Same</h1>");
    drop(rounds.crawl());
    let (stays, goes) = (rounds.url("/a"), rounds.url("/a/"));
    assert_out(&rounds, &goes, "duplicate");
    assert_reports(&explain(&rounds, &goes), &["no", "duplicate", &stays]);
    let output = explain(&rounds, &stays);
    assert_reports(&output, &["yes"]);
    assert_eq!(explain_json(&rounds, &stays)["duplicates"], serde_json::json!([goes]), "{output}");
}

#[track_caller]
fn assert_out(rounds: &RepeatedCrawls, url: &str, reason: &str) {
    let verdict = explain_json(rounds, url)["verdict"].clone();
    assert_eq!((&verdict["listed"], &verdict["reason"]), (&Value::Bool(false), &Value::from(reason)));
}

#[test]
fn an_excluded_url_shows_its_reason_and_what_to_do() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/gone", "/noindex", "/image.png", "/deep/er"]) + "<a href=http://example.com/>away</a>");
    rounds.page("/noindex", "<meta name=robots content=noindex>").file("/image.png", "image/png", "\u{89}PNG");
    rounds.page("/deep/er", links(&["/deep/est"]));
    drop(rounds.crawl_with(&["--max-depth", "1"]));
    let reasons = [
        (rounds.url("/gone"), "http-error"),
        (rounds.url("/noindex"), "noindex"),
        (rounds.url("/image.png"), "media-type"),
        (rounds.url("/deep/est"), "depth-limit"),
        ("http://example.com/".to_owned(), "out-of-scope"),
    ];
    for (url, reason) in reasons {
        assert_reports(&explain(&rounds, &url), &["in the sitemap: no", reason, "hint"]);
        assert_out(&rounds, &url, reason);
    }
    assert_reports(&explain(&rounds, &rounds.url("/")), &["in the sitemap: yes"]);
}

/// Pages of an audit, or of a crawl that did not publish, are in no sitemap.
#[test]
fn a_page_that_no_run_published_is_in_no_sitemap() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/gone"]));
    let folder = rounds.workspace().folder().join("report").display().to_string();
    let _ = rounds.query(&["audit", &rounds.url("/"), "--out", &folder]).exited(0);
    let output = |path: &str| explain(&rounds, &rounds.url(path));
    let nothing = ["crawl 1", "published nothing", "published no sitemap"];
    for (path, fit) in [("/", "would be listed: yes"), ("/gone", "would be listed: no")] {
        assert_reports(&output(path), &nothing);
        assert_reports(&output(path), &[fit]);
        assert!(!output(path).contains("in the sitemap:"), "{}", output(path));
    }
    drop(rounds.crawl());
    assert_reports(&output("/"), &["in the sitemap: yes"]);
    let _ = rounds.query(&["audit", &rounds.url("/"), "--out", &folder]).exited(0);
    assert_reports(&output("/"), &["crawl 3", "published nothing", "previous sitemap", "would be listed: yes"]);
}

#[test]
fn a_run_whose_process_was_killed_is_reported_as_cut() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<h1>home</h1>");
    drop(rounds.crawl());
    rounds.tamper("UPDATE run SET state = 'running', ended = NULL");
    assert_eq!(explain_json(&rounds, &rounds.url("/"))["run_state"], "cut");
}

// ---- gone, not reached, never found

#[test]
fn a_url_that_is_gone_differs_from_one_not_reached() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/gone", "/slow", "/z"])).page("/gone", "<h1>g</h1>").page("/a", "<h1>a</h1>");
    rounds.page("/slow", "<h1>s</h1>").page("/z", "<h1>z</h1>");
    drop(rounds.crawl());
    rounds.page("/", links(&["/a", "/slow", "/z"])).stall("/slow");
    let cut = Crawl::of(&rounds).within(rounds.workspace()).args(["-c", "1", "--max-time", "1s"]).run();
    let _ = cut.exited(4);
    let not_reached = explain(&rounds, &rounds.url("/z"));
    assert_reports(&not_reached.to_lowercase(), &["cut"]);
    assert!(!not_reached.contains("no page that was read"), "{not_reached}");
    rounds.page("/slow", "<h1>s</h1>");
    drop(rounds.crawl());
    let gone = explain(&rounds, &rounds.url("/gone"));
    assert_reports(&gone, &["no page that was read links to it", "crawl 1"]);
    assert_eq!(explain_json(&rounds, &rounds.url("/gone"))["last_found"]["run"], 1);
}

/// The link to the old address is removed with the page, so that no crawl requests the old address again.
#[test]
fn the_new_address_of_a_page_is_found_by_its_content() {
    let rounds = RepeatedCrawls::new();
    let words: String = (0..60).map(|word| format!("word{word} ")).collect();
    let page = |title: &str, seen: u32| format!("<title>{title}</title><p>{words}<p>seen {seen} times");
    rounds.page("/", links(&["/old", "/other"])).page("/old", page("Ours", 1)).page("/other", page("Other", 1));
    drop(rounds.crawl());
    rounds.page("/", links(&["/new", "/other2"])).page("/new", page("Ours", 2));
    rounds.page("/other2", "<title>Other</title><p>A page of few words, and none of those.");
    drop(rounds.crawl());
    let new = rounds.url("/new");
    assert_reports(&explain(&rounds, &rounds.url("/old")), &["a page that was found since has its title", &new]);
    assert_eq!(explain_json(&rounds, &rounds.url("/old"))["seems_moved_to"], new);
    assert!(explain_json(&rounds, &rounds.url("/other"))["seems_moved_to"].is_null());
    drop(rounds.crawl());
    assert_eq!(explain_json(&rounds, &rounds.url("/old"))["seems_moved_to"], new, "a day later, too");
}

/// A URL that an interrupted run did not reach is not gone: the run knows nothing of it.
#[test]
fn a_url_that_an_interrupted_run_did_not_reach_is_not_gone() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/slow"])).page("/slow", links(&["/behind"])).page("/behind", "<h1>b</h1>");
    drop(rounds.crawl());
    rounds.stall("/slow");
    let _ = Crawl::of(&rounds).within(rounds.workspace()).args(["--max-time", "1s"]).run().exited(4);
    let output = explain(&rounds, &rounds.url("/behind"));
    assert!(!output.contains("no page that was read"), "{output}");
    assert_reports(&output.to_lowercase(), &["cut"]);
}

#[test]
fn a_url_that_was_never_found() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<h1>Home</h1>");
    drop(rounds.crawl());
    let url = rounds.url("/never");
    assert_reports(&explain(&rounds, &url), &[&url, "not found in any crawl"]);
    assert_eq!(explain_json(&rounds, &url)["found"], false);
}

/// The URL is canonicalised by the rules of the crawl, as in the record.
#[test]
fn a_url_is_found_in_any_spelling() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a~b?x=1"])).page("/a~b", "<h1>A</h1>");
    drop(rounds.crawl());
    for spelling in ["/a%7Eb?x=1", "/./a~b?x=1#part", "/a~b?utm_source=mail&x=1"] {
        assert_reports(&explain(&rounds, &rounds.url(spelling)), &[&rounds.url("/a~b?x=1"), "yes"]);
    }
}

/// The purpose of the request does not matter.
#[test]
fn requests_for_robots_txt_and_sitemaps_are_shown_too() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<h1>Home</h1>").sitemap("/sitemap.xml", &["/"]);
    drop(rounds.crawl());
    for (path, status) in [("/robots.txt", "404"), ("/sitemap.xml", "200")] {
        assert_reports(&explain(&rounds, &rounds.url(path)), &["responses (1 latest)", status]);
    }
}

// ---- selection of the record

/// Crawls without `--state`, with this home directory.
#[track_caller]
fn crawl_at_home(workspace: &Workspace, home: &str, start: &str) {
    let state = workspace.folder().join(home).display().to_string();
    // Each site publishes into a directory of its own.
    let public = format!("public-{}", start.replace([':', '/'], "-"));
    let command = Command::new(["crawl", start, "-o", &public, "--no-progress"]).within(workspace);
    drop(command.env("XDG_STATE_HOME", state).run().exited(0));
}

#[test]
fn the_record_is_found_by_the_origin_of_the_url() {
    let workspace = Workspace::new();
    let sites = [FakeSite::open(), FakeSite::open()];
    for (number, site) in sites.iter().enumerate() {
        site.page("/", links(&["/a"])).page("/a", format!("<h1>Site {number}</h1>"));
        crawl_at_home(&workspace, "states", &site.url("/"));
    }
    let state = workspace.folder().join("states").display().to_string();
    let query = |url: &str| Command::new(["explain", url]).within(&workspace).env("XDG_STATE_HOME", &state).run();
    for site in &sites {
        assert_reports(&query(&site.url("/a")).exited(0).stdout, &[&site.url("/a"), "yes"]);
    }
    let stranger = query("http://stranger.test/a").exited(2);
    assert_eq!(stranger.stderr.trim_end().lines().count(), 1, "{}", stranger.stderr);
    assert!(stranger.stderr.contains("stranger.test") && stranger.stderr.contains("--state"), "{}", stranger.stderr);
}

/// Two crawls of one origin have two records. A URL of the origin is in one or both, and the output names the record.
#[test]
fn several_records_of_one_origin() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/en/", links(&["/en/a"])).page("/en/a", "<h1>A</h1>");
    site.page("/de/", links(&["/de/b"])).page("/de/b", "<h1>B</h1>");
    for start in ["/en/", "/de/"] {
        crawl_at_home(&workspace, "states", &site.url(start));
    }
    let state = workspace.folder().join("states").display().to_string();
    for path in ["/en/a", "/de/b"] {
        let url = site.url(path);
        let done = Command::new(["explain", &url]).within(&workspace).env("XDG_STATE_HOME", &state).run();
        match done.code {
            Some(0) => assert_reports(&done.stdout, &[&url, "in the sitemap: yes"]),
            // An error that names both is valid too, if it is one line that says how to choose.
            Some(2) => {
                assert_eq!(done.stderr.trim_end().lines().count(), 1, "{}", done.stderr);
                assert!(done.stderr.contains("--state"), "{}", done.stderr);
            }
            _ => panic!("{done:?}"),
        }
    }
}

#[test]
fn without_a_record_it_says_so() {
    let workspace = Workspace::new();
    let missing = workspace.folder().join("nowhere").display().to_string();
    for words in [["explain", "http://example.test/", "--state", &missing].as_slice(), &["explain", "http://e.test/"]] {
        let done = Command::new(words).within(&workspace).run().exited(2);
        assert_eq!(done.stderr.trim_end().lines().count(), 1, "{}", done.stderr);
        assert!(done.stdout.is_empty());
    }
    assert!(!workspace.folder().join("nowhere").exists(), "the query made a record");
}

#[test]
fn an_invalid_url_is_one_line() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<h1>Home</h1>");
    drop(rounds.crawl());
    for url in ["not a url", "http://", "ftp://example.com/x", ""] {
        let done = rounds.query(&["explain", url]).exited(2);
        assert_eq!(done.stderr.trim_end().lines().count(), 1, "{url:?}: {}", done.stderr);
        assert!(done.stderr.contains(url) && done.stdout.is_empty(), "{url:?}: {}", done.stderr);
    }
}

// ---- control characters

#[test]
fn control_characters_of_the_site_are_escaped() {
    let rounds = RepeatedCrawls::new();
    let evil = "\u{1b}[31mred\u{7}\u{9b}2J \u{202e}txt";
    rounds.robots(format!("User-agent: *\nDisallow: /no{evil}\nDisallow: /private\n"));
    rounds.page("/", format!("<a href=/a>{evil}</a><a href=/private>{evil}</a>"));
    rounds.page("/a", format!("<title>{evil}</title><link rel=canonical href='/b{evil}'><h1>A</h1>"));
    drop(rounds.crawl());
    for path in ["/a", "/private"] {
        let output = explain(&rounds, &rounds.url(path));
        let control = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!output.contains(control), "{output:?}");
        let json = rounds.query(&["explain", &rounds.url(path), "--format", "json"]).exited(0).stdout;
        assert!(!json.contains(|c: char| c.is_control() && c != '\n'), "{json:?}");
        drop(explain_json(&rounds, &rounds.url(path)));
    }
}
