//! Errors of the command line: one line each that says what happened, where, and what to do, with the documented exit
//! code. The output contains no control characters of a site.

use std::net::TcpListener;
use std::time::Duration;

use mapwright_e2e::{Command, CommandOutput, Workspace, links};
use mapwright_testkit::{FakeSite, Response};

// ---- sites that cannot be crawled

/// RFC 6761, 6.4: names below `invalid` never resolve.
#[test]
fn a_host_that_does_not_exist() {
    let workspace = Workspace::new();
    let run = workspace.crawl("http://no-such-host.invalid/", &["--retries", "0"]).exited(3);
    assert!(run.said().contains("no-such-host.invalid"), "{}", run.said());
    assert!(run.took < Duration::from_secs(30), "{:?}", run.took);
    assert_reports(&run, &["dns", "resolve", "name", "not found", "no such host"]);
    assert!(workspace.published().is_empty());
}

#[test]
fn a_port_that_refuses() {
    let workspace = Workspace::new();
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap();
    let run = workspace.crawl(&format!("http://{free}/"), &["--retries", "0"]).exited(3);
    assert!(run.said().contains(&free.to_string()), "{}", run.said());
    assert_reports(&run, &["refused", "refuses"]);
    assert!(workspace.published().is_empty());
}

#[test]
fn a_url_of_another_scheme() {
    for url in ["ftp://example.com/", "file:///etc/passwd", "mailto:me@example.com", "javascript:alert(1)"] {
        let workspace = Workspace::new();
        let run = workspace.crawl(url, &[]).exited(2);
        assert!(run.only_line().contains(url) && run.only_line().contains("http"), "{}", run.stderr);
        assert!(workspace.published().is_empty());
    }
}

#[test]
fn a_proxy_of_the_environment_that_cannot_be_used() {
    for (name, value, what) in
        [("ALL_PROXY", "socks5://127.0.0.1:1", "speaks socks5"), ("HTTP_PROXY", "ftp://p/", "speaks ftp")]
    {
        let workspace = Workspace::new();
        let crawl = Command::new(["crawl", "http://127.0.0.1:9/"]).env(name, value).within(&workspace);
        let reported = crawl.run().exited(2).stderr;
        assert!(
            reported.contains(what) && reported.contains("variable HTTP_PROXY") && !reported.contains("flag"),
            "{reported}"
        );
        assert_eq!(reported.lines().count(), 1, "{reported}");
    }
}

#[test]
fn a_url_that_is_none() {
    for url in ["http://", "http://exa mple.com/", "http://[::1/", "http://example.com:99999/", ""] {
        let run = Workspace::new().crawl(url, &[]).exited(2);
        assert!(run.only_line().contains(url), "{}", run.stderr);
    }
}

#[test]
fn no_url_at_all() {
    let run = Workspace::new().run(&["crawl"]).exited(2);
    assert!(run.stderr.contains("URL"), "{}", run.stderr);
    assert!(run.stdout.is_empty());
}

#[test]
fn a_url_without_a_scheme_is_tried_as_https_and_said() {
    let workspace = Workspace::new();
    let run = workspace.crawl("no-such-host.invalid", &["--retries", "0"]).exited(3);
    assert!(run.said().contains("https://no-such-host.invalid/"), "{}", run.said());
}

// ---- flags, variables, files

#[test]
fn help_on_a_command_is_the_same_by_flag_and_by_command() {
    let run = |words: &[&str]| Workspace::new().run(words).exited(0).stdout;
    assert_eq!(run(&["help", "crawl"]), run(&["crawl", "--help"]));
}

