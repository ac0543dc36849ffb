//! `mapwright audit`: the rules by which it fails, baselines, the life of findings, what it asks and what it leaves.
#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lints know test functions alone"
)]

use mapwright_e2e::desk::{Desk, Run};
use mapwright_e2e::links;
use mapwright_testkit::{Response, Site};
use serde_json::Value;
use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A site with two broken links on its home page, and nothing else that is an error.
fn faulty() -> Site {
    let site = Site::open();
    site.page("/", links(&["/a", "/lost1", "/lost2"])).page("/a", links(&["/"]));
    site.answer("/robots.txt", Response::text("User-agent: *\nDisallow:\n"));
    site
}

#[track_caller]
fn audit(desk: &Desk, site: &Site, more: &[&str]) -> Run {
    let (out, state) = (desk.out().display().to_string(), desk.state().display().to_string());
    let start = site.url("/");
    let fixed = ["audit", start.as_str(), "--out", &out, "--state", &state, "--no-progress"];
    desk.run(&[&fixed, more].concat())
}

#[track_caller]
fn report(desk: &Desk) -> Value {
    let text = fs::read_to_string(desk.out().join("report.json")).expect("a report");
    serde_json::from_str(&text).expect("a report of JSON")
}

/// URL and state of the findings of a kind.
#[track_caller]
fn of(desk: &Desk, code: &str) -> Vec<(String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let report = report(desk);
    let findings = report["findings"].as_array().expect("findings").iter().filter(|one| one["code"] == code);
    findings.map(|one| (text(one, "url"), text(one, "state"))).collect()
}

fn is(state: &str, urls: &[String]) -> Vec<(String, String)> {
    urls.iter().map(|url| (url.clone(), state.to_owned())).collect()
}

/// Challenges say that the page was not served, by whatever status: it is no page that fails, and none that is.
#[test]
fn a_firewall_that_challenges_is_told_and_its_pages_are_not() {
    for (status, header, value) in [
        (503, "cf-mitigated", "challenge"),
        (202, "x-amzn-waf-action", "challenge"),
        (405, "x-amzn-waf-action", "captcha"),
        (200, "cf-mitigated", "challenge"),
    ] {
        let (desk, site) = (Desk::new(), Site::open());
        let paths = ["/a", "/b", "/c", "/d"];
        site.page("/", links(&paths));
        for path in paths {
            let wall = Response::html("<title>Checking</title>Are you a person?").header(header, value);
            site.answer(path, wall.status(status));
        }
        let _ = audit(&desk, &site, &["--retries", "0"]).exited(0);
        assert_eq!(of(&desk, "firewall").len(), 1, "{status}");
        for code in ["http-5xx", "http-4xx", "odd-answer", "dup-exact", "dead-end"] {
            assert_eq!(of(&desk, code), [], "{status}: {code}");
        }
    }
}

#[test]
fn reports_are_written_and_the_summary_names_them() {
    let (desk, site) = (Desk::new(), faulty());
    let run = audit(&desk, &site, &[]).exited(0);
    let files: Vec<String> = mapwright_e2e::desk::files_in(&desk.out()).into_keys().collect();
    let expected = [
        "issues.csv",
        "report.html",
        "report.json",
        "report.junit.xml",
        "report.md",
        "report.sarif",
        "report.schema.json",
    ];
    assert_eq!(files, expected, "no sitemap, and no draft is left");
    for words in ["findings: 2 errors", "http-4xx", "report.html"] {
        assert!(run.done.stdout.contains(words), "{}", run.done.stdout);
    }
}

#[test]
fn a_broken_link_is_shown_with_page_text_and_place_and_the_count_is_exact() {
    let (desk, site) = (Desk::new(), Site::open());
    let pages: Vec<String> = (0..15).map(|number| format!("/p{number}")).collect();
    site.page("/", links(&pages.iter().map(String::as_str).collect::<Vec<_>>()));
    for path in &pages {
        site.page(path, "<nav><a href=/lost>The <b>lost</b> page</a></nav><a href=/>home</a>");
    }
    let _ = audit(&desk, &site, &[]).exited(0);
    let report = report(&desk);
    let finding = report["findings"].as_array().unwrap().iter().find(|one| one["code"] == "http-4xx").unwrap();
    assert_eq!(finding["linked_from_count"], 15);
    assert_eq!(finding["linked_from"].as_array().unwrap().len(), 10, "a sample");
    assert_eq!(finding["linked_from"][0]["anchor"], "The lost page");
    assert_eq!(finding["linked_from"][0]["region"], "nav");
}

