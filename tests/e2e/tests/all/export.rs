//! `mapwright export`: the record as CSV and as JSON lines.
#![allow(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use mapwright_e2e::{Crawl, RepeatedCrawls, binary, csv, links};
use mapwright_testkit::Response;
use serde_json::Value;

/// A printed table: the names of its columns, and its rows.
type Table = (Vec<String>, Vec<Vec<String>>);

#[track_caller]
fn table(rounds: &RepeatedCrawls, what: &str) -> Table {
    let done = rounds.query(&["export", what, "--format", "csv"]).exited(0);
    let mut rows = csv::read(&done.stdout);
    assert!(!rows.is_empty(), "no header");
    let header = rows.remove(0);
    rows.iter().for_each(|row| assert_eq!(row.len(), header.len(), "{row:?}"));
    (header, rows)
}

/// The cells of the column `value` by those of the column `key`.
#[track_caller]
fn column((header, rows): &Table, key: &str, value: &str) -> BTreeMap<String, String> {
    let place = |name: &str| header.iter().position(|one| one == name).unwrap_or_else(|| panic!("{name}: {header:?}"));
    let (key, value) = (place(key), place(value));
    rows.iter().map(|row| (row[key].clone(), row[value].clone())).collect()
}

#[track_caller]
fn jsonl(rounds: &RepeatedCrawls, what: &str) -> Vec<Value> {
    let done = rounds.query(&["export", what, "--format", "jsonl"]).exited(0);
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("no JSON ({error}): {line}"));
    done.stdout.lines().map(read).collect()
}

/// A site with many kinds of pages, crawled once.
fn motley() -> RepeatedCrawls {
    let rounds = RepeatedCrawls::new();
    let body =
        "<a href=/a>To A</a> <a href=/gone rel=nofollow>Gone</a> <a href=/missing>Missing</a> <a href=/old>O</a>";
    rounds.page("/", format!("<title>Home</title><main>{body}</main>"));
    rounds.page("/a", "<title>One, \"two\"\nand three</title><meta name=description content='A, b'><h1>A</h1>");
    rounds.redirect("/old", "/older", 301).redirect("/older", "/new", 308).page("/new", "<title>New</title>");
    drop(rounds.crawl());
    rounds
}

#[test]
fn pages() {
    let rounds = motley();
    let table = table(&rounds, "pages");
    for name in ["url", "status", "outcome", "title", "depth", "inlinks", "canonical", "lastmod", "listed", "reason"] {
        assert!(table.0.iter().any(|one| one == name), "{name} is not in {:?}", table.0);
    }
    let statuses = column(&table, "url", "status");
    let expected =
        [("/", "200"), ("/a", "200"), ("/missing", "404"), ("/old", "301"), ("/older", "308"), ("/new", "200")];
    for (path, status) in expected {
        assert_eq!(statuses[&rounds.url(path)], status, "{path}");
    }
    // HTML displays a line feed in a title as a space, so both are correct.
    let title = column(&table, "url", "title")[&rounds.url("/a")].replace('\n', " ");
    assert_eq!(title, "One, \"two\" and three");
    assert_eq!(column(&table, "url", "description")[&rounds.url("/a")], "A, b");
    assert_eq!(column(&table, "url", "reason")[&rounds.url("/missing")], "http-error");
}

#[test]
fn links_with_their_texts() {
    let rounds = motley();
    let table = table(&rounds, "links");
    assert!(column(&table, "source", "target").keys().any(|source| *source == rounds.url("/")));
    assert_eq!(column(&table, "target", "anchor")[&rounds.url("/a")], "To A");
    let nofollow = column(&table, "target", "nofollow");
    assert_eq!((&*nofollow[&rounds.url("/gone")], &*nofollow[&rounds.url("/a")]), ("1", "0"));
    let unknown = jsonl(&rounds, "links").into_iter().find(|link| link["target"] == rounds.url("/missing"));
    assert_eq!(unknown.map(|link| link["anchor"].clone()), Some(Value::from("Missing")));
}

