//! Full disks, unwritable files and damaged records: one line names the cause, the old sitemap stays, and nothing else
//! is changed. Once the cause is fixed, the crawl resumes and ends with the same result as an uninterrupted one.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::fs;
use std::path::Path;
use std::time::Duration;

use mapwright_e2e::CommandOutput;
use mapwright_e2e::files::{Files, files_in};
use mapwright_e2e::kill::{CutCrawl, Interruption, InterruptionSite, Moment, Reference};
use mapwright_e2e::tmpfs::{ReadOnlyFile, Tmpfs, in_private_mounts};

const MIB: u64 = 1 << 20;
/// The arguments with which the sitemap has parts.
const PARTS: [&str; 2] = ["--max-urls-per-file", "300"];
/// The smallest disk on which a record can be created.
const LEAST: u64 = MIB;

// ---- full disks

#[test]
fn a_disk_that_fills_up_cuts_the_crawl_and_room_lets_it_end() {
    in_private_mounts("broken_disk::a_disk_that_fills_up_cuts_the_crawl_and_room_lets_it_end", || {
        let ground = InterruptionSite::of(1_000);
        let reference = Reference::of(&ground, &PARTS);
        let mut stages = Vec::new();
        // The disk is full early, in the middle, and near the end.
        for share in [3, 5, 8] {
            stages.push(fills_up(&ground, &reference, LEAST.max(reference.record_size * share / 10)));
        }
        assert!(
            stages.iter().any(|requested| *requested < reference.targets),
            "no disk was full in the middle: {stages:?}"
        );
    });
}

/// Crawls with the record on a disk that is too small, and returns the number of URLs requested until it was full.
#[track_caller]
fn fills_up(ground: &InterruptionSite, reference: &Reference, size: u64) -> usize {
    // By default, `--min-free-disk` stops the crawl before the disk is full.
    let mut crawl = CutCrawl::begin(ground, &[&PARTS[..], &["--min-free-disk", "0"]].concat());
    let disk = Tmpfs::on(&crawl.workspace().state(), size);
    let done = crawl.run().exited(4);
    assert_reports_once(&crawl, &done);
    crawl.assert_old();
    let requested = ground.request_log().progress();
    // Committed data is not lost, so a retry on the full disk changes nothing.
    let done = crawl.run().exited(4);
    assert_reports_once(&crawl, &done);
    crawl.assert_old();
    disk.resize(64 * MIB);
    drop(crawl.run().exited(0));
    crawl.assert_same(reference);
    requested
}

#[test]
fn a_file_size_limit_on_the_record_ends_the_crawl_and_its_removal_lets_it_resume() {
    let ground = InterruptionSite::of(1_000);
    let reference = Reference::of(&ground, &PARTS);
    let mut crawl = CutCrawl::begin(&ground, &PARTS);
    // The limit counts blocks of 512 bytes.
    let limited = crawl.crawl_command().limited(format!("-f {}", reference.record_size / 2 / 512));
    let done = crawl.spawn_as(limited).wait().exited(1);
    assert_reports_once(&crawl, &done);
    crawl.assert_old();
    drop(crawl.run().exited(0));
    crawl.assert_same(&reference);
}

#[test]
fn a_floor_that_is_reached_on_the_way_cuts_the_crawl() {
    in_private_mounts("broken_disk::a_floor_that_is_reached_on_the_way_cuts_the_crawl", || {
        let ground = InterruptionSite::of(1_000);
        let reference = Reference::of(&ground, &PARTS);
        let floor = ["--min-free-disk", "32MiB", "--concurrency", "2"];
        let mut crawl = CutCrawl::begin(&ground, &[&PARTS[..], &floor].concat());
        let disk = Tmpfs::on(&crawl.workspace().state(), 64 * MIB);
        ground.site().latency(Duration::from_millis(20));
        let process = crawl.spawn();
        Moment::Requested(100).wait(&ground, &reference, process.id(), &crawl.workspace().out());
        let ballast = crawl.workspace().file("state/ballast", vec![0; 40 << 20]);
        assert_reports_once(&crawl, &process.wait().exited(4));
        crawl.assert_old();
        assert!(ground.request_log().progress() < reference.targets, "it went on to the end");
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
        let ground = InterruptionSite::of(200);
        let reference = Reference::of(&ground, &[]);
        // The first floor is set, the second is the default.
        for floor in [&["--min-free-disk", "1GiB"][..], &[]] {
            let mut crawl = CutCrawl::begin(&ground, floor);
            let disk = Tmpfs::on(&crawl.workspace().state(), 128 * MIB);
            let done = crawl.run().exited(4);
            assert_reports_once(&crawl, &done);
            crawl.assert_old();
            assert!(ground.request_log().progress() < reference.targets, "it went on to the end");
            disk.resize(2048 * MIB);
            // `--resume` works whether a run was started or not.
            let again = crawl.crawl_command().arg("--resume");
            drop(crawl.spawn_as(again).wait().exited(0));
            crawl.assert_same(&reference);
        }
    });
}