#[test]
fn an_error_is_confirmed_by_a_second_try() {
    let (desk, site) = (Desk::new(), faulty());
    site.first_n("/a", 1, Response::new(404));
    let _ = audit(&desk, &site, &[]).exited(0);
    assert_eq!(of(&desk, "http-4xx"), is("new", &site.urls(&["/lost1", "/lost2"])));
    assert_eq!((site.hits("/a"), site.hits("/lost1")), (2, 2));
}

#[test]
fn rules_that_are_broken_are_named_and_end_with_10() {
    let (desk, site) = (Desk::new(), faulty());
    let rules: [(&[&str], &str); 5] = [
        (&["--fail-on", "error"], "--fail-on error: 2 findings"),
        (&["--fail-on", "warning"], "--fail-on warning"),
        (&["--fail-on", "http-4xx"], "--fail-on http-4xx: 2 findings"),
        (&["--max-broken", "1"], "--max-broken 1: 2 URLs are broken"),
        (&["--severity", "dead-end=error", "--mute", "http-4xx", "--fail-on", "notice"], "--fail-on notice"),
    ];
    for (rule, words) in rules {
        let run = audit(&desk, &site, rule).exited(10);
        assert!(run.done.stdout.contains(&format!("failed: {words}")), "{rule:?}: {}", run.done.stdout);
    }
    for kept in [
        &["--max-broken", "2"][..],
        &["--fail-on", "http-5xx"],
        &["--severity", "http-4xx=notice", "--fail-on", "error"],
    ] {
        let _ = audit(&desk, &site, kept).exited(0);
    }
}

#[test]
fn what_stands_in_the_baseline_is_accepted_and_what_is_further_is_not() {
    let (desk, site) = (Desk::new(), faulty());
    let baseline = desk.path("baseline.json").display().to_string();
    let _ = audit(&desk, &site, &["--write-baseline", &baseline]).exited(0);
    let known = ["--baseline", baseline.as_str(), "--fail-on", "error", "--max-broken", "0"];
    let told = audit(&desk, &site, &known).exited(0).done.stdout;
    assert!(told.contains("findings: 0 errors, 0 warnings, 0 notices; "), "{told}");
    assert!(told.contains(" accepted by the baseline") && told.contains(" (2 accepted)"), "{told}");
    assert!(report(&desk)["findings"].as_array().unwrap().iter().all(|one| one["accepted"] == true));
    site.page("/", links(&["/a", "/lost1", "/lost2", "/lost3"]));
    let run = audit(&desk, &site, &known).exited(10);
    assert!(
        run.done.stdout.contains("--fail-on error: 1 finding") && run.done.stdout.contains("1 URL is broken"),
        "{}",
        run.done.stdout
    );
}

#[test]
fn findings_are_new_persist_are_fixed_and_come_back() {
    let (desk, site) = (Desk::new(), faulty());
    let lost = site.urls(&["/lost1", "/lost2"]);
    let _ = audit(&desk, &site, &[]).exited(0);
    assert_eq!(of(&desk, "http-4xx"), is("new", &lost));
    site.page("/lost1", links(&["/"]));
    let _ = audit(&desk, &site, &[]).exited(0);
    assert_eq!(of(&desk, "http-4xx"), is("persisting", &lost[1..]));
    let fixed: Vec<Value> = report(&desk)["fixed"].as_array().unwrap().clone();
    assert!(fixed.iter().any(|one| one["code"] == "http-4xx" && one["subject"] == lost[0].as_str()), "{fixed:?}");
    site.answer("/lost1", Response::new(404));
    let _ = audit(&desk, &site, &[]).exited(0);
    let expected = [is("regressed", &lost[..1]), is("persisting", &lost[1..])].concat();
    assert_eq!(of(&desk, "http-4xx"), expected);
    assert_eq!(report(&desk)["figures"]["history"].as_array().unwrap().len(), 3);
}

