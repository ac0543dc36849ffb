//! Records of older formats: brought up to date by whoever writes next, and by nobody else.

use crate::site::{connect, parse};
use mapwright_engine::Visit;
use mapwright_frontier::{
    Discovery, Finished, Frontier, Lease, Mode, Order, Purpose, RobotsAnswer, Rules, Settlement, Task, UrlId, Via,
};
use mapwright_store::{LocalFrontier, PartRow, Policy, Record, Recrawl, Resumption, RunInfo, StoreError};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const FORMATS: [&str; 5] = [
    include_str!("formats/1.sql"),
    include_str!("formats/2.sql"),
    include_str!("formats/3.sql"),
    include_str!("formats/4.sql"),
    include_str!("formats/5.sql"),
];
const STEPS: [&str; 5] = [
    include_str!("../../sql/migrations/1-to-2.sql"),
    include_str!("../../sql/migrations/2-to-3.sql"),
    include_str!("../../sql/migrations/3-to-4.sql"),
    include_str!("../../sql/migrations/4-to-5.sql"),
    include_str!("../../sql/migrations/5-to-6.sql"),
];
/// The format of today.
const TODAY: i64 = 7;

/// A folder with a record of format 1, which a process left behind.
fn of_format_1() -> TempDir {
    of_format(FORMATS[0])
}

fn of_format(dump: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let connection = connect(folder.path());
    connection.execute_batch(dump).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    folder
}

/// The tables, indexes and views, the layout of their texts apart. What SQLite keeps for itself is left out.
fn schema(connection: &Connection) -> Vec<(String, String, String)> {
    let select = "SELECT type, name, coalesce(sql, '') FROM sqlite_master
                  WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name";
    let mut select = connection.prepare(select).unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?))).unwrap();
    let plain = |sql: String| sql.split_whitespace().collect::<String>();
    rows.map(|row| row.map(|(kind, name, sql)| (kind, name, plain(sql))).unwrap()).collect()
}

/// The rows of each table of format 1, in the columns that it had and still has.
fn rows(connection: &Connection, tables: &[(String, String)]) -> Vec<(String, Vec<Vec<Value>>)> {
    let read = |(table, columns): &(String, String)| {
        let mut select = connection.prepare(&format!("SELECT {columns} FROM \"{table}\" ORDER BY 1, 2")).unwrap();
        let width = select.column_count();
        let rows = select.query_map([], |row| (0..width).map(|at| row.get(at)).collect()).unwrap();
        (table.clone(), rows.map(Result::unwrap).collect())
    };
    tables.iter().map(read).collect()
}

