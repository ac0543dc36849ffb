//! Disks that are full, files that cannot be written, and records that are damaged: one clear line names what is in
//! the way, the old sitemap stays, nothing is made worse; and once it is mended the crawl goes on to the end that it
//! would have had.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::fs;
use std::path::Path;
use std::time::Duration;

use mapwright_e2e::Done;
use mapwright_e2e::desk::{Files, files_in};
use mapwright_e2e::kill::{Blow, CutCrawl, Ground, Moment, Reference};
use mapwright_e2e::tmpfs::{Sealed, Tmpfs, in_private_mounts};

const MIB: u64 = 1 << 20;
/// So that the sitemap has parts.
const PARTS: [&str; 2] = ["--max-urls-per-file", "300"];
/// The smallest disk on which a record can be begun.
const LEAST: u64 = MIB;

// ---- full disks

#[test]
fn a_disk_that_fills_up_cuts_the_crawl_and_room_lets_it_end() {
    in_private_mounts("broken_disk::a_disk_that_fills_up_cuts_the_crawl_and_room_lets_it_end", || {
        let ground = Ground::of(1_000);
        let reference = Reference::of(&ground, &PARTS);
        let mut stages = Vec::new();
        // Full early, in the middle, and when there is not much left to do.
        for share in [3, 5, 8] {
            stages.push(fills_up(&ground, &reference, LEAST.max(reference.record_size * share / 10)));
        }
        assert!(stages.iter().any(|asked| *asked < reference.targets), "no disk was full in the middle: {stages:?}");
    });
}

/// Crawls with its record on a disk that is too small; tells how many URLs had been asked for when it was full.
#[track_caller]
fn fills_up(ground: &Ground, reference: &Reference, size: u64) -> usize {
    // The floor would cut the crawl before the disk is full.
    let mut crawl = CutCrawl::begin(ground, &[&PARTS[..], &["--min-free-disk", "0"]].concat());
    let disk = Tmpfs::on(&crawl.workspace().state(), size);
    let done = crawl.run().exited(4);
    assert_tells_once(&crawl, &done);
    crawl.assert_old();
    let asked = ground.ledger().progress();
    // Nothing was lost that had been committed, so a disk that is still full changes nothing.
    let done = crawl.run().exited(4);
    assert_tells_once(&crawl, &done);
    crawl.assert_old();
    disk.resize(64 * MIB);
    drop(crawl.run().exited(0));
    crawl.assert_same(reference);
    asked
}

#[test]
fn a_record_that_may_not_grow_ends_the_crawl_and_one_that_may_lets_it_go_on() {
    let ground = Ground::of(1_000);
    let reference = Reference::of(&ground, &PARTS);
    let mut crawl = CutCrawl::begin(&ground, &PARTS);
    // In blocks of 512 bytes.
    let limited = crawl.crawl_command().limited(format!("-f {}", reference.record_size / 2 / 512));
    let done = crawl.spawn_as(limited).wait().exited(1);
    assert_tells_once(&crawl, &done);
    crawl.assert_old();
    drop(crawl.run().exited(0));
    crawl.assert_same(&reference);
}

#[test]
fn a_floor_that_is_reached_on_the_way_cuts_the_crawl() {
    in_private_mounts("broken_disk::a_floor_that_is_reached_on_the_way_cuts_the_crawl", || {
        let ground = Ground::of(1_000);
        let reference = Reference::of(&ground, &PARTS);
        let floor = ["--min-free-disk", "32MiB", "--concurrency", "2"];
        let mut crawl = CutCrawl::begin(&ground, &[&PARTS[..], &floor].concat());
        let disk = Tmpfs::on(&crawl.workspace().state(), 64 * MIB);
        ground.site().latency(Duration::from_millis(20));
        let process = crawl.spawn();
        Moment::Asked(100).wait(&ground, &reference, process.id(), &crawl.workspace().out());
        let ballast = crawl.workspace().file("state/ballast", vec![0; 40 << 20]);
        assert_tells_once(&crawl, &process.wait().exited(4));
        crawl.assert_old();
        assert!(ground.ledger().progress() < reference.targets, "it went on to the end");
        ground.site().latency(Duration::ZERO);
        fs::remove_file(ballast).expect("a file that can be removed");
        drop(crawl.run().exited(0));
        let repeats = crawl.assert_same(&reference);
        assert_eq!(repeats.lost, [0, 0], "it did not let requests in flight end, or did not save them");
        drop(disk);
    });
}

#[test]
fn a_floor_above_what_is_left_cuts_the_crawl_at_once() {
    in_private_mounts("broken_disk::a_floor_above_what_is_left_cuts_the_crawl_at_once", || {
        let ground = Ground::of(200);
        let reference = Reference::of(&ground, &[]);
        // The floor that is set, and the one that counts where none is.
        for floor in [&["--min-free-disk", "1GiB"][..], &[]] {
            let mut crawl = CutCrawl::begin(&ground, floor);
            let disk = Tmpfs::on(&crawl.workspace().state(), 128 * MIB);
            let done = crawl.run().exited(4);
            assert_tells_once(&crawl, &done);
            crawl.assert_old();
            assert!(ground.ledger().progress() < reference.targets, "it went on to the end");
            disk.resize(2048 * MIB);
            // Whether a run was begun or not.
            let again = crawl.crawl_command().arg("--resume");
            drop(crawl.spawn_as(again).wait().exited(0));
            crawl.assert_same(&reference);
        }
    });
}

// ---- what cannot be written