#[test]
fn what_a_failing_redirect_leads_to_is_no_better_linked_than_before() {
    let (desk, site) = (Desk::new(), faulty());
    site.page("/", links(&["/old"])).page("/new", links(&["/"]));
    site.answer("/old", Response::redirect(301, "/new"));
    let fixed = || report(&desk)["fixed"].as_array().unwrap().iter().any(|one| one["code"] == "isolated-redirect");
    let new = site.urls(&["/new"]);
    let _ = audit(&desk, &site, &[]).exited(0);
    assert_eq!(of(&desk, "isolated-redirect"), is("new", &new));
    site.answer("/old", Response::new(503));
    let _ = audit(&desk, &site, &["--retries", "0"]).exited(0);
    assert!(!fixed());
    site.answer("/old", Response::redirect(301, "/new"));
    let _ = audit(&desk, &site, &[]).exited(0);
    assert_eq!(of(&desk, "isolated-redirect"), is("persisting", &new));
    site.page("/", links(&["/new"]));
    let _ = audit(&desk, &site, &[]).exited(0);
    assert!(fixed());
}

/// `/de` is led back by the sitemap alone; `/fr` is lost, which only the sitemap names.
#[test]
fn what_a_sitemap_says_of_languages_holds_while_that_cannot_be_read() {
    let (desk, site) = (Desk::new(), faulty());
    let head = |path: &str, tags: &str| {
        let html = format!("<!doctype html><title>{path}</title>{tags}<a href=/>home</a> this is {path}");
        site.page(path, html);
    };
    let tag = |code: &str, path: &str| format!("<link rel=alternate hreflang={code} href={path}>");
    site.page("/", links(&["/en", "/de"]));
    head("/en", &[tag("en", "/en"), tag("de", "/de"), tag("x-default", "/en")].concat());
    head("/de", "");
    let named =
        |code: &str, path: &str| format!("<x:link rel='alternate' hreflang='{code}' href='{}'/>", site.url(path));
    let set = [named("en", "/en"), named("de", "/de"), named("fr", "/fr"), named("x-default", "/en")].concat();
    let map = Response::xml(format!(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='http://www.w3.org/1999/xhtml'>
         <url><loc>{}</loc>{set}</url></urlset>",
        site.url("/de")
    ));
    site.answer("/sitemap.xml", map.clone());
    let lost = site.urls(&["/de"]);
    for (answer, state) in [(map.clone(), "new"), (Response::new(503), "persisting"), (map, "persisting")] {
        site.answer("/sitemap.xml", answer);
        let _ = audit(&desk, &site, &["--retries", "0"]).exited(0);
        assert_eq!(of(&desk, "hreflang-no-return"), []);
        assert_eq!(of(&desk, "hreflang-not-200"), is(state, &lost));
    }
}

#[test]
fn the_last_run_is_audited_without_a_request_and_stays_as_it_is() {
    let (desk, site) = (Desk::new(), faulty());
    let _ = audit(&desk, &site, &[]).exited(0);
    let (first, requests) = (report(&desk), site.requests().len());
    let state = desk.state().display().to_string();
    let out = desk.path("again").display().to_string();
    let again = ["audit", "--from-record", "--state", &state, "--out", &out, "--fail-on", "error"];
    for _ in 0..2 {
        let _ = desk.run(&again).exited(10);
    }
    let text = fs::read_to_string(desk.path("again/report.json")).unwrap();
    let second: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(second["findings"], first["findings"]);
    assert_eq!(site.requests().len(), requests);
    let runs = desk.run(&["runs", "--state", &state, "--format", "json"]).done.stdout;
    assert_eq!(serde_json::from_str::<Vec<Value>>(&runs).unwrap().len(), 1, "it made no run: {runs}");
}

