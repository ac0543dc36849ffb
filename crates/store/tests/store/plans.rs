//! Statements that run once per page use an index or a key: a scan of the entire run per page makes crawling or judging
//! quadratic. The statements are read from the sources, so that new ones are tested, too.

use crate::crawled::ReadRecord;
use mapwright_testcrawl::{Crawled, Web};
use rusqlite::Connection;

/// Sources whose statements run once per page during judging, each with the functions in it whose statements do not.
const JUDGING: [(&str, &[&str]); 4] = [
    (include_str!("../../src/judge/lastmod.rs"), &["files", "common", "favourite"]),
    (include_str!("../../src/judge/page_states.rs"), &[]),
    (include_str!("../../src/judge/targets.rs"), &[]),
    (include_str!("../../src/write/memory.rs"), &[]),
];

/// Sources whose statements run once per page during a crawl, each with the functions in it whose statements do not.
const CRAWLING: [(&str, &[&str]); 7] = [
    (include_str!("../../src/write/memory.rs"), &[]),
    (include_str!("../../src/write/recall.rs"), &[]),
    (include_str!("../../src/write/version.rs"), &[]),
    (include_str!("../../src/write/found.rs"), &[]),
    (include_str!("../../src/write/link_sets.rs"), &["new"]),
    (include_str!("../../src/write/links.rs"), &[]),
    (include_str!("../../src/write/queue.rs"), &["read"]),
];

const EXPORTS: &str = include_str!("../../src/read/exports.rs");

/// A site of a few pages with sitemap, dates and redirects, crawled twice and judged.
fn crawled() -> Crawled {
    let robots = "User-agent: *\nDisallow: /closed\nSitemap: http://example.com/sitemap.xml\n";
    let paths: Vec<String> = (0..60).map(|n| format!("/{n}")).collect();
    let entries: String = paths.iter().map(|path| format!("<url><loc>http://example.com{path}</loc></url>")).collect();
    let sitemap = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>");
    let targets: Vec<&str> = paths.iter().map(String::as_str).chain(["/closed", "/moved", "/gone"]).collect();
    let site = Web::default()
        .replies("/robots.txt", 200, &[("content-type", "text/plain")], robots)
        .replies("/sitemap.xml", 200, &[("content-type", "application/xml")], &sitemap)
        .links("/", &targets)
        .redirect("/moved", "/1");
    let site = paths.iter().fold(site, |site, path| site.dated(path, "Thu, 05 Nov 2026 08:00:00 GMT"));
    let mut crawled = site.crawled();
    crawled.again(&site);
    crawled
}

/// The text of an item, to the next blank line.
fn item<'s>(source: &'s str, head: &str) -> &'s str {
    let at = source.find(head).unwrap_or_else(|| panic!("no {head}"));
    source[at..].split("\n\n").next().unwrap()
}

/// The SQL statements among the literals of a source, without those of the named functions.
fn statements(source: &str, without: &[&str]) -> Vec<String> {
    let mut source = source.to_owned();
    for function in without {
        let item = item(&source, &format!("fn {function}(")).to_owned();
        source = source.replace(&item, "");
    }
    let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let is_sql = |text: &String| {
        ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"].iter().any(|verb| text.trim_start().starts_with(verb))
    };
    literals(&code.join("\n")).into_iter().filter(is_sql).collect()
}

fn literals(code: &str) -> Vec<String> {
    let code = code.replace("\\\"", "\u{0}");
    code.split('"').skip(1).step_by(2).map(|text| text.replace('\u{0}', "\"")).collect()
}

/// The steps of a statement's plan that scan an entire table or all rows of a run.
fn wide_steps(connection: &Connection, sql: &str) -> Vec<String> {
    let explain = format!("EXPLAIN QUERY PLAN {sql}");
    let mut select = connection.prepare(&explain).unwrap_or_else(|error| panic!("{error}: {sql}"));
    let mut rows = select.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let step: String = row.get("detail").unwrap();
        if step.starts_with("SCAN") || step.contains("AUTOMATIC") || step.ends_with("(run=?)") {
            steps.push(step);
        }
    }
    steps
}

fn assert_narrow(connection: &Connection, sources: &[(&str, &[&str])]) {
    for (source, without) in sources {
        let statements = statements(source, without);
        assert!(!statements.is_empty(), "no SQL in {source}");
        for sql in statements {
            assert_eq!(wide_steps(connection, &sql), [""; 0], "{sql}");
        }
    }
}

/// The statistics that SQLite may have of the tables: those at the end of a run; all; those of many runs with few pages
/// before the site grew, which make a run look short; none, as in the first run.
const STATISTICS: [&str; 4] = [
    "",
    "ANALYZE",
    "DELETE FROM sqlite_stat4; DELETE FROM sqlite_stat1;
     INSERT INTO sqlite_stat1 VALUES ('visit', 'visit', '600 6 1'), ('entry', 'entry', '600 6 6 1');",
    "DELETE FROM sqlite_stat1",
];

#[test]
fn judging_finds_each_page_by_an_index() {
    let crawled = crawled();
    for noted in STATISTICS {
        crawled.reader().execute_batch(noted).unwrap();
        assert_narrow(&crawled.reader(), &JUDGING);
    }
}

#[test]
fn a_crawl_finds_each_page_without_the_dropped_indexes() {
    let crawled = crawled();
    crawled.reader().execute_batch(include_str!("../../sql/no_indexes.sql")).unwrap();
    for noted in STATISTICS {
        crawled.reader().execute_batch(noted).unwrap();
        assert_narrow(&crawled.reader(), &CRAWLING);
    }
}

#[test]
fn an_export_of_the_excluded_finds_the_answer_of_each_by_an_index() {
    let crawled = crawled();
    for noted in STATISTICS {
        crawled.reader().execute_batch(noted).unwrap();
        let [sql] = &statements(item(EXPORTS, "const EXCLUDED"), &[])[..] else { panic!("not one statement") };
        // The verdicts of the run are scanned once.
        assert_eq!(wide_steps(&crawled.reader(), sql), ["SEARCH d USING PRIMARY KEY (run=?)"], "{sql}");
    }
}

#[test]
fn a_statement_that_scans_the_run_is_detected() {
    let crawled = crawled();
    for function in ["fn common(", "fn favourite("] {
        let [sql] = &statements(item(JUDGING[0].0, function), &[])[..] else { panic!("not one statement") };
        assert_eq!(wide_steps(&crawled.reader(), sql), ["SEARCH visit USING PRIMARY KEY (run=?)"], "{sql}");
    }
}

#[test]
fn statistics_of_a_trial_of_a_few_pages_do_not_mislead_the_judging_of_a_large_run() {
    let mut crawled = crawled();
    let trial = "ANALYZE; DELETE FROM sqlite_stat4; DELETE FROM sqlite_stat1;
                 INSERT INTO sqlite_stat1 VALUES ('visit', 'visit', '3 3 1'), ('entry', 'entry', '3 3 3 1');";
    crawled.reader().execute_batch(trial).unwrap();
    crawled.judge();
    assert_narrow(&crawled.reader(), &JUDGING);
}
