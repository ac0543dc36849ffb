//! `mapwright audit`: the `--fail-on` rules, baselines, the history of findings, and the requests that it makes.
#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lints know test functions alone"
)]

use mapwright_e2e::{CommandOutput, Workspace, links};
use mapwright_testkit::{FakeSite, Response};
use serde_json::Value;
use std::fs;
use std::time::Duration;

/// A site with two broken links on its home page, and nothing else that is an error.
fn faulty() -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/lost1", "/lost2"])).page("/a", links(&["/"]));
    site.answer("/robots.txt", Response::text("User-agent: *\nDisallow:\n"));
    site
}

#[track_caller]
pub(crate) fn audit(workspace: &Workspace, site: &FakeSite, more: &[&str]) -> CommandOutput {
    let (out, state) = (workspace.out().display().to_string(), workspace.state().display().to_string());
    let start = site.url("/");
    let fixed = ["audit", start.as_str(), "--out", &out, "--state", &state, "--no-progress"];
    workspace.run(&[&fixed, more].concat())
}

#[track_caller]
fn report(workspace: &Workspace) -> Value {
    let text = fs::read_to_string(workspace.out().join("report.json")).expect("a report");
    serde_json::from_str(&text).expect("a report of JSON")
}

/// The URL and state of each finding with this code.
#[track_caller]
pub(crate) fn of(workspace: &Workspace, code: &str) -> Vec<(String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let report = report(workspace);
    let findings = report["findings"].as_array().expect("findings").iter().filter(|one| one["code"] == code);
    findings.map(|one| (text(one, "url"), text(one, "state"))).collect()
}

pub(crate) fn is(state: &str, urls: &[String]) -> Vec<(String, String)> {
    urls.iter().map(|url| (url.clone(), state.to_owned())).collect()
}

/// A challenge replaces the page, whatever its status: the page counts neither as failing nor as crawled.
#[test]
fn a_challenge_of_a_firewall_is_reported_and_its_pages_are_not() {
    for (status, header, value) in [
        (503, "cf-mitigated", "challenge"),
        (202, "x-amzn-waf-action", "challenge"),
        (405, "x-amzn-waf-action", "captcha"),
        (200, "cf-mitigated", "challenge"),
    ] {
        let (workspace, site) = (Workspace::new(), FakeSite::open());
        let paths = ["/a", "/b", "/c", "/d"];
        site.page("/", links(&paths));
        for path in paths {
            let wall = Response::html("<title>Checking</title>Are you a person?").header(header, value);
            site.answer(path, wall.status(status));
        }
        let _ = audit(&workspace, &site, &["--retries", "0"]).exited(0);
        assert_eq!(of(&workspace, "firewall").len(), 1, "{status}");
        for code in ["http-5xx", "http-4xx", "odd-answer", "dup-exact", "dead-end"] {
            assert_eq!(of(&workspace, code), [], "{status}: {code}");
        }
    }
}

#[test]
fn reports_are_written_and_the_summary_names_them() {
    let (workspace, site) = (Workspace::new(), faulty());
    let run = audit(&workspace, &site, &[]).exited(0);
    let files: Vec<String> = mapwright_e2e::files::files_in(&workspace.out()).into_keys().collect();
    let expected = [
        "issues.csv",
        "issues.xlsx",
        "report.html",
        "report.json",
        "report.junit.xml",
        "report.md",
        "report.sarif",
        "report.schema.json",
    ];
    assert_eq!(files, expected, "no sitemap, and no draft is left");
    for words in ["findings: 2 errors", "http-4xx", "report.html"] {
        assert!(run.stdout.contains(words), "{}", run.stdout);
    }
}

#[test]
fn a_broken_link_is_shown_with_page_text_and_place_and_the_count_is_exact() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let pages: Vec<String> = (0..15).map(|number| format!("/p{number}")).collect();
    site.page("/", links(&pages.iter().map(String::as_str).collect::<Vec<_>>()));
    for path in &pages {
        site.page(path, "<nav><a href=/lost>The <b>lost</b> page</a></nav><a href=/>home</a>");
    }
    let _ = audit(&workspace, &site, &[]).exited(0);
    let report = report(&workspace);
    let finding = report["findings"].as_array().unwrap().iter().find(|one| one["code"] == "http-4xx").unwrap();
    assert_eq!(finding["linked_from_count"], 15);
    assert_eq!(finding["linked_from"].as_array().unwrap().len(), 10, "a sample");
    assert_eq!(finding["linked_from"][0]["anchor"], "The lost page");
    assert_eq!(finding["linked_from"][0]["region"], "nav");
}