#[test]
fn other_sites_are_asked_for_only_with_leave() {
    let (desk, site, other) = (Desk::new(), faulty(), Site::open());
    other.page("/fine", "x").answer("/moved", Response::new(301).header("Location", "/gone"));
    other.answer("/busy", Response::new(503).header("Retry-After", "1"));
    other.answer("/round", Response::new(302).header("Location", "/about"));
    other.answer("/about", Response::new(302).header("Location", "/round"));
    other.handler("/shy", |request| if request.method == "HEAD" { Response::new(405) } else { Response::html("x") });
    let out = other.urls(&["/fine", "/gone", "/moved", "/round", "/shy", "/busy"]);
    site.page("/a", links(&out.iter().map(String::as_str).collect::<Vec<_>>()));
    let _ = audit(&desk, &site, &[]).exited(0);
    assert!(other.requests().is_empty() && of(&desk, "external-broken").is_empty());
    let _ = audit(&desk, &site, &["--check-external"]).exited(0);
    assert_eq!(of(&desk, "external-broken"), is("new", &other.urls(&["/gone", "/moved", "/round"])));
    let methods: Vec<String> =
        other.requests().iter().filter(|r| r.path() == "/shy").map(|r| r.method.clone()).collect();
    assert_eq!(methods, ["HEAD", "GET"]);
}

#[test]
fn an_error_is_told_after_a_second_try_and_a_refusal_too() {
    let (desk, site) = (Desk::new(), faulty());
    site.page("/", links(&["/odd403", "/odd401", "/odd404", "/firm"]));
    for (path, status) in [("/odd403", 403), ("/odd401", 401), ("/odd404", 404)] {
        site.page(path, links(&["/"])).first_n(path, 1, Response::new(status));
    }
    site.answer("/firm", Response::new(403));
    let _ = audit(&desk, &site, &[]).exited(0);
    assert_eq!(of(&desk, "auth"), is("new", &site.urls(&["/firm"])));
    assert!(of(&desk, "http-4xx").is_empty());
}

#[test]
fn after_a_run_that_failed_the_record_is_audited_by_the_newest_complete_one_which_is_said() {
    let (desk, site) = (Desk::new(), faulty());
    drop(audit(&desk, &site, &[]).exited(0));
    let before = of(&desk, "http-4xx");
    assert_eq!(before.len(), 2);
    site.answer("/", Response::new(503));
    drop(audit(&desk, &site, &["--retries", "0"]).exited(3));
    fs::remove_dir_all(desk.out()).expect("reports");
    let run = audit(&desk, &site, &["--from-record", "--format", "text"]).exited(0);
    assert!(
        run.said().contains("the newest run, 2, failed") && run.said().contains("this is of run 1"),
        "{}",
        run.said()
    );
    assert_eq!(report(&desk)["run"]["number"], 1);
    assert_eq!(of(&desk, "http-4xx"), before);
}

#[test]
fn a_record_of_another_site_is_not_audited_and_checks_that_need_requests_are_named() {
    let (desk, site, other) = (Desk::new(), faulty(), Site::open());
    let _ = audit(&desk, &site, &[]).exited(0);
    let run = audit(&desk, &other, &["--from-record"]).exited(2);
    assert!(run.done.stderr.contains("the record is of another site"), "{}", run.done.stderr);
    let _ = audit(&desk, &site, &["--from-record", "--check-external"]).exited(0);
    let notes = report(&desk)["notes"].to_string();
    assert!(notes.contains("--from-record makes none"), "{notes}");
}

/// A page that waited behind others is requested again alone, and is slow where it is slow then.
#[test]
fn a_page_is_slow_where_it_is_slow_alone() {
    let (desk, site) = (Desk::new(), Site::open());
    let late = || Response::html("<a href=/>Home</a> Late").delay(Duration::from_millis(600));
    site.page("/", links(&["/a", "/b", "/busy", "/slow"])).page("/a", "A").page("/b", "B");
    site.page("/busy", "Soon").first_n("/busy", 1, late());
    site.answer("/slow", late());
    let _ = audit(&desk, &site, &["--slow", "300ms"]).exited(0);
    assert_eq!(of(&desk, "slow"), is("new", &[site.url("/slow")]));
    assert_eq!(["/a", "/busy", "/slow"].map(|path| site.hits(path)), [1, 2, 2]);
    assert_eq!(of(&desk, "orphan"), []);
}

