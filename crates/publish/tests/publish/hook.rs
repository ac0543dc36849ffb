//! A mirror command that uploads the published files.

use crate::fixture::{Fixture, urls};
use mapwright_publish::PublishedSet;
use mapwright_publish::mirror::{Files, MirrorError, MirrorOptions, MirrorTarget, Mirrored, mirror};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A script, and a folder for its output.
struct Hook {
    folder: TempDir,
    timeout: Duration,
}

impl Hook {
    fn new(script: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("hook.sh");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder, timeout: Duration::from_secs(30) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs it with its folder and an argument of two words.
    fn run(&self, fixture: &Fixture, published: &PublishedSet) -> Result<Mirrored, MirrorError> {
        let folder = self.folder.path().display();
        let place = MirrorTarget::parse(&format!("command:{folder}/hook.sh {folder} 'two $words'")).unwrap();
        let options = MirrorOptions {
            grace: Duration::from_secs(2 * 3600),
            timeout: self.timeout,
            now: fixture.plan.now,
            environment: vec![("HOOK_TOKEN".to_owned(), "t0ken-of-the-hook".to_owned())],
            state: Some(self.folder.path().to_owned()),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(mirror(&place, &Files::published(&fixture.directory(), published), &options))
    }

    fn reported(&self) -> Value {
        serde_json::from_slice(&fs::read(self.path("received.json")).unwrap()).unwrap()
    }

    fn removed(&self) -> Vec<String> {
        serde_json::from_value(self.reported()["removed"].clone()).unwrap()
    }
}

#[test]
fn a_command_runs_in_the_folder_without_a_shell_and_gets_the_files() {
    let hook = Hook::new(
        "cat >\"$1/received.json\"; pwd >\"$1/pwd\"; printf %s \"$2\" >\"$1/word\"; sha256sum *.gz >\"$1/sums\"",
    );
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=7));
    let mirrored = hook.run(&fixture, &published).unwrap();
    let reported = hook.reported();
    assert_eq!((mirrored.uploaded, mirrored.removed), (4, 0));
    assert_eq!(fs::read_to_string(hook.path("word")).unwrap(), "two $words");
    let folder = fs::canonicalize(fixture.path("")).unwrap();
    assert_eq!(fs::canonicalize(fs::read_to_string(hook.path("pwd")).unwrap().trim()).unwrap(), folder);
    assert_eq!(fs::canonicalize(reported["directory"].as_str().unwrap()).unwrap(), folder);
    assert_eq!(
        (&reported["version"], &reported["entry_point"]["name"]),
        (&Value::from(1), &Value::from("sitemap.xml"))
    );
    let sums = fs::read_to_string(hook.path("sums")).unwrap();
    let parts = reported["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 3);
    for part in parts {
        let name = part["name"].as_str().unwrap();
        assert!(sums.contains(&format!("{}  {name}", part["sha256"].as_str().unwrap())), "{part} in {sums}");
        assert_eq!(part["bytes"].as_u64().unwrap(), fs::metadata(fixture.path(name)).unwrap().len());
        assert_eq!(part["lastmod"].as_str().unwrap(), fixture.lastmod(name));
    }
}

#[test]
fn removable_files_are_reported_after_the_grace_period_and_again_after_a_failure() {
    let hook = Hook::new("cat >\"$1/received.json\"; test ! -e \"$1/fail\"");
    let mut fixture = Fixture::new();
    let first = fixture.publish(&urls(1..=7));
    hook.run(&fixture, &first).unwrap();
    for _ in 0..2 {
        let published = fixture.publish(&urls(11..=17));
        hook.run(&fixture, &published).unwrap();
        assert!(hook.removed().is_empty());
        assert_eq!(hook.reported()["leaving"].as_array().unwrap().len(), 3, "{}", hook.reported());
    }
    fs::write(hook.path("fail"), "").unwrap();
    let published = fixture.publish(&urls(11..=17));
    hook.run(&fixture, &published).unwrap_err();
    assert_eq!(hook.removed(), first.parts);
    fs::remove_file(hook.path("fail")).unwrap();
    assert_eq!(hook.run(&fixture, &published).unwrap().removed, 3);
    assert_eq!(hook.removed(), first.parts, "reported again");
    hook.run(&fixture, &published).unwrap();
    assert!(hook.removed().is_empty(), "and not once more");
}

#[test]
fn a_failure_shows_the_code_and_the_last_lines_without_arguments_or_secrets() {
    let hook =
        Hook::new("i=0; while [ $i -lt 30000 ]; do echo line $i; i=$((i+1)); done; echo t0ken-of-the-hook >&2; exit 3");
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=7));
    let error = hook.run(&fixture, &published).unwrap_err();
    assert!(matches!(&error, MirrorError::Command { status, .. } if status.code() == Some(3)), "{error}");
    let text = error.to_string();
    assert!(text.contains("hook.sh: ") && text.contains("line 29999") && text.contains("***"), "{text}");
    for hidden in ["t0ken", "two $words", "line 29000\n"] {
        assert!(!text.contains(hidden), "{text}");
    }
}

#[test]
fn a_command_that_is_not_there_is_named() {
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=7));
    let hook = Hook::new("");
    fs::remove_file(hook.path("hook.sh")).unwrap();
    let error = hook.run(&fixture, &published).unwrap_err();
    assert!(matches!(error, MirrorError::Start { .. }), "{error}");
    assert!(error.to_string().contains("hook.sh"), "{error}");
}

#[test]
fn when_time_is_over_a_command_ends_with_all_that_it_started() {
    let mut hook = Hook::new("echo $$ >\"$1/pid\"; sleep 600 & echo $! >\"$1/child\"; wait");
    hook.timeout = Duration::from_secs(3);
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=7));
    let error = hook.run(&fixture, &published).unwrap_err();
    assert!(matches!(error, MirrorError::Late { .. }), "{error}");
    for name in ["pid", "child"] {
        let pid = fs::read_to_string(hook.path(name)).unwrap();
        // A killed process without a waiting parent is gone or a zombie.
        let state = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_else(|_| ") Z".to_owned());
        let deadline = Instant::now() + Duration::from_secs(20);
        while !state().rsplit_once(") ").unwrap().1.starts_with(['Z', 'X']) {
            assert!(Instant::now() < deadline, "{name} runs on");
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_command_need_not_listen_nor_let_go_of_its_output() {
    let hook = Hook::new("exec <&-; sleep 600 & echo $! >\"$1/child\"; exit 0");
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=7));
    hook.run(&fixture, &published).unwrap();
    let child = fs::read_to_string(hook.path("child")).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_raw(child).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn the_set_of_a_directory_is_found_by_its_indexes() {
    let mut fixture = Fixture::new();
    assert_eq!(Files::from_directory(&fixture.directory()), None);
    fixture.plan.series.limits.parts_per_index = 2;
    let published = fixture.publish(&urls(1..=12));
    let mut found = Files::from_directory(&fixture.directory()).unwrap();
    let mut expected = Files::published(&fixture.directory(), &published);
    found.parts.sort();
    expected.parts.sort();
    assert_eq!(found, expected);
}