#[test]
fn a_file_that_a_style_sheet_names_is_shown_with_the_pages_that_load_the_sheet() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let head = "<link rel=stylesheet href=/page.css>";
    site.page("/", format!("{head}<a href=/a>A</a>")).page("/a", format!("{head}<a href=/>Home</a>"));
    site.answer("/page.css", Response::new(200).content_type("text/css").body("p { background: url(/gone.png) }"));
    let _ = audit(&workspace, &site, &[]).exited(0);
    let report = report(&workspace);
    let finding = report["findings"].as_array().unwrap().iter().find(|one| one["code"] == "resource-broken").unwrap();
    assert_eq!(finding["url"], site.url("/gone.png"));
    assert_eq!(finding["linked_from_count"], 2);
    let pages: Vec<&Value> = finding["linked_from"].as_array().unwrap().iter().map(|page| &page["url"]).collect();
    assert_eq!(pages, [&site.url("/"), &site.url("/a")]);
}

#[test]
fn an_error_is_confirmed_by_a_second_try() {
    let (workspace, site) = (Workspace::new(), faulty());
    site.first_n("/a", 1, Response::new(404));
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert_eq!(of(&workspace, "http-4xx"), is("new", &site.urls(&["/lost1", "/lost2"])));
    assert_eq!((site.hits("/a"), site.hits("/lost1")), (2, 2));
}

#[test]
fn rules_that_are_broken_are_named_and_end_with_10() {
    let (workspace, site) = (Workspace::new(), faulty());
    let rules: [(&[&str], &str); 5] = [
        (&["--fail-on", "error"], "--fail-on error: 2 findings"),
        (&["--fail-on", "warning"], "--fail-on warning"),
        (&["--fail-on", "http-4xx"], "--fail-on http-4xx: 2 findings"),
        (&["--max-broken", "1"], "--max-broken 1: 2 URLs are broken"),
        (&["--severity", "dead-end=error", "--mute", "http-4xx", "--fail-on", "notice"], "--fail-on notice"),
    ];
    for (rule, words) in rules {
        let run = audit(&workspace, &site, rule).exited(10);
        assert!(run.stdout.contains(&format!("failed: {words}")), "{rule:?}: {}", run.stdout);
    }
    for kept in [
        &["--max-broken", "2"][..],
        &["--fail-on", "http-5xx"],
        &["--severity", "http-4xx=notice", "--fail-on", "error"],
    ] {
        let _ = audit(&workspace, &site, kept).exited(0);
    }
}

#[test]
fn findings_of_the_baseline_are_accepted_and_new_ones_are_not() {
    let (workspace, site) = (Workspace::new(), faulty());
    let baseline = workspace.path("baseline.json").display().to_string();
    let _ = audit(&workspace, &site, &["--write-baseline", &baseline]).exited(0);
    let known = ["--baseline", baseline.as_str(), "--fail-on", "error", "--max-broken", "0"];
    let reported = audit(&workspace, &site, &known).exited(0).stdout;
    assert!(reported.contains("findings: 0 errors, 0 warnings, 0 notices; "), "{reported}");
    assert!(reported.contains(" accepted by the baseline") && reported.contains(" (2 accepted)"), "{reported}");
    assert!(report(&workspace)["findings"].as_array().unwrap().iter().all(|one| one["accepted"] == true));
    site.page("/", links(&["/a", "/lost1", "/lost2", "/lost3"]));
    let run = audit(&workspace, &site, &known).exited(10);
    assert!(
        run.stdout.contains("--fail-on error: 1 finding") && run.stdout.contains("1 URL is broken"),
        "{}",
        run.stdout
    );
}

#[test]
fn findings_are_new_persist_are_fixed_and_come_back() {
    let (workspace, site) = (Workspace::new(), faulty());
    let lost = site.urls(&["/lost1", "/lost2"]);
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert_eq!(of(&workspace, "http-4xx"), is("new", &lost));
    site.page("/lost1", links(&["/"]));
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert_eq!(of(&workspace, "http-4xx"), is("persisting", &lost[1..]));
    let fixed: Vec<Value> = report(&workspace)["fixed"].as_array().unwrap().clone();
    assert!(fixed.iter().any(|one| one["code"] == "http-4xx" && one["subject"] == lost[0].as_str()), "{fixed:?}");
    site.answer("/lost1", Response::new(404));
    let _ = audit(&workspace, &site, &[]).exited(0);
    let expected = [is("regressed", &lost[..1]), is("persisting", &lost[1..])].concat();
    assert_eq!(of(&workspace, "http-4xx"), expected);
    assert_eq!(report(&workspace)["figures"]["history"].as_array().unwrap().len(), 3);
}

