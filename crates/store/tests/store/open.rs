//! Opening a record: the lock, the format, and files that are not a record.

use mapwright_store::{Record, RunInfo, RunKind, StoreError};
use rusqlite::Connection;
use std::fs;
use tempfile::TempDir;

use crate::crawled::{ReadRecord, connect};
use mapwright_testcrawl::Web;

#[test]
fn a_missing_record_is_created_and_keeps_its_keys() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("deep/state");
    let record = Record::open(&state).unwrap();
    let probe = |record: &Record| record.keys().hash(b"probe");
    let hash = probe(&record);
    assert_eq!(record.run(), 0);
    assert!(record.is_locked());
    drop(record);
    assert_eq!(probe(&Record::open(&state).unwrap()), hash);
    let other = Record::open(&folder.path().join("other")).unwrap();
    assert_ne!(probe(&other), hash, "every record has a key of its own");
}

#[test]
fn the_schema_has_the_tables_and_views_of_the_documents() {
    let folder = TempDir::new().unwrap();
    drop(Record::open(folder.path()).unwrap());
    let connection = connect(folder.path());
    let names = |kind: &str| -> Vec<String> {
        let mut select = connection.prepare("SELECT name FROM sqlite_master WHERE type = ? ORDER BY name").unwrap();
        select.query_map([kind], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    for table in
        ["run", "url", "origin", "found", "queue", "visit", "version", "link_set", "anchor", "entry", "verdict"]
    {
        assert!(names("table").contains(&table.to_owned()), "{table}");
    }
    for view in ["v_runs", "v_last_run", "v_pages", "v_links", "v_listed", "v_excluded", "v_broken"] {
        assert!(names("view").contains(&view.to_owned()), "{view}");
    }
}

#[test]
fn a_second_writer_is_refused_while_another_is_at_work_and_a_reader_is_not() {
    let folder = TempDir::new().unwrap();
    let record = Record::open(folder.path()).unwrap();
    let error = Record::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Locked(_)), "{error}");
    assert!(error.to_string().contains("at work on this record"), "{error}");
    assert!(!Record::open_to_read(folder.path()).unwrap().is_locked());
    drop(record);
    assert!(Record::open(folder.path()).is_ok());
}

#[test]
fn the_error_of_a_reader_without_a_record_says_what_to_do() {
    let folder = TempDir::new().unwrap();
    let error = Record::open_to_read(folder.path()).unwrap_err();
    assert!(error.to_string().contains("run a crawl first"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "and nothing is made");
}

#[test]
fn a_record_of_a_newer_format_is_an_error_and_stays_unchanged() {
    let folder = TempDir::new().unwrap();
    drop(Record::open(folder.path()).unwrap());
    let connection = connect(folder.path());
    connection.pragma_update(None, "user_version", 99).unwrap();
    connection.pragma_update(None, "journal_mode", "DELETE").unwrap();
    drop(connection);
    let bytes = fs::read(folder.path().join("record.sqlite")).unwrap();
    for error in [Record::open(folder.path()).unwrap_err(), Record::open_to_read(folder.path()).unwrap_err()] {
        assert!(matches!(error, StoreError::Newer { found: 99, known: 1, .. }), "{error}");
        assert!(error.to_string().contains("record.sqlite"), "{error}");
    }
    assert_eq!(fs::read(folder.path().join("record.sqlite")).unwrap(), bytes);
}

#[test]
fn a_foreign_database_is_an_error_and_stays_unchanged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("record.sqlite");
    let foreign = Connection::open(&path).unwrap();
    foreign.execute_batch("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x');").unwrap();
    drop(foreign);
    let bytes = fs::read(&path).unwrap();
    let error = Record::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("record.sqlite"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// A process that was killed before it wrote anything leaves an empty file, which a crawl treats as a new record.
#[test]
fn an_empty_record_is_reported_as_empty() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("record.sqlite");
    fs::write(&path, b"").unwrap();
    let error = Record::open_to_read(folder.path()).unwrap_err();
    assert!(matches!(&error, StoreError::Empty(at) if *at == path), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"");
    drop(Record::open(folder.path()).unwrap());
    drop(Record::open_to_read(folder.path()).unwrap());
}

#[test]
fn a_file_that_is_no_database_is_an_error_and_stays_unchanged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("record.sqlite");
    let text = "no database at all, but long enough to be looked at twice. ".repeat(200);
    fs::write(&path, &text).unwrap();
    let error = Record::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_record_with_damaged_pages_is_an_error_and_stays_unchanged() {
    let crawled = Web::default().links("/", &["/a", "/b"]).links("/a", &[]).links("/b", &[]).crawled();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("record.sqlite");
    // A copy in one file, without a log.
    crawled.reader().execute("VACUUM INTO ?", [path.to_str().unwrap()]).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[20_000..28_000].fill(0);
    fs::write(&path, &bytes).unwrap();
    let error = Record::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_record_with_other_tables_is_damaged_and_the_error_is_one_line() {
    let crawled = Web::default().links("/", &["/a"]).links("/a", &[]).crawled();
    let folder = TempDir::new().unwrap();
    crawled.reader().execute("VACUUM INTO ?", [folder.path().join("record.sqlite").to_str().unwrap()]).unwrap();
    connect(folder.path()).execute_batch("ALTER TABLE run RENAME COLUMN starts TO other").unwrap();
    let error = Record::open_to_read(folder.path()).and_then(|record| record.runs()).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt(_)), "{error:?}");
    assert_eq!(error.to_string(), "it is damaged: no such column: starts");
}

