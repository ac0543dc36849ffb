//! Hints: if the cause is known, one line names it and the option or command that helps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::process::Output;

use mapwright_e2e::{Command, CommandOutput, Workspace, binary};
use mapwright_testkit::{FakeSite, Response};

// ---- jobs

/// The commands that need jobs.
const OF_JOBS: [&[&str]; 5] = [&["serve"], &["run", "shop"], &["jobs", "list"], &["jobs", "next"], &["notify", "test"]];

#[test]
fn without_a_configuration_file_commands_about_jobs_say_where_they_looked() {
    for words in OF_JOBS {
        let run = Workspace::new().run(words).exited(2);
        for part in ["no configuration file", "./mapwright.toml", "--config", "config init --job NAME URL"] {
            assert!(run.only_line().contains(part), "{words:?}: {part} is not in: {}", run.only_line());
        }
        assert!(run.stdout.is_empty(), "{words:?}: {}", run.stdout);
    }
}

#[test]
fn a_configuration_file_without_jobs_is_named() {
    let workspace = Workspace::new();
    let named = workspace.file("other.toml", "[crawl]\nconcurrency = 2\n");
    workspace.file("mapwright.toml", "[crawl]\nconcurrency = 2\n");
    for words in OF_JOBS {
        assert_no_jobs(&workspace.run(words), "mapwright.toml");
        assert_no_jobs(&workspace.run(&[words, &["--config", &named]].concat()), &named);
    }
}

#[track_caller]
fn assert_no_jobs(run: &CommandOutput, file: &str) {
    let line = run.only_line();
    assert!(line.contains(&format!("{file} has no jobs")) && line.contains("[job.NAME]"), "{line}");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
}

// ---- selectors

/// A site of two pages whose content is in `main`.
fn site_with_main() -> FakeSite {
    let site = FakeSite::open();
    site.page("/", "<nav><a href=/n>n</a></nav><main><p class=text>Text</p><a href=/a>A</a></main>");
    site.page("/a", "<main><p class=text>More text</p></main>").page("/n", "<main>N</main>");
    site
}

#[test]
fn a_selector_that_matched_on_no_page_is_named_with_its_option() {
    let site = site_with_main();
    let words = ["--links-in", "main", "--links-in", "main .contnet", "--no-links-in", "aside", "--links-in", "nav"];
    let words = [&words[..], &["--content-selector", "article", "--content-selector", ".text"]].concat();
    let unmatched = [("--links-in", "main .contnet"), ("--no-links-in", "aside"), ("--content-selector", "article")];
    let text = Workspace::new().crawl_well(&site.url("/"), &words);
    let json = Workspace::new().crawl_well(&site.url("/"), &[&words[..], &["--format", "json"]].concat()).summary();
    let notes: Vec<&str> = json["notes"].as_array().unwrap().iter().filter_map(|note| note.as_str()).collect();
    for (option, selector) in unmatched {
        let reported = format!("{option} `{selector}` matched on none of the pages (3 read)");
        assert!(text.stdout.contains(&format!("note: {reported}")), "{reported} is not in: {}", text.stdout);
        assert!(notes.iter().any(|note| note.starts_with(&reported)), "{reported} is not in: {notes:?}");
    }
    assert_eq!(notes.iter().filter(|note| note.contains("matched on none")).count(), unmatched.len(), "{notes:?}");
}

/// A selector that matches nothing on its own is also tried inside the elements of another selector.
#[test]
fn a_selector_that_matched_inside_of_another_is_not_named() {
    let run =
        Workspace::new().crawl_well(&site_with_main().url("/"), &["--links-in", "main", "--links-in", "main .text"]);
    assert!(!run.said().contains("matched on none"), "{}", run.said());
}

#[test]
fn no_selector_is_named_if_no_page_has_changed() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    for (path, html) in [("/", "<main><a href=/a>A</a></main>"), ("/a", "<main>A</main>")] {
        site.answer(path, Response::html(html).header("ETag", "\"1\""));
    }
    let words = ["--no-links-in", "aside", "--recrawl", "conditional"];
    assert!(workspace.crawl_well(&site.url("/"), &words).stdout.contains("matched on none"));
    for path in ["/", "/a"] {
        site.answer(path, Response::new(304).header("ETag", "\"1\""));
    }
    let again = workspace.crawl_well(&site.url("/"), &words);
    assert!(
        again.stdout.contains("2 had not changed") && !again.stdout.contains("matched on none"),
        "{}",
        again.stdout
    );
}

#[test]
fn no_selector_is_named_after_an_interrupted_crawl() {
    let (workspace, site) = (Workspace::new(), site_with_main());
    site.stall("/a");
    let words = ["--no-links-in", "aside", "--max-time", "2s", "--retries", "0"];
    let run = workspace.crawl(&site.url("/"), &words).exited(4);
    assert!(run.stdout.contains("--max-time passed") && !run.stdout.contains("matched on none"), "{}", run.said());
}

// ---- open files

/// No connection can be opened if the record and the output use up the open files. Each of these crawls may open fewer
/// files than the one before, until one fails; its message names the cause.
#[test]
fn a_reached_limit_of_open_files_is_no_fault_of_the_site() {
    let site = FakeSite::open();
    site.page("/", "<h1>Home</h1>");
    let failed = (16..30).map(|held| crawl_beside_open_files(&site, held)).find(|ran| !ran.status.success()).unwrap();
    let line = String::from_utf8_lossy(&failed.stderr);
    for part in ["not requested: this process may open no more files (EMFILE, limit 40)", "ulimit -n", "LimitNOFILE="] {
        assert!(line.contains(part), "{part} is not in: {line}");
    }
    assert!(!line.contains("server") && line.lines().count() == 1, "{line}");
}

#[test]
fn a_limit_of_open_files_that_is_too_low_for_any_crawl_is_reported_at_once() {
    let site = FakeSite::open();
    let url = site.url("/");
    for limit in [8, 12, 16, 31] {
        let words = ["crawl", &url];
        let workspace = Workspace::new();
        let done = Command::new(words).limited(format!("-n {limit}")).within(&workspace).run().exited(1);
        let reported = format!("this process may open no more than {limit} files");
        assert!(done.stderr.contains(&reported) && done.stderr.contains("ulimit -n"), "{}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
    assert!(site.requests().is_empty());
}

/// Crawls `site` with a limit of 40 open files, `held` of which are already open.
fn crawl_beside_open_files(site: &FakeSite, held: u32) -> Output {
    let (workspace, url) = (Workspace::new(), site.url("/"));
    let hold = format!("for fd in $(seq 10 {}); do eval \"exec $fd</dev/null\"; done; ulimit -n 40", 9 + held);
    let words = ["crawl", &url, "--out", "out", "--state", "state", "--timeout", "1s", "--retries", "0"];
    let mut bash = std::process::Command::new("bash");
    bash.args(["-c", &format!("{hold}; exec \"$0\" \"$@\"")]).arg(binary::path()).args(words);
    bash.arg("--quiet").current_dir(workspace.folder()).output().unwrap()
}