#[test]
fn a_finding_about_the_target_of_a_redirect_persists_while_the_redirect_fails() {
    let (workspace, site) = (Workspace::new(), faulty());
    site.page("/", links(&["/old"])).page("/new", links(&["/"]));
    site.answer("/old", Response::redirect(301, "/new"));
    let fixed = || report(&workspace)["fixed"].as_array().unwrap().iter().any(|one| one["code"] == "isolated-redirect");
    let new = site.urls(&["/new"]);
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert_eq!(of(&workspace, "isolated-redirect"), is("new", &new));
    site.answer("/old", Response::new(503));
    let _ = audit(&workspace, &site, &["--retries", "0"]).exited(0);
    assert!(!fixed());
    site.answer("/old", Response::redirect(301, "/new"));
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert_eq!(of(&workspace, "isolated-redirect"), is("persisting", &new));
    site.page("/", links(&["/new"]));
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert!(fixed());
}

/// Only the sitemap declares the return link of `/de`, and only the sitemap names `/fr`, which does not exist.
#[test]
fn the_hreflang_links_of_a_sitemap_remain_while_the_sitemap_cannot_be_read() {
    let (workspace, site) = (Workspace::new(), faulty());
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
        let _ = audit(&workspace, &site, &["--retries", "0"]).exited(0);
        assert_eq!(of(&workspace, "hreflang-no-return"), []);
        assert_eq!(of(&workspace, "hreflang-not-200"), is(state, &lost));
    }
}

#[test]
fn the_last_run_is_audited_without_requests_and_is_not_changed() {
    let (workspace, site) = (Workspace::new(), faulty());
    let _ = audit(&workspace, &site, &[]).exited(0);
    let (first, requests) = (report(&workspace), site.requests().len());
    let state = workspace.state().display().to_string();
    let out = workspace.path("again").display().to_string();
    let again = ["audit", "--from-record", "--state", &state, "--out", &out, "--fail-on", "error"];
    for _ in 0..2 {
        let _ = workspace.run(&again).exited(10);
    }
    let text = fs::read_to_string(workspace.path("again/report.json")).unwrap();
    let second: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(second["findings"], first["findings"]);
    assert_eq!(site.requests().len(), requests);
    let runs = workspace.run(&["runs", "--state", &state, "--format", "json"]).stdout;
    assert_eq!(serde_json::from_str::<Vec<Value>>(&runs).unwrap().len(), 1, "it made no run: {runs}");
}

#[test]
fn external_links_are_requested_only_with_check_external() {
    let (workspace, site, other) = (Workspace::new(), faulty(), FakeSite::open());
    other.page("/fine", "x").answer("/moved", Response::new(301).header("Location", "/gone"));
    other.answer("/busy", Response::new(503).header("Retry-After", "1"));
    other.answer("/round", Response::new(302).header("Location", "/about"));
    other.answer("/about", Response::new(302).header("Location", "/round"));
    other.handler("/shy", |request| if request.method == "HEAD" { Response::new(405) } else { Response::html("x") });
    let out = other.urls(&["/fine", "/gone", "/moved", "/round", "/shy", "/busy"]);
    site.page("/a", links(&out.iter().map(String::as_str).collect::<Vec<_>>()));
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert!(other.requests().is_empty() && of(&workspace, "external-broken").is_empty());
    let _ = audit(&workspace, &site, &["--check-external"]).exited(0);
    assert_eq!(of(&workspace, "external-broken"), is("new", &other.urls(&["/gone", "/moved", "/round"])));
    let methods: Vec<String> =
        other.requests().iter().filter(|r| r.path() == "/shy").map(|r| r.method.clone()).collect();
    assert_eq!(methods, ["HEAD", "GET"]);
}