#[test]
fn a_record_that_has_lost_its_key_is_damaged() {
    let crawled = Web::default().links("/", &["/a"]).links("/a", &[]).crawled();
    let folder = TempDir::new().unwrap();
    crawled.reader().execute("VACUUM INTO ?", [folder.path().join("record.sqlite").to_str().unwrap()]).unwrap();
    for odd in ["no number", "", "1.5"] {
        connect(folder.path()).execute("UPDATE meta SET value = ? WHERE key = 'key1'", [odd]).unwrap();
        for opened in [Record::open(folder.path()), Record::open_to_read(folder.path())] {
            assert!(matches!(opened, Err(StoreError::Corrupt(_))), "{odd:?}: {opened:?}");
        }
    }
    connect(folder.path()).execute("DELETE FROM meta WHERE key = 'key1'", []).unwrap();
    let opened = Record::open_to_read(folder.path());
    assert!(matches!(opened, Err(StoreError::Corrupt(_))), "{opened:?}");
}

#[test]
fn a_value_that_the_schema_forbids_is_damage() {
    let connection = Connection::open_in_memory().unwrap();
    let error = connection.query_row("SELECT NULL", [], |row| row.get::<_, i64>(0)).unwrap_err();
    assert!(matches!(StoreError::from(error), StoreError::Corrupt(_)));
}

#[test]
fn a_record_whose_creation_was_killed_at_its_first_page_is_created_again() {
    let folder = TempDir::new().unwrap();
    let connection = connect(folder.path());
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(connection);
    let mut record = Record::open(folder.path()).unwrap();
    assert_eq!(record.begin(&RunInfo::default()).unwrap(), 1);
}

#[test]
fn an_interrupted_audit_is_known_as_one() {
    let folder = TempDir::new().unwrap();
    let mut record = Record::open(folder.path()).unwrap();
    for kind in [RunKind::Audit, RunKind::Sitemap] {
        record.begin(&RunInfo { kind, ..RunInfo::default() }).unwrap();
        assert_eq!(record.unfinished().unwrap().unwrap().info.kind, kind);
    }
}

#[test]
fn a_record_that_another_process_is_creating_is_not_a_record_yet() {
    let folder = tempfile::tempdir().unwrap();
    let other = rusqlite::Connection::open(folder.path().join("record.sqlite")).unwrap();
    other.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; VACUUM; BEGIN EXCLUSIVE").unwrap();
    let (answer, answers) = std::sync::mpsc::channel();
    let path = folder.path().to_owned();
    let looking = std::thread::spawn(move || answer.send(Record::is_in(&path)).unwrap());
    // It waits for the other process.
    assert!(answers.recv_timeout(std::time::Duration::from_millis(100)).is_err());
    other.execute_batch("ROLLBACK").unwrap();
    assert!(!answers.recv().unwrap());
    looking.join().unwrap();
}

/// The journal of a first page: magic number, no pages to roll back, an initial database size of 0 pages (SQLite's file
/// format, section 3).
fn journal_of_first_page() -> Vec<u8> {
    let magic = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let numbers = [0_u32, 7, 0, 512, 4096].map(u32::to_be_bytes).concat();
    let mut journal = [&magic[..], &numbers].concat();
    journal.resize(512, 0);
    journal
}

#[test]
fn a_record_whose_creation_was_killed_within_its_first_page_is_created_again() {
    let folder = TempDir::new().unwrap();
    connect(folder.path()).execute_batch("PRAGMA auto_vacuum = INCREMENTAL; VACUUM").unwrap();
    std::fs::write(folder.path().join("record.sqlite-journal"), journal_of_first_page()).unwrap();
    assert!(!Record::is_in(folder.path()));
    let mut record = Record::open(folder.path()).unwrap();
    assert_eq!(record.begin(&RunInfo::default()).unwrap(), 1);
}