#[test]
fn errors_of_the_crawls_own_load_are_no_findings() {
    let (desk, site) = (Desk::new(), Site::open());
    let paths: Vec<String> = (0..60).map(|n| format!("/page/{n}")).collect();
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    let taken = Mutex::new(Vec::<Instant>::new());
    site.handler("/page/*", move |request| {
        let (mut taken, now) = (taken.lock().expect("no panic"), Instant::now());
        taken.retain(|until| *until > now);
        if taken.len() >= 3 {
            return Response::new(500);
        }
        taken.push(now + Duration::from_millis(80));
        Response::html(format!("<h1>{}</h1>", request.path())).delay(Duration::from_millis(80))
    });
    let _ = audit(&desk, &site, &[]).exited(0);
    assert_eq!(of(&desk, "http-5xx"), []);
}

#[test]
fn an_audit_that_was_cut_goes_on_as_one() {
    let (desk, site) = (Desk::new(), faulty());
    site.page("/", links(&["/a", "/lost1", "/slow"])).stall("/slow");
    let _ = audit(&desk, &site, &["--max-time", "1s"]).exited(4);
    assert_eq!(report(&desk)["run"]["whole"], false);
    site.page("/slow", links(&["/"]));
    fs::remove_file(desk.out().join("report.json")).unwrap();
    let _ = desk.run(&["resume", "--state", &desk.state().display().to_string(), "--no-progress"]).exited(0);
    assert_eq!(report(&desk)["run"]["whole"], true);
    assert_eq!(of(&desk, "http-4xx").len(), 1);
}

#[test]
fn what_sitemaps_omit_is_not_judged_where_the_budget_was_spent_before_their_parts_were_read() {
    let (desk, site) = (Desk::new(), Site::open());
    let pages = ["/a", "/b", "/c", "/d", "/e", "/f"];
    site.page("/", links(&pages)).robots(format!("Sitemap: {}\n", site.url("/index.xml")));
    for path in pages {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    let part = site.url("/part.xml");
    let index = format!(
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>{part}</loc></sitemap></sitemapindex>"
    );
    site.answer("/index.xml", Response::xml(index).delay(Duration::from_millis(500))).sitemap("/part.xml", &pages);
    let _ = audit(&desk, &site, &["--max-urls", "3"]).exited(0);
    assert_eq!(site.hits("/part.xml"), 0);
    assert_eq!(of(&desk, "sitemap-omits"), []);
    assert!(report(&desk)["notes"].to_string().contains("not all published sitemaps could be read"));
}

#[test]
fn annotations_are_made_for_github_and_by_audits_alone() {
    let (desk, site) = (Desk::new(), faulty());
    let run = audit(&desk, &site, &["--format", "github"]).exited(0);
    assert!(run.done.stdout.lines().all(|line| line.starts_with("::")), "{}", run.done.stdout);
    assert!(run.done.stdout.contains("::error") && run.done.stdout.contains("lost1"), "{}", run.done.stdout);
    let crawl = desk.run(&["crawl", &site.url("/"), "--format", "github"]).exited(2);
    assert!(crawl.done.stderr.contains("audits alone"), "{}", crawl.done.stderr);
}

#[test]
fn settings_that_make_no_sense_are_told_in_one_line_before_the_first_request() {
    let (desk, site) = (Desk::new(), faulty());
    let text = desk.file("no-baseline.json", "[]");
    let cases: [(&[&str], &str); 7] = [
        (&["--fail-on", "loud"], "--fail-on"),
        (&["--severity", "slow"], "CODE=SEVERITY"),
        (&["--severity", "slow=loud"], "error, warning, notice and off"),
        (&["--mute", "nothing"], "no kind of finding"),
        (&["--baseline", &text], "no baseline"),
        (&["--robots-file", "/no/such/file"], "--robots-file"),
        (&["--max-broken", "many"], "--max-broken"),
    ];
    for (words, said) in cases {
        let run = audit(&desk, &site, words).exited(2);
        assert!(
            run.done.stderr.lines().count() == 1 && run.done.stderr.contains(said),
            "{words:?}: {}",
            run.done.stderr
        );
    }
    assert!(site.requests().is_empty());
    let run = desk.run(&["audit", &site.url("/"), "--out", "-"]).exited(2);
    assert!(run.done.stderr.contains("name a directory"), "{}", run.done.stderr);
}
