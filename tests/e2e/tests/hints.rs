//! Hints: where the cause is ours to name, one line names it, and the option or command that helps.

use mapwright_e2e::desk::{Desk, Run};

// ---- jobs

/// Each command that needs jobs.
const OF_JOBS: [&[&str]; 5] = [&["serve"], &["run", "shop"], &["jobs", "list"], &["jobs", "next"], &["notify", "test"]];

#[test]
fn without_a_configuration_file_commands_about_jobs_say_where_they_looked() {
    for words in OF_JOBS {
        let run = Desk::new().run(words).exited(2);
        for part in ["no configuration file", "./mapwright.toml", "--config", "config init --job NAME URL"] {
            assert!(run.only_line().contains(part), "{words:?}: {part} is not in: {}", run.only_line());
        }
        assert!(run.out().is_empty(), "{words:?}: {}", run.out());
    }
}

#[test]
fn a_configuration_file_without_jobs_is_named() {
    let desk = Desk::new();
    let named = desk.file("other.toml", "[crawl]\nconcurrency = 2\n");
    desk.file("mapwright.toml", "[crawl]\nconcurrency = 2\n");
    for words in OF_JOBS {
        assert_no_jobs(&desk.run(words), "mapwright.toml");
        assert_no_jobs(&desk.run(&[words, &["--config", &named]].concat()), &named);
    }
}

#[track_caller]
fn assert_no_jobs(run: &Run, file: &str) {
    let line = run.only_line();
    assert!(line.contains(&format!("{file} has no jobs")) && line.contains("[job.NAME]"), "{line}");
    assert_eq!((run.done.code, run.out()), (Some(2), ""), "{line}");
}