// ---- unwritable files

#[test]
fn a_record_that_cannot_be_written_is_named_and_left_as_it_is() {
    in_private_mounts("broken_disk::a_record_that_cannot_be_written_is_named_and_left_as_it_is", || {
        let ground = InterruptionSite::of(400);
        let reference = Reference::of(&ground, &PARTS);
        let mut crawl = CutCrawl::begin(&ground, &PARTS);
        assert!(crawl.run_until(Moment::Requested(200), Interruption::Kill, &reference).is_some());
        let (before, record) = (record_of(&crawl), crawl.record());
        let sealed = ReadOnlyFile::file(&record);
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
        let ground = InterruptionSite::of(400);
        let reference = Reference::of(&ground, &PARTS);
        // By default, `--min-free-disk` stops a crawl on such a small disk.
        let mut crawl = CutCrawl::begin(&ground, &[&PARTS[..], &["--min-free-disk", "0"]].concat());
        let disk = Tmpfs::on(&crawl.workspace().state(), 64 * MIB);
        assert!(crawl.run_until(Moment::Requested(200), Interruption::Kill, &reference).is_some());
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
fn a_record_with_overwritten_bytes_is_named_and_not_changed() {
    refused(|record| {
        let mut bytes = fs::read(record).expect("a record");
        let third = bytes.len() / 3;
        bytes.iter_mut().skip(third).take(third).for_each(|byte| *byte = 0xa5);
        fs::write(record, bytes).expect("a record that can be written");
        &["damaged", "malformed", "corrupt", "broken"]
    });
}

#[test]
fn a_truncated_record_is_named_and_not_changed() {
    refused(|record| {
        let bytes = fs::read(record).expect("a record");
        fs::write(record, bytes.split_at(bytes.len() / 2).0).expect("a record that can be written");
        &["damaged", "malformed", "corrupt", "broken"]
    });
}

#[test]
fn a_text_in_place_of_a_record_is_named_and_not_changed() {
    refused(|record| {
        fs::write(record, "This is no record at all.\n".repeat(400)).expect("a record that can be written");
        &["damaged", "not a database", "no database", "no record", "not a record"]
    });
}

#[test]
fn a_record_of_a_newer_format_is_named_and_not_changed() {
    refused(|record| {
        let database = rusqlite::Connection::open(record).expect("a record");
        database.pragma_update(None, "user_version", 1_000).expect("a record that can be written");
        &["newer"]
    });
}

/// Damages the record of an interrupted crawl, and asserts that no command changes a byte of it and each reports the
/// fault and the file in one line.
#[track_caller]
fn refused(damage: impl Fn(&Path) -> &'static [&'static str]) {
    let ground = InterruptionSite::of(300);
    let reference = Reference::of(&ground, &[]);
    let mut cut = CutCrawl::begin(&ground, &[]);
    assert!(cut.run_until(Moment::Requested(200), Interruption::Interrupt, &reference).is_some());
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

/// Checkpoints the write-ahead log of a record into the record itself, as closing the last connection does.
fn fold(record: &Path) {
    let database = rusqlite::Connection::open(record).expect("a record");
    let _: i64 = database.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).expect("a schema");
}

// ---- messages and files

/// Asserts that one line is about the disk, and names the folder or the option that sets the floor.
#[track_caller]
fn assert_reports_once(crawl: &CutCrawl<'_>, done: &CommandOutput) {
    let state = crawl.workspace().state().display().to_string();
    let names = |line: &&str| line.contains(&state) || line.contains("--min-free-disk");
    let speaks = |line: &&str| ["disk is", "disk of", "its disk", "space"].iter().any(|words| line.contains(words));
    let lines = done.stdout.lines().chain(done.stderr.lines()).filter(speaks).filter(names).count();
    assert_eq!(lines, 1, "lines that name the full disk:\n{}\n{}", done.stdout, done.stderr);
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
}

/// Asserts that the command failed without a request, and that one line names the faulty file.
#[track_caller]
fn assert_refused(crawl: &CutCrawl<'_>, done: &CommandOutput, named: &str) {
    assert!(done.code.is_some_and(|code| code != 0), "{done:?}");
    let lines: Vec<&str> = done.stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let [line] = lines.as_slice() else { panic!("not one line: {:?}", done.stderr) };
    assert!(line.contains(named), "it does not name {named}: {line}");
    assert_eq!(crawl.request_log().of_process(), 0, "the site was requested");
    crawl.assert_old();
}

/// The record with its write-ahead log, without the lock and the files that SQLite recreates.
fn record_of(crawl: &CutCrawl<'_>) -> Files {
    let mut files = files_in(&crawl.workspace().state());
    // An empty log counts as no log.
    files.retain(|name, bytes| name.ends_with(".sqlite") || (name.ends_with("-wal") && !bytes.is_empty()));
    files
}