#[test]
fn an_error_is_reported_only_after_a_second_try_and_so_is_a_refusal() {
    let (workspace, site) = (Workspace::new(), faulty());
    site.page("/", links(&["/odd403", "/odd401", "/odd404", "/firm"]));
    for (path, status) in [("/odd403", 403), ("/odd401", 401), ("/odd404", 404)] {
        site.page(path, links(&["/"])).first_n(path, 1, Response::new(status));
    }
    site.answer("/firm", Response::new(403));
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert_eq!(of(&workspace, "auth"), is("new", &site.urls(&["/firm"])));
    assert!(of(&workspace, "http-4xx").is_empty());
}

#[test]
fn after_a_run_that_failed_the_record_is_audited_by_the_newest_complete_one_which_is_said() {
    let (workspace, site) = (Workspace::new(), faulty());
    drop(audit(&workspace, &site, &[]).exited(0));
    let before = of(&workspace, "http-4xx");
    assert_eq!(before.len(), 2);
    site.answer("/", Response::new(503));
    drop(audit(&workspace, &site, &["--retries", "0"]).exited(3));
    fs::remove_dir_all(workspace.out()).expect("reports");
    let run = audit(&workspace, &site, &["--from-record", "--format", "text"]).exited(0);
    assert!(
        run.said().contains("the newest run, 2, failed") && run.said().contains("this is of run 1"),
        "{}",
        run.said()
    );
    assert_eq!(report(&workspace)["run"]["number"], 1);
    assert_eq!(of(&workspace, "http-4xx"), before);
}

#[test]
fn a_record_of_another_site_is_not_audited_and_checks_that_need_requests_are_named() {
    let (workspace, site, other) = (Workspace::new(), faulty(), FakeSite::open());
    let _ = audit(&workspace, &site, &[]).exited(0);
    let run = audit(&workspace, &other, &["--from-record"]).exited(2);
    assert!(run.stderr.contains("the record is of another site"), "{}", run.stderr);
    let _ = audit(&workspace, &site, &["--from-record", "--check-external"]).exited(0);
    let notes = report(&workspace)["notes"].to_string();
    assert!(notes.contains("--from-record makes none"), "{notes}");
}

#[test]
fn an_interrupted_audit_is_resumed_as_an_audit() {
    let (workspace, site) = (Workspace::new(), faulty());
    site.page("/", links(&["/a", "/lost1", "/slow"])).stall("/slow");
    let _ = audit(&workspace, &site, &["--max-time", "1s"]).exited(4);
    assert_eq!(report(&workspace)["run"]["complete"], false);
    site.page("/slow", links(&["/"]));
    fs::remove_file(workspace.out().join("report.json")).unwrap();
    let _ = workspace.run(&["resume", "--state", &workspace.state().display().to_string(), "--no-progress"]).exited(0);
    assert_eq!(report(&workspace)["run"]["complete"], true);
    assert_eq!(of(&workspace, "http-4xx").len(), 1);
}

#[test]
fn pages_missing_from_sitemaps_are_not_reported_if_the_budget_ended_before_the_parts_were_read() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
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
    let _ = audit(&workspace, &site, &["--max-urls", "3"]).exited(0);
    assert_eq!(site.hits("/part.xml"), 0);
    assert_eq!(of(&workspace, "sitemap-omits"), []);
    assert!(report(&workspace)["notes"].to_string().contains("not all published sitemaps could be read"));
}

#[test]
fn annotations_are_printed_for_github_and_only_by_audits() {
    let (workspace, site) = (Workspace::new(), faulty());
    let run = audit(&workspace, &site, &["--format", "github"]).exited(0);
    assert!(run.stdout.lines().all(|line| line.starts_with("::")), "{}", run.stdout);
    assert!(run.stdout.contains("::error") && run.stdout.contains("lost1"), "{}", run.stdout);
    let crawl = workspace.run(&["crawl", &site.url("/"), "--format", "github"]).exited(2);
    assert!(crawl.stderr.contains("audits alone"), "{}", crawl.stderr);
}

#[test]
fn invalid_settings_are_reported_in_one_line_before_the_first_request() {
    let (workspace, site) = (Workspace::new(), faulty());
    let text = workspace.file("no-baseline.json", "[]");
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
        let run = audit(&workspace, &site, words).exited(2);
        assert!(run.stderr.lines().count() == 1 && run.stderr.contains(said), "{words:?}: {}", run.stderr);
    }
    assert!(site.requests().is_empty());
    let run = workspace.run(&["audit", &site.url("/"), "--out", "-"]).exited(2);
    assert!(run.stderr.contains("name a directory"), "{}", run.stderr);
}
