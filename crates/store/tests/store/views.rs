//! The SQL views are the public interface of the record: they exist as documented, and their queries run.

use crate::crawled::ReadRecord;
use mapwright_testcrawl::{Crawled, Web};
use std::path::Path;

fn crawled() -> Crawled {
    Web::default()
        .page("/", "<title>Home</title><nav><a href=/a#top rel='ugc sponsored'>A page</a><a href=/gone>x</a></nav>")
        .page("/a", "<title>A</title><meta name=description content='About A'>")
        .crawled()
}

fn documents() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/database.md");
    std::fs::read_to_string(path).unwrap()
}

/// The columns of each view as the documents name them: the words in code type after its heading, up to the first list.
fn documented(view: &str) -> Vec<String> {
    let documents = documents();
    let section =
        documents.split(&format!("### `{view}`")).nth(1).unwrap_or_else(|| panic!("{view} is not documented"));
    let section = section.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
    section.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_column_of_every_view_is_documented() {
    let crawled = crawled();
    let reader = crawled.reader();
    for view in [
        "v_runs",
        "v_last_run",
        "v_pages",
        "v_links",
        "v_listed",
        "v_excluded",
        "v_broken",
        "v_answers",
        "v_kept",
        "v_parts",
    ] {
        let select = reader.prepare(&format!("SELECT * FROM {view}")).unwrap();
        let words = documented(view);
        for column in select.column_names() {
            assert!(words.iter().any(|word| word == column), "{view}.{column} is not documented");
        }
    }
}

#[test]
fn every_query_of_the_documents_runs() {
    let crawled = crawled();
    let reader = crawled.reader();
    let documents = documents();
    let blocks: Vec<&str> = documents.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let plain: Vec<&str> = block.lines().filter(|line| !line.starts_with("--")).collect();
        for query in plain.join("\n").split(';').filter(|query| !query.trim().is_empty()) {
            let mut select = reader.prepare(query).unwrap_or_else(|error| panic!("{query}: {error}"));
            let mut rows = select.query([]).unwrap();
            while rows.next().unwrap().is_some() {}
        }
    }
}

#[test]
fn the_view_of_pages_shows_the_newest_run() {
    let crawled = crawled();
    let reported: (u16, String, Option<String>, u32, u32, bool) = crawled
        .reader()
        .query_row(
            "SELECT status, title, description, depth, inlinks, listed FROM v_pages WHERE url LIKE '%/a'",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?)),
        )
        .unwrap();
    assert_eq!(reported, (200, "A".to_owned(), Some("About A".to_owned()), 1, 1, true));
}

#[test]
fn the_view_of_links_shows_text_region_and_rel() {
    let crawled = crawled();
    let reported: (String, String, String, String, bool, bool, bool) = crawled
        .reader()
        .query_row(
            "SELECT kind, region, anchor, fragment, nofollow, ugc, sponsored FROM v_links WHERE target LIKE '%/a'",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?)),
        )
        .unwrap();
    let words = |text: &str| text.to_owned();
    assert_eq!(reported, (words("anchor"), words("nav"), words("A page"), words("top"), false, true, true));
}

#[test]
fn broken_pages_come_with_the_pages_that_link_there() {
    let crawled = crawled();
    let reported: (String, u16, String) = crawled
        .reader()
        .query_row("SELECT url, status, source FROM v_broken", [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap();
    let home = "http://example.com/".to_owned();
    assert_eq!(reported, ("http://example.com/gone".to_owned(), 404, home));
}
