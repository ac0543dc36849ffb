//! A backup, made during operation of the service as docs/deployment.md describes, and restored elsewhere.
#![allow(clippy::expect_used, reason = "helpers fail the test by panicking")]

use std::path::Path;

use mapwright_e2e::{Command, CommandOutput, Workspace, links};
use mapwright_testkit::{FakeSite, Response};

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/deployment.md");
/// The paths in the guide's script, verbatim.
const PLACES: &str = "from=/var/lib/mapwright to=/var/backups/mapwright";

/// Runs the script of the guide, from one state root to another.
#[track_caller]
fn back_up(from: &Path, to: &Path) {
    let guide = std::fs::read_to_string(GUIDE).expect("the guide");
    let (_, section) = guide.split_once("\n## Backup").expect("a section");
    let script = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a script");
    assert!(script.contains(PLACES), "{script}");
    let script = script.replace(PLACES, &format!("from='{}' to='{}'", from.display(), to.display()));
    let done = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[track_caller]
fn command(workspace: &Workspace, words: &[&str]) -> CommandOutput {
    Command::new(words).args(["--state-root", "root"]).within(workspace).run().exited(0)
}

#[test]
fn a_restored_backup_knows_the_runs_before_and_continues_with_them() {
    let site = FakeSite::open();
    site.page("/", links(&["a"])).answer("/a", Response::html("<title>A</title>").header("ETag", "\"1\""));
    let jobs = format!("[job.shop]\nurl = [\"{}\"]\ncron = \"0 0 1 1 *\"\n", site.url("/"));
    let (workspace, restored) = (Workspace::of_service(&jobs), Workspace::of_service(&jobs));
    drop(command(&workspace, &["run", "shop"]));
    let mut service = workspace.serve();
    service.order("shop", "start");
    service.until("the second run is done", |service| {
        (service.get("/api/v1/jobs/shop/runs").1.matches("\"done\"").count() == 2).then_some(())
    });
    for _ in 0..2 {
        back_up(&workspace.path("root"), &restored.path("root"));
    }
    assert_eq!(service.end(), Some(0));

    let runs = |workspace: &Workspace| command(workspace, &["runs", "--job", "shop"]).stdout;
    assert_eq!(runs(&restored), runs(&workspace));
    assert!(command(&restored, &["jobs", "list"]).stdout.contains("done"), "the last run's outcome");
    drop(command(&restored, &["run", "shop"]));
    let requested = site.requests();
    let last = requested.iter().rfind(|request| request.target == "/a").expect("a request");
    assert_eq!(last.header("if-none-match"), Some("\"1\""), "it knows what it saw");
    assert_eq!(runs(&restored).lines().count(), runs(&workspace).lines().count() + 1);
    let service = restored.serve();
    assert_eq!(service.get("/readyz").0, 200);
    assert_eq!(service.end(), Some(0));
}