#[test]
fn an_output_directory_that_is_a_file_is_named_as_such_and_left_as_it_is() {
    let workspace = Workspace::new();
    let file = workspace.path("a-file");
    std::fs::write(&file, "theirs").unwrap();
    let run = workspace.run(&["crawl", "http://127.0.0.1:1/", "--out", &file.to_string_lossy()]).exited(5);
    for word in ["a-file", "a file is at this path", "name a directory"] {
        assert!(run.only_line().contains(word), "{}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
}

#[test]
fn a_bad_value_names_its_flag_and_what_it_takes() {
    let bad = [
        ("--concurrency", "many"),
        ("--concurrency", "0"),
        ("--timeout", "soon"),
        ("--max-urls", "-1"),
        ("--rate-limit", "fast"),
        ("--scope", "galaxy"),
        ("--gzip", "perhaps"),
        ("--max-body", "12 parsecs"),
        ("--max-urls-per-file", "0"),
        ("--max-urls-per-file", "50001"),
        ("--max-bytes-per-file", "52428801"),
        ("--shrink-guard", "150"),
        ("--proxy", "not a url"),
        ("--resolve", "example.com"),
        ("--allow-address", "10.0.0.0/99"),
        ("--auth", "no-colon"),
        ("--header", "no colon"),
        ("--sitemap-base", "/relative"),
    ];
    let site = FakeSite::open();
    for (flag, value) in bad {
        let run = Workspace::new().crawl(&site.url("/"), &[&format!("{flag}={value}")]).exited(2);
        assert!(run.only_line().contains(flag), "{flag} {value}: {}", run.stderr);
        assert!(run.stdout.is_empty());
    }
    assert!(site.requests().is_empty(), "the site was requested although the command line was wrong");
}

/// A malformed secret is still a secret.
#[test]
fn a_malformed_secret_is_not_printed() {
    for words in [["--auth", "Hunter-99"], ["--header", "Hunter-99"], ["--proxy", "ht!tp://u:Hunter-99@[proxy"]] {
        let run = Workspace::new().crawl("http://127.0.0.1:9/", &words).exited(2);
        assert!(!run.said().contains("Hunter-99"), "{}", run.said());
    }
}

#[test]
fn an_unknown_flag_gives_the_nearest() {
    let run = Workspace::new().crawl("http://127.0.0.1:9/", &["--concurency", "4"]).exited(2);
    assert!(run.stderr.contains("--concurency") && run.stderr.contains("--concurrency"), "{}", run.stderr);
}

#[test]
fn a_bad_expression_is_named() {
    for flag in ["--include", "--exclude", "--no-list"] {
        let run = Workspace::new().crawl("http://127.0.0.1:9/", &[flag, "/(unclosed"]).exited(2);
        let line = run.only_line();
        assert!(line.contains(flag) && line.contains("/(unclosed"), "{line}");
    }
}

#[test]
fn a_bad_selector_is_named() {
    for flag in ["--links-in", "--no-links-in"] {
        let run = Workspace::new().crawl("http://127.0.0.1:9/", &[flag, "main >> ["]).exited(2);
        let line = run.only_line();
        assert!(line.contains(flag) && line.contains("main >> ["), "{line}");
    }
}

#[test]
fn a_typo_in_the_configuration_gives_the_nearest_name_and_its_place() {
    let workspace = Workspace::new();
    let config = workspace.file("site.toml", "[output]\nout = \"maps\"\n\n[crawl]\nconcurency = 4\n");
    for args in [["crawl", "http://127.0.0.1:9/", "--config", &config], ["config", "check", "--config", &config]] {
        let run = workspace.run(&args).exited(2);
        let line = run.only_line();
        for part in [config.as_str(), "concurency", "concurrency", "5"] {
            assert!(line.contains(part), "{part} is not in: {line}");
        }
    }
}

#[test]
fn a_bad_value_in_the_configuration_names_file_and_key() {
    let workspace = Workspace::new();
    let config = workspace.file("site.toml", "[crawl]\nscope = \"galaxy\"\n");
    let run = workspace.run(&["crawl", "http://127.0.0.1:9/", "--config", &config]).exited(2);
    let line = run.only_line();
    assert!(line.contains(&config) && line.contains("scope") && line.contains("galaxy"), "{line}");
}

#[test]
fn a_configuration_that_is_not_there_is_one_line() {
    let workspace = Workspace::new();
    let missing = workspace.path("none.toml").display().to_string();
    let run = workspace.run(&["crawl", "http://127.0.0.1:9/", "--config", &missing]).exited(2);
    assert!(run.only_line().contains(&missing), "{}", run.stderr);
}

#[test]
fn an_unknown_variable_is_a_warning_and_the_crawl_goes_on() {
    let (workspace, site) = (Workspace::new(), small_site());
    let run = workspace.plan(&site.url("/"), &[]).env("MAPWRIGHT_CONCURENCY", "4").run().exited(0);
    assert!(
        run.stderr().contains("MAPWRIGHT_CONCURENCY") && run.stderr().contains("MAPWRIGHT_CONCURRENCY"),
        "{}",
        run.stderr()
    );
    assert_eq!(workspace.listed().len(), 2);
}

#[test]
fn a_bad_value_of_a_variable_names_the_variable() {
    let workspace = Workspace::new();
    let run = workspace.plan("http://127.0.0.1:9/", &[]).env("MAPWRIGHT_TIMEOUT", "soon").run().exited(2);
    assert!(run.done.only_line().contains("MAPWRIGHT_TIMEOUT"), "{}", run.stderr());
}

#[test]
fn flags_override_variables_and_variables_override_the_file() {
    let (workspace, site) = (Workspace::new(), small_site());
    let config = workspace.file("site.toml", "[fetch]\nuser-agent = \"FromFile/1\"\n");
    let agent = |site: &FakeSite| site.requests().last().and_then(|last| last.header("User-Agent").map(str::to_owned));
    let more = ["--config", config.as_str()];
    let _ = workspace.plan(&site.url("/"), &more).run().exited(0);
    assert_eq!(agent(&site).as_deref(), Some("FromFile/1"));
    let _ = workspace.plan(&site.url("/"), &more).env("MAPWRIGHT_USER_AGENT", "FromVariable/1").run().exited(0);
    assert_eq!(agent(&site).as_deref(), Some("FromVariable/1"));
    let more = ["--config", config.as_str(), "-A", "FromFlag/1"];
    let _ = workspace.plan(&site.url("/"), &more).env("MAPWRIGHT_USER_AGENT", "FromVariable/1").run().exited(0);
    assert_eq!(agent(&site).as_deref(), Some("FromFlag/1"));
}

#[test]
fn a_file_of_urls_that_is_not_there_is_one_line() {
    let (workspace, site) = (Workspace::new(), small_site());
    for flag in ["--url-list", "--cookie-file", "--ca-cert"] {
        let missing = workspace.path("none").display().to_string();
        let run = workspace.crawl(&site.url("/"), &[flag, &missing]).exited(2);
        assert!(run.only_line().contains(&missing), "{flag}: {}", run.stderr);
    }
    assert!(site.requests().is_empty());
}

// ---- output

#[test]
fn the_json_summary_is_one_object_and_all_of_standard_output() {
    let (workspace, site) = (Workspace::new(), small_site());
    let run = workspace.crawl_well(&site.url("/"), &["--format", "json"]);
    let summary = run.summary();
    assert!(summary.is_object());
    assert_eq!((summary["listed"].as_u64(), summary["exit"].as_i64()), (Some(2), Some(0)));
    site.status("/", 500);
    let run = workspace.crawl(&site.url("/"), &["--format", "json", "--retries", "0"]).exited(3);
    assert_eq!(run.summary()["exit"].as_i64(), Some(3));
}

#[test]
fn the_text_summary_counts_listed_and_excluded_urls() {
    let (workspace, site) = (Workspace::new(), small_site());
    site.page("/", "<a href=/a>A</a> <a href=/gone>Gone</a> <a href=/moved>Moved</a>").redirect("/moved", "/a", 301);
    let run = workspace.crawl_well(&site.url("/"), &[]);
    for part in ["2 listed", "http-error", "redirect", "sitemap.xml"] {
        assert!(run.said().contains(part), "{part} is not in: {}", run.said());
    }
}

#[test]
fn no_color_means_no_escape_sequences() {
    let (workspace, site) = (Workspace::new(), small_site());
    let run = workspace.plan(&site.url("/"), &["-vv"]).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1").run().exited(0);
    assert!(!run.done.said().contains('\u{1b}'), "{:?}", run.done.said());
    let run = workspace.crawl_well(&site.url("/"), &["--color", "never"]);
    assert!(!run.said().contains('\u{1b}'), "{:?}", run.said());
}

#[test]
fn control_characters_of_a_site_never_reach_the_output() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{8}\u{9b}31m\u{202e}";
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let home = format!(
        "<title>{evil}</title><a href='/p{evil}'>x</a><a href=/moved>x</a><a href=/rows>x</a><a href=/type>x</a>\
         <a href='http://h{evil}.test/'>x</a><link rel=canonical href='/{evil}'><meta name=robots content='{evil}'>"
    );
    site.page("/", home);
    site.robots(format!(
        "User-agent: *\nDisallow: /{evil}\nSitemap: /{evil}.xml\nSitemap: {}\n",
        site.url(&format!("/s{evil}"))
    ));
    site.answer("/moved", Response::redirect(302, &format!("/to{evil}")));
    site.answer("/rows", Response::html("<h1>x</h1>").status(503).header("Retry-After", evil).header("Server", evil));
    site.answer("/type", Response::html("x").content_type(&format!("text/{evil}")));
    site.raw("/p*", format!("HTTP/1.1 200 {evil}\r\nContent-Length: 1\r\nX-A: {evil}\r\n\r\nx").into_bytes());
    for format in ["text", "json"] {
        let run =
            workspace.crawl(&site.url("/"), &["-vvv", "--format", format, "--retries", "0", "--shrink-guard", "0"]);
        assert_clean(&run.stdout);
        assert_clean(&run.stderr);
    }
    let state = workspace.state().display().to_string();
    for format in ["csv", "jsonl"] {
        assert_clean(&workspace.run(&["export", "excluded", "--format", format, "--state", &state]).exited(0).stdout);
    }
    let sitemap = workspace
        .file("evil.xml", format!("<urlset><url><loc>http://example.com/{}</loc></url></urlset>", "\u{9b}31m\u{202e}"));
    assert_clean(&workspace.run(&["sitemap", "list", &sitemap]).said());
    assert_clean(&workspace.run(&["sitemap", "check", &sitemap]).said());
    assert_clean(
        &workspace.run(&["robots", "check", "--agent", "x", "--robots", &sitemap, "http://example.com/"]).said(),
    );
}

#[test]
fn control_characters_of_the_command_line_do_not_come_back_raw() {
    let run = Workspace::new().crawl("http://exa\u{1b}[2Jmple/ \u{7}", &[]);
    assert_clean(&run.said());
}

#[test]
fn quiet_prints_only_requested_output_and_errors() {
    let (workspace, site) = (Workspace::new(), small_site());
    let (out, url) = (workspace.out().display().to_string(), site.url("/"));
    for command in ["crawl", "audit"] {
        let run = workspace.run(&[command, &url, "--out", &out, "--quiet"]).exited(0);
        assert_eq!(run.said().trim(), "");
        let run = workspace.run(&[command, &url, "--out", &out, "--quiet", "--format", "json"]).exited(0);
        assert!(run.stderr.is_empty() && run.summary()["fetched"].is_u64(), "{}", run.said());
    }
    let run = workspace.run(&["audit", "--from-record", &url, "--out", &out, "--quiet"]).exited(0);
    assert_eq!(run.said().trim(), "");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let workspace = Workspace::new();
    let urls: String = (0..40_000).map(|n| format!("http://example.com/a/rather/long/path/{n}\n")).collect();
    let file = workspace.file("urls.txt", urls);
    let binary = mapwright_e2e::binary::path();
    let pipe = format!("set -o pipefail; '{}' sitemap list '{file}' | head -n 1", binary.display());
    let done = std::process::Command::new("bash").args(["-c", &pipe]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn version_and_help_are_results() {
    for flag in ["--version", "--help"] {
        let done = Command::new([flag]).run().exited(0);
        assert!(done.stdout.contains("mapwright") && done.stderr.is_empty(), "{flag}: {}", done.stderr);
    }
}

// ---- advice

#[test]
fn a_site_that_needs_javascript_is_reported() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<!doctype html><title>App</title><body><div id=root></div><script src=/app.js></script></body>");
    let run = workspace.crawl_well(&site.url("/"), &[]);
    assert!(run.said().to_lowercase().contains("javascript"), "{}", run.said());
}

#[test]
fn a_page_whose_links_are_not_followed_needs_no_javascript() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page(
        "/",
        "<title>Lists</title><meta name=robots content=nofollow><a href=/a>a</a><script src=/x.js></script>",
    );
    let run = workspace.crawl_well(&site.url("/"), &[]);
    assert!(!run.said().to_lowercase().contains("javascript"), "{}", run.said());
}

#[test]
fn a_firewall_is_reported() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths: Vec<String> = (0..30).map(|number| format!("/p/{number}")).collect();
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    site.answer("/p/*", Response::html("<h1>Attention required</h1>").status(403));
    let run = workspace.crawl_well(&site.url("/"), &[]);
    assert!(run.said().contains("403"), "{}", run.said());
    assert_reports(&run, &["firewall", "refuses"]);
}

// ---- helpers

fn small_site() -> FakeSite {
    let site = FakeSite::open();
    site.page("/", "<a href=/a>A</a>").page("/a", "<h1>A</h1>");
    site
}

#[track_caller]
fn assert_reports(run: &CommandOutput, words: &[&str]) {
    let said = run.said().to_lowercase();
    assert!(words.iter().any(|word| said.contains(word)), "none of {words:?} is in: {said}");
}

/// Asserts that a text has no control characters (C0, DEL, C1) except line breaks (CRLF in CSV: RFC 4180, 2) and tabs,
/// and no bidirectional controls.
#[track_caller]
fn assert_clean(text: &str) {
    let text = text.replace("\r\n", "\n");
    let raw = text.chars().find(|&c| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}' || c == '\u{fffd}');
    assert!(raw.is_none(), "{raw:?} stands raw in {text:?}");
}