/// The tables that hold what was crawled, each with its columns, `run.scope` left out; links and facts apart, which lie
/// in another form since format 3, and the numbers of reasons, which are others since format 7.
fn tables(connection: &Connection) -> Vec<(String, String)> {
    let mut select = connection
        .prepare(
            "SELECT t.name, group_concat('\"' || c.name || '\"') FROM pragma_table_list t, pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '%_name' AND c.name NOT IN ('scope', 'reason')
                 AND t.name NOT IN ('link', 'version_set', 'version')
             GROUP BY t.name ORDER BY t.name",
        )
        .unwrap();
    select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

fn pragma(connection: &Connection, name: &str) -> i64 {
    connection.pragma_query_value(None, name, |row| row.get(0)).unwrap()
}

fn count(connection: &Connection, what: &str) -> i64 {
    connection.query_row(&format!("SELECT count(*) FROM {what}"), [], |row| row.get(0)).unwrap()
}

fn assert_is_of_format_1(folder: &Path) {
    let connection = connect(folder);
    assert_eq!(pragma(&connection, "user_version"), 1);
    assert_eq!(count(&connection, "run WHERE scope = 'http://example.com/'"), 2);
    assert_eq!(count(&connection, "sqlite_master WHERE name = 'memory'"), 0);
    assert_eq!(count(&connection, "visit"), 11);
}

#[test]
fn what_was_crawled_is_kept() {
    let folder = of_format_1();
    let before = connect(folder.path());
    let tables = tables(&before);
    assert_eq!(tables.len(), 10);
    let known = rows(&before, &tables);
    assert!(known.iter().all(|(table, rows)| !rows.is_empty() || panic!("the fixture has no {table}")));
    drop(before);
    drop(Record::open(folder.path()).unwrap());
    let after = connect(folder.path());
    assert_eq!(rows(&after, &tables), known);
    assert_eq!(pragma(&after, "user_version"), TODAY);
    assert_eq!(count(&after, "v_pages WHERE run = 2"), 1, "the views read it");
}

/// What views tell of links and facts.
fn told(connection: &Connection) -> Vec<(String, Vec<Vec<Value>>)> {
    // The views tell of the newest run, and the one before it has seen more.
    connection.execute_batch("DELETE FROM run WHERE id = 2").unwrap();
    let views = [
        ("v_links", "source, target, kind, region, anchor, fragment, nofollow, ugc, sponsored"),
        ("v_pages", "url, status, title, description"),
    ];
    rows(connection, &views.map(|(view, columns)| (view.to_owned(), columns.to_owned())))
}

/// Gives a record the tables of names of another: they belong to the program that opens it.
fn name_codes(connection: &Connection, other: &Path) {
    connection.execute("ATTACH ? AS other", [other.join("record.sqlite").to_string_lossy()]).unwrap();
    for table in ["outcome_name", "reason_name", "kind_name", "region_name"] {
        let sql = format!("DROP TABLE IF EXISTS {table}; CREATE TABLE {table} AS SELECT * FROM other.{table}");
        connection.execute_batch(&sql).unwrap();
    }
}

#[test]
fn what_pages_said_and_where_they_link_is_told_as_before() {
    let dump = FORMATS[1];
    let (old, new) = (of_format(dump), of_format(dump));
    drop(Record::open(new.path()).unwrap());
    name_codes(&connect(old.path()), new.path());
    let (before, after) = (told(&connect(old.path())), told(&connect(new.path())));
    assert!(before.iter().all(|(view, rows)| rows.len() > 1 || panic!("the fixture has no {view}")), "{before:?}");
    assert_eq!(after, before);
}

#[test]
fn a_record_brought_up_to_date_has_the_schema_of_a_new_one() {
    FORMATS.iter().for_each(|dump| assert_becomes_as_new(&of_format(dump)));
}

fn assert_becomes_as_new(old: &TempDir) {
    let new = TempDir::new().unwrap();
    for folder in [old, &new] {
        // Query indexes come and go with the runs.
        Record::open(folder.path()).unwrap().begin(&RunInfo::default()).unwrap();
    }
    let (old, new) = (connect(old.path()), connect(new.path()));
    assert_eq!(schema(&old), schema(&new));
    for name in ["user_version", "application_id", "auto_vacuum"] {
        assert_eq!(pragma(&old, name), pragma(&new, name), "{name}");
    }
    let check: String = old.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[test]
fn what_the_newest_whole_run_saw_is_remembered() {
    let folder = of_format_1();
    drop(Record::open(folder.path()).unwrap());
    let connection = connect(folder.path());
    let select = "SELECT group_concat(url || '/' || basis || '/' || version || '/' || coalesce(listed, 'out'), ' ')
                  FROM (SELECT * FROM memory ORDER BY url)";
    let remembered: String = connection.query_row(select, [], |row| row.get(0)).unwrap();
    assert_eq!(remembered, "1/0/1/1 4/0/2/1 7/0/3/out 9/0/4/1", "pages and files that answered well, and no others");
    assert_eq!(count(&connection, "memory WHERE url = 4 AND etag = '\"a1\"' AND status = 200 AND outcome = 0"), 1);
}

#[test]
fn the_first_part_of_each_series_begins_with_the_least_of_all_keys() {
    let folder = of_format_1();
    let parts = Record::open(folder.path()).unwrap().parts().unwrap();
    let of = |part: &PartRow| (part.name.clone(), part.series.clone(), part.bound.clone());
    let live: Vec<_> = parts.iter().filter(|part| part.live).map(of).collect();
    let expected = [
        ("sitemap-2.xml.gz", "sitemap", ""),
        ("sitemap-3.xml.gz", "sitemap", "http://example.com/listed"),
        ("sitemap-other.example-1.xml.gz", "sitemap-other.example", ""),
    ];
    assert_eq!(live, expected.map(|(name, series, bound)| (name.to_owned(), series.to_owned(), bound.to_owned())));
}

#[test]
fn when_a_part_left_the_set_is_not_known_of_records_before_format_5_and_kept_from_then_on() {
    let folder = of_format(FORMATS[3]);
    let mut record = Record::open(folder.path()).unwrap();
    let mut parts = record.parts().unwrap();
    assert!(parts.len() == 4 && parts.iter().all(|part| part.dropped.is_none()), "{parts:?}");
    parts.iter_mut().filter(|part| !part.live).for_each(|part| part.dropped = Some(1_795_190_400_200));
    record.set_parts(&parts, &[], 9).unwrap();
    drop(record);
    assert_eq!(Record::open(folder.path()).unwrap().parts().unwrap(), parts);
}

fn found(record: &Record, url: &str) -> Discovery {
    let url = parse(url);
    Discovery::new(record.keys().key(&url), url, Via::Link, Purpose::Page)
}

/// The first page that the frontier hands out.
async fn first_page(frontier: &LocalFrontier) -> Task {
    loop {
        let Lease::Orders(orders) = frontier.lease(Duration::ZERO, 1).await.unwrap() else { panic!("nothing to do") };
        let [Order::Fetch(task)] = &orders[..] else { panic!("{orders:?}") };
        if task.purpose == Purpose::Page {
            return task.clone();
        }
        let settles = Some((task.clone(), Settlement::Robots(RobotsAnswer::Free)));
        let answered = Finished { settles, found: Vec::new(), visit: None::<Visit> };
        frontier.commit(Duration::ZERO, vec![answered]).await.unwrap();
    }
}

#[test]
fn a_crawl_begun_on_it_knows_its_urls_and_asks_for_them_without_conditions() {
    let folder = of_format_1();
    let mut record = Record::open(folder.path()).unwrap();
    assert_eq!(record.begin(&RunInfo::default()).unwrap(), 3);
    let known = found(&record, "http://example.com/a");
    let recrawl = Recrawl { policy: Policy::Conditional, basis: 7, keep_failing: 3 };
    let (frontier, keeper) = LocalFrontier::start(record, Rules::default(), recrawl).unwrap();
    assert_eq!(frontier.seen().len(), 11);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (task, memory) = runtime.block_on(async {
        frontier.open(vec![parse("http://example.com/")]).await.unwrap();
        let batch = vec![Finished { settles: None, found: vec![known], visit: None::<Visit> }];
        frontier.commit(Duration::ZERO, batch).await.unwrap();
        (first_page(&frontier).await, frontier.recall(UrlId(4)).await.unwrap().unwrap())
    });
    assert_eq!((task.id, task.mode, task.remembered), (Some(UrlId(4)), Mode::Plain, true));
    assert_eq!(memory.links[0].url, parse("http://example.com/gone"));
    drop(frontier);
    drop(keeper.take().unwrap());
    assert_eq!(count(&connect(folder.path()), "url"), 11, "no URL has a second number");
}

#[test]
fn a_run_that_was_cut_under_format_1_begins_again() {
    let folder = of_format_1();
    let mut record = Record::open(folder.path()).unwrap();
    assert_eq!(record.unfinished().unwrap().map(|cut| (cut.run, cut.queued)), Some((2, 2)));
    assert!(matches!(record.resume().unwrap(), Resumption::Begins));
    let connection = connect(folder.path());
    assert_eq!((count(&connection, "queue"), count(&connection, "visit WHERE run = 2")), (0, 0));
    assert_eq!(count(&connection, "run WHERE id = 2 AND known = 11"), 1, "what it had found is known");
}

/// The files of the record as a crash would leave them, in a folder of their own.
fn crash_image(folder: &Path) -> (TempDir, u64) {
    let image = TempDir::new().unwrap();
    let copy = |name: &str| fs::copy(folder.join(name), image.path().join(name)).unwrap();
    copy("record.sqlite");
    let log = copy("record.sqlite-wal");
    (image, log)
}

/// Done before the steps: a view on a table that is renamed would stop them.
fn drop_views(connection: &Connection) {
    let mut select = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'view'").unwrap();
    let names: Vec<String> = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    names.iter().for_each(|name| connection.execute_batch(&format!("DROP VIEW {name}")).unwrap());
}

#[test]
fn a_crash_at_any_statement_leaves_it_as_it_was() {
    let steps = STEPS.concat();
    let statements: Vec<&str> = steps.split_inclusive(";\n").filter(|sql| sql.contains(';')).collect();
    assert!(statements.len() > 12, "{}", statements.len());
    let mut longest = 0;
    for cut in 1..=statements.len() {
        let folder = of_format_1();
        let connection = connect(folder.path());
        // Nothing is kept in memory that can be written: the log holds what was never committed.
        connection.execute_batch("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN").unwrap();
        drop_views(&connection);
        connection.execute_batch(&statements[..cut].concat()).unwrap();
        connection.pragma_update(None, "user_version", 2).unwrap();
        let (image, log) = crash_image(folder.path());
        longest = longest.max(log);
        assert_is_of_format_1(image.path());
        drop(Record::open(image.path()).unwrap());
        assert_eq!(count(&connect(image.path()), "memory"), 4, "after a crash at {}", statements[cut - 1]);
    }
    assert!(longest > 0, "no crash image held anything of the migration");
}

#[test]
fn a_step_that_fails_leaves_it_as_it_was() {
    let folder = of_format_1();
    connect(folder.path()).execute_batch("CREATE TABLE part_before (theirs TEXT)").unwrap();
    let error = Record::open(folder.path()).unwrap_err();
    assert!(matches!(&error, StoreError::Damaged { path, .. } if path.ends_with("record.sqlite")), "{error}");
    assert_is_of_format_1(folder.path());
}

#[test]
fn a_migration_cut_before_its_vacuum_is_finished_by_the_next_opening() {
    let folder = of_format_1();
    drop(Record::open(folder.path()).unwrap());
    connect(folder.path()).execute_batch("PRAGMA auto_vacuum = NONE; VACUUM").unwrap();
    assert_eq!(pragma(&connect(folder.path()), "auto_vacuum"), 0);
    drop(Record::open(folder.path()).unwrap());
    assert_eq!(pragma(&connect(folder.path()), "auto_vacuum"), 2);
}

#[test]
fn a_reader_is_told_who_brings_it_up_to_date_and_changes_nothing() {
    let folder = of_format_1();
    let bytes = fs::read(folder.path().join("record.sqlite")).unwrap();
    let error = Record::open_to_read(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Older { found: 1, known: TODAY, .. }), "{error}");
    for word in ["record.sqlite", "the next crawl", "runs --prune"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    assert_eq!(fs::read(folder.path().join("record.sqlite")).unwrap(), bytes);
    assert_is_of_format_1(folder.path());
}

#[test]
fn a_record_of_a_format_that_never_was_is_named_and_left_as_it_is() {
    let folder = of_format_1();
    connect(folder.path()).pragma_update(None, "user_version", 0).unwrap();
    let error = Record::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("there never was a format 0"), "{error}");
    connect(folder.path()).pragma_update(None, "user_version", 1).unwrap();
    assert_is_of_format_1(folder.path());
}