#[test]
fn excluded_with_their_reasons() {
    let rounds = motley();
    let table = table(&rounds, "excluded");
    let reasons = column(&table, "url", "reason");
    for (path, reason) in
        [("/missing", "http-error"), ("/gone", "nofollow"), ("/old", "redirect"), ("/older", "redirect")]
    {
        assert_eq!(reasons[&rounds.url(path)], reason, "{path}");
    }
    assert!(!reasons.contains_key(&rounds.url("/a")));
}

#[test]
fn redirects_with_their_final_targets() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/1", "/gone", "/loop", "/away", "/refresh"])).page("/4", "<h1>4</h1>");
    rounds.redirect("/1", "/2", 301).redirect("/2", "/3", 302).redirect("/3", "/4", 307);
    rounds.redirect("/gone", "/missing", 301).redirect("/loop", "/pool", 301).redirect("/pool", "/loop", 301);
    rounds.redirect("/away", "http://elsewhere.test/x", 301);
    rounds.page("/refresh", "<meta http-equiv=refresh content='0; url=/4'>");
    drop(rounds.crawl());
    let table = table(&rounds, "redirects");
    let [targets, finals] = ["target", "final"].map(|name| column(&table, "url", name));
    let [statuses, hops] = ["final_status", "hops"].map(|name| column(&table, "url", name));
    let end = rounds.url("/4");
    for (path, next, far) in [("/1", "/2", "3"), ("/2", "/3", "2"), ("/3", "/4", "1"), ("/refresh", "/4", "1")] {
        let url = rounds.url(path);
        assert_eq!((&targets[&url], &finals[&url]), (&rounds.url(next), &end), "{path}");
        assert_eq!((&*statuses[&url], &*hops[&url]), ("200", far), "{path}");
    }
    assert_eq!(finals[&rounds.url("/gone")], rounds.url("/missing"));
    assert_eq!(statuses[&rounds.url("/gone")], "404");
    assert_eq!(targets[&rounds.url("/away")], "http://elsewhere.test/x");
    assert_eq!(statuses[&rounds.url("/away")], "");
    // A redirect loop has no final page, so its status is never 200.
    assert_ne!(statuses[&rounds.url("/loop")], "200");
    assert_eq!(targets[&rounds.url("/loop")], rounds.url("/pool"));
}

#[test]
fn both_formats_export_the_same() {
    let rounds = motley();
    for what in ["pages", "links", "excluded", "redirects"] {
        let ((header, rows), lines) = (table(&rounds, what), jsonl(&rounds, what));
        assert_eq!(rows.len(), lines.len(), "{what}");
        assert!(!rows.is_empty(), "{what}");
        for (row, line) in rows.iter().zip(&lines) {
            let object = line.as_object().unwrap();
            assert_eq!(object.len(), header.len(), "{what}: {line}");
            for (name, cell) in header.iter().zip(row) {
                let value = &object[name];
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                assert_eq!(*cell, if value.is_null() { String::new() } else { text }, "{what}: {name} of {line}");
            }
        }
    }
}

#[test]
fn csv_is_the_default_format() {
    let rounds = motley();
    let plain = rounds.query(&["export", "pages"]).exited(0).stdout;
    assert_eq!(plain, rounds.query(&["export", "pages", "--format", "csv"]).exited(0).stdout);
}

/// A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a formula.
#[test]
fn formulas_are_defused() {
    let rounds = RepeatedCrawls::new();
    let formulas = ["=HYPERLINK(1)", "+1+1", "-1+1", "@SUM(1)", "=cmd|' /C calc'!A0", "\u{ff1d}1", "\"=1\""];
    let pages: Vec<String> = (0..formulas.len()).map(|number| format!("/{number}")).collect();
    let anchors: String =
        formulas.iter().zip(&pages).map(|(text, page)| format!("<a href={page}>{text}</a>")).collect();
    rounds.page("/", anchors);
    for (formula, page) in formulas.iter().zip(&pages) {
        let head =
            format!("<title>{formula}</title><meta name=description content=\"&Tab;{}\">", formula.replace('"', ""));
        rounds.page(page, format!("{head}<h1>{page}</h1>"));
    }
    drop(rounds.crawl());
    for what in ["pages", "links", "excluded", "redirects"] {
        for cell in table(&rounds, what).1.iter().flatten() {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{what}: {cell:?}");
        }
    }
    // The escaped cell still contains the text, and JSON needs no escape.
    let titles = column(&table(&rounds, "pages"), "url", "title");
    assert!(titles[&rounds.url("/0")].contains("=HYPERLINK(1)"), "{titles:?}");
    let page = jsonl(&rounds, "pages").into_iter().find(|page| page["url"] == rounds.url("/0")).unwrap();
    assert_eq!(page["title"], "=HYPERLINK(1)");
}