#[test]
fn a_record_that_cannot_be_written_is_named_and_left_as_it_is() {
    in_private_mounts("broken_disk::a_record_that_cannot_be_written_is_named_and_left_as_it_is", || {
        let ground = Ground::of(400);
        let reference = Reference::of(&ground, &PARTS);
        let mut crawl = CutCrawl::begin(&ground, &PARTS);
        assert!(crawl.run_until(Moment::Asked(200), Blow::Kill, &reference).is_some());
        let (before, record) = (record_of(&crawl), crawl.record());
        let sealed = Sealed::file(&record);
        let done = crawl.run();
        assert_refused(&crawl, &done, &record.display().to_string());
        drop(sealed);
        assert!(record_of(&crawl) == before, "the record has changed");
        drop(crawl.run().exited(0));
        crawl.assert_same(&reference);
    });
}

#[test]
fn a_disk_that_cannot_be_written_is_named_and_left_as_it_is() {
    in_private_mounts("broken_disk::a_disk_that_cannot_be_written_is_named_and_left_as_it_is", || {
        let ground = Ground::of(400);
        let reference = Reference::of(&ground, &PARTS);
        // The floor would cut the crawl on so small a disk.
        let mut crawl = CutCrawl::begin(&ground, &[&PARTS[..], &["--min-free-disk", "0"]].concat());
        let disk = Tmpfs::on(&crawl.workspace().state(), 64 * MIB);
        assert!(crawl.run_until(Moment::Asked(200), Blow::Kill, &reference).is_some());
        let (before, state) = (record_of(&crawl), crawl.workspace().state());
        disk.make_read_only();
        let done = crawl.run();
        assert_refused(&crawl, &done, &state.display().to_string());
        assert!(record_of(&crawl) == before, "the record has changed");
        disk.make_writable();
        drop(crawl.run().exited(0));
        crawl.assert_same(&reference);
    });
}

// ---- damaged records

#[test]
fn a_record_with_overwritten_bytes_is_named_and_left_alone() {
    refused(|record| {
        let mut bytes = fs::read(record).expect("a record");
        let third = bytes.len() / 3;
        bytes.iter_mut().skip(third).take(third).for_each(|byte| *byte = 0xa5);
        fs::write(record, bytes).expect("a record that can be written");
        &["damaged", "malformed", "corrupt", "broken"]
    });
}

#[test]
fn a_truncated_record_is_named_and_left_alone() {
    refused(|record| {
        let bytes = fs::read(record).expect("a record");
        fs::write(record, bytes.split_at(bytes.len() / 2).0).expect("a record that can be written");
        &["damaged", "malformed", "corrupt", "broken"]
    });
}

#[test]
fn a_text_in_place_of_a_record_is_named_and_left_alone() {
    refused(|record| {
        fs::write(record, "This is no record at all.\n".repeat(400)).expect("a record that can be written");
        &["damaged", "not a database", "no database", "no record", "not a record"]
    });
}

#[test]
fn a_record_of_a_newer_format_is_named_and_left_alone() {
    refused(|record| {
        let database = rusqlite::Connection::open(record).expect("a record");
        database.pragma_update(None, "user_version", 1_000).expect("a record that can be written");
        &["newer"]
    });
}

/// Damages the record of a crawl that was cut in the middle; no command changes a byte of it, and each says in one
/// line what is wrong with which file.
#[track_caller]
fn refused(damage: impl Fn(&Path) -> &'static [&'static str]) {
    let ground = Ground::of(300);
    let reference = Reference::of(&ground, &[]);
    let mut cut = CutCrawl::begin(&ground, &[]);
    assert!(cut.run_until(Moment::Asked(200), Blow::Interrupt, &reference).is_some());
    fold(&cut.record());
    let words = damage(&cut.record());
    let before = record_of(&cut);
    for command in [cut.resume_command(), cut.crawl_command(), cut.crawl_command().arg("--resume")] {
        let done = cut.spawn_as(command).wait();
        assert_refused(&cut, &done, &cut.record().display().to_string());
        assert!(words.iter().any(|word| done.stderr.contains(word)), "it says none of {words:?}: {}", done.stderr);
        assert!(record_of(&cut) == before, "the record has changed");
    }
}

/// Brings what lies in the log beside a record into the record itself: the last to close it does so.
fn fold(record: &Path) {
    let database = rusqlite::Connection::open(record).expect("a record");
    let _: i64 = database.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).expect("a schema");
}

// ---- what is said, and what stays

/// One line speaks of the disk and names the folder, or the option that sets the floor.
#[track_caller]
fn assert_tells_once(crawl: &CutCrawl<'_>, done: &Done) {
    let state = crawl.workspace().state().display().to_string();
    let names = |line: &&str| line.contains(&state) || line.contains("--min-free-disk");
    let speaks = |line: &&str| ["disk is", "disk of", "its disk", "space"].iter().any(|words| line.contains(words));
    let lines = done.stdout.lines().chain(done.stderr.lines()).filter(speaks).filter(names).count();
    assert_eq!(lines, 1, "lines that name the full disk:\n{}\n{}", done.stdout, done.stderr);
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
}

/// It did not go on, asked for nothing, and says in one line which file is in the way.
#[track_caller]
fn assert_refused(crawl: &CutCrawl<'_>, done: &Done, named: &str) {
    assert!(done.code.is_some_and(|code| code != 0), "{done:?}");
    let lines: Vec<&str> = done.stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let [line] = lines.as_slice() else { panic!("not one line: {:?}", done.stderr) };
    assert!(line.contains(named), "it does not name {named}: {line}");
    assert_eq!(crawl.ledger().of_process(), 0, "the site was asked");
    crawl.assert_old();
}

/// The record with its log; not what SQLite makes anew from them, nor the lock.
fn record_of(crawl: &CutCrawl<'_>) -> Files {
    let mut files = files_in(&crawl.workspace().state());
    // An empty log is none.
    files.retain(|name, bytes| name.ends_with(".sqlite") || (name.ends_with("-wal") && !bytes.is_empty()));
    files
}
