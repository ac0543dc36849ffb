use crate::error::StoreError;
use crate::schema::open::{DATABASE, open, open_to_read, open_to_read_with, open_with};
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Artificial migration steps: a new table with a row, then a new column of it.
const STEPS: &[&str] = &[
    "CREATE TABLE note (url INTEGER NOT NULL, text TEXT NOT NULL) STRICT;\nINSERT INTO note VALUES (1, 'kept');\n",
    "ALTER TABLE note ADD COLUMN run INTEGER NOT NULL DEFAULT 0;\n",
];

/// A folder with a record of the first format that has one URL.
fn first_format() -> TempDir {
    let folder = TempDir::new().unwrap();
    let connection = open_with(folder.path(), &[]).unwrap();
    connection.execute("INSERT INTO url VALUES (1, 7, 'http://example.com/')", []).unwrap();
    folder
}

fn connect(folder: &Path) -> Connection {
    Connection::open(folder.join(DATABASE)).unwrap()
}

fn format(folder: &Path) -> i64 {
    connect(folder).pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

fn count(folder: &Path, what: &str) -> i64 {
    connect(folder).query_row(&format!("SELECT count(*) FROM {what}"), [], |row| row.get(0)).unwrap()
}

#[test]
fn a_record_is_migrated_step_by_step_and_keeps_its_data() {
    let folder = first_format();
    connect(folder.path()).execute_batch("CREATE VIEW v_note AS SELECT 1 AS one").unwrap();
    let views = count(folder.path(), "sqlite_master WHERE type = 'view'");
    drop(open_with(folder.path(), &STEPS[..1]).unwrap());
    assert_eq!(format(folder.path()), 2);
    drop(open_with(folder.path(), STEPS).unwrap());
    assert_eq!(format(folder.path()), 3);
    assert_eq!(count(folder.path(), "url WHERE text = 'http://example.com/'"), 1);
    assert_eq!(count(folder.path(), "note WHERE text = 'kept' AND run = 0"), 1, "each step ran once");
    assert_eq!(
        count(folder.path(), "sqlite_master WHERE type = 'view'"),
        views - 1,
        "a view of an older format is dropped"
    );
    assert_eq!(count(folder.path(), "v_pages"), 0, "the present views read it");
}

#[test]
fn a_step_that_fails_leaves_the_record_unchanged() {
    let folder = first_format();
    let error = open_with(folder.path(), &[STEPS[0], "CREATE TABLE url (id INTEGER)"]).unwrap_err();
    assert!(matches!(&error, StoreError::Damaged { path, .. } if path.ends_with(DATABASE)), "{error}");
    assert_eq!((format(folder.path()), count(folder.path(), "sqlite_master WHERE name = 'note'")), (1, 0));
    drop(open(folder.path()).unwrap());
}

/// Copies the files of a record as a crash would leave them. Returns the bytes of its log, too.
fn crash_image(folder: &Path) -> (TempDir, u64) {
    let image = TempDir::new().unwrap();
    let copy = |name: &str| fs::copy(folder.join(name), image.path().join(name)).unwrap();
    copy(DATABASE);
    let log = copy("record.sqlite-wal");
    (image, log)
}

#[test]
fn a_crash_at_any_statement_leaves_the_record_unchanged() {
    let steps = STEPS.concat();
    let statements: Vec<&str> = steps.split_inclusive(";\n").collect();
    let mut longest = 0;
    for cut in 1..=statements.len() {
        let folder = first_format();
        let connection = connect(folder.path());
        // No changes stay in memory: the log also holds what was never committed.
        connection.execute_batch("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN").unwrap();
        connection.execute_batch(&statements[..cut].concat()).unwrap();
        connection.pragma_update(None, "user_version", 3).unwrap();
        let (image, log) = crash_image(folder.path());
        longest = longest.max(log);
        assert_eq!(format(image.path()), 1);
        drop(open_with(image.path(), STEPS).unwrap());
        assert_eq!(count(image.path(), "note WHERE run = 0"), 1, "after a crash at {}", statements[cut - 1]);
    }
    assert!(longest > 0, "no crash image held anything of the migration");
}

#[test]
fn a_reader_does_not_migrate_an_older_record() {
    let folder = first_format();
    let bytes = fs::read(folder.path().join(DATABASE)).unwrap();
    let error = open_to_read_with(folder.path(), STEPS).unwrap_err();
    assert!(matches!(error, StoreError::Older { found: 1, known: 3, .. }), "{error}");
    assert!(error.to_string().contains(DATABASE), "{error}");
    assert_eq!(fs::read(folder.path().join(DATABASE)).unwrap(), bytes);
}

#[test]
fn a_record_of_another_format_is_refused_in_one_line() {
    let folder = first_format();
    drop(open_with(folder.path(), STEPS).unwrap());
    for error in [open(folder.path()).unwrap_err(), open_to_read(folder.path()).unwrap_err()] {
        assert!(matches!(error, StoreError::Newer { found: 3, known: 1, .. }), "{error}");
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    connect(folder.path()).pragma_update(None, "user_version", 0).unwrap();
    let error = open(folder.path()).unwrap_err();
    assert!(error.to_string().contains("there never was a format 0"), "{error}");
}