#[test]
fn quotes_commas_and_lines_survive() {
    let rounds = RepeatedCrawls::new();
    let title = "a,b \"c\" d";
    rounds.page("/", "<a href='/a,b'>x,\"y\"</a>").page("/a,b", format!("<title>{title}</title>"));
    drop(rounds.crawl());
    assert_eq!(column(&table(&rounds, "pages"), "url", "title")[&rounds.url("/a,b")], title);
    assert_eq!(column(&table(&rounds, "links"), "target", "anchor")[&rounds.url("/a,b")], "x,\"y\"");
}

#[test]
fn control_characters_stay_in_their_line() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", "<a href=/a>x\u{1b}[31m\u{7}y</a>").page("/a", "<title>t\u{1b}]0;owned\u{7}</title>");
    drop(rounds.crawl());
    for what in ["pages", "links"] {
        for line in rounds.query(&["export", what, "--format", "jsonl"]).exited(0).stdout.lines() {
            assert!(!line.contains(char::is_control), "{line:?}");
        }
    }
}

/// The export contains only the last run, including the content that a 304 revalidates.
#[test]
fn the_last_run_is_exported_completely() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a", "/b"])).page("/b", "<title>B</title>");
    rounds.handler("/a", |request| match request.header("if-none-match") {
        Some(_) => Response::new(304),
        None => Response::html("<title>A</title><a href=/c>C</a>").header("ETag", "\"1\""),
    });
    rounds.page("/c", "<title>C</title>");
    drop(rounds.crawl());
    rounds.page("/", links(&["/a"]));
    drop(rounds.crawl_with(&["--shrink-guard", "0"]));
    let titles = column(&table(&rounds, "pages"), "url", "title");
    assert_eq!(titles[&rounds.url("/a")], "A");
    assert_eq!(titles.into_keys().collect::<Vec<_>>(), rounds.urls(&["/", "/a", "/c"]));
    assert_eq!(column(&table(&rounds, "pages"), "url", "status")[&rounds.url("/a")], "200");
    assert_eq!(column(&table(&rounds, "links"), "source", "target")[&rounds.url("/a")], rounds.url("/c"));
}

/// A reader such as `| head -1` may close the pipe early.
#[test]
fn an_output_that_is_closed_early_is_no_error() {
    let rounds = RepeatedCrawls::new();
    let page = |from: usize| -> String {
        (from..from + 600).map(|n| format!("<a href=/none?{n}>The anchor text of link number {n}</a>")).collect()
    };
    rounds.page("/", links(&["/1", "/2", "/3"]));
    for number in 1..=3 {
        rounds.page(&format!("/{number}"), page(number * 1_000));
    }
    let crawl = Crawl::of(&rounds).within(rounds.workspace()).args(["--max-depth", "1"]);
    let _ = crawl.run().exited(0);
    for (what, format) in [("links", "csv"), ("links", "jsonl"), ("excluded", "csv")] {
        let mut export = Command::new(binary::path());
        export.args(["export", what, "--format", format, "--state"]).arg(rounds.workspace().state());
        let mut child = export.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(!line.is_empty());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{what} as {format}");
        assert!(output.status.success(), "{what} as {format}: {:?}", output.status);
    }
}

#[test]
fn an_unknown_export_is_a_usage_error() {
    let rounds = RepeatedCrawls::new();
    for words in [["export", "everything"].as_slice(), &["export", "pages", "--format", "xml"], &["export", "pages"]] {
        let done = rounds.query(words).exited(2);
        assert!(done.stdout.is_empty() && !done.stderr.is_empty(), "{done:?}");
    }
    assert!(!rounds.workspace().state().exists(), "the query made a record");
}
