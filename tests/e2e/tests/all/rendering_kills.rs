//! Kills (SIGKILL) in the middle of renderings: no browser and no file of it stays, and nothing is lost or read twice.
#![allow(clippy::unwrap_used, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use mapwright_e2e::kill::SeededRng;
use mapwright_e2e::scripted_app::scripted_app;
use mapwright_e2e::{Command, Running, Workspace};
use mapwright_testkit::FakeSite;
use std::fs;
use std::time::{Duration, Instant};

const KILLS: usize = if cfg!(feature = "full") { 100 } else { 8 };
const PAGES: usize = 30;
/// Kills of one crawl.
const A_CRAWL: usize = 4;
/// Requests in flight at once.
const CONCURRENCY: usize = 4;
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn kills_in_the_middle_of_renderings_lose_nothing_and_leave_nothing() {
    let mut lot = SeededRng::drawn();
    for _ in 0..KILLS / A_CRAWL {
        let (site, workspace) = (scripted_app(PAGES), Workspace::new());
        fs::create_dir(workspace.path("temporary")).unwrap();
        let mut kills = 0;
        loop {
            let more = 1 + lot.below(2 * PAGES / A_CRAWL);
            let mut running = crawl(&site, &workspace);
            if kills < A_CRAWL && requested(&site, site.requests().len() + more, &mut running) {
                running.kill();
                kills += 1;
            }
            let ended = running.wait();
            assert_no_browser(&workspace);
            // A crawl that has ended is not resumed.
            if ended.code.is_some() {
                drop(ended.exited(0));
                break;
            }
        }
        assert_complete(&site, &workspace);
    }
}

/// Begins the crawl, or resumes it.
fn crawl(site: &FakeSite, workspace: &Workspace) -> Running {
    let words = ["crawl", &site.url("/p/1"), "--out", "out", "--state", "state", "--render", "always", "--resume"];
    let command = Command::new(words).args(["--concurrency", &CONCURRENCY.to_string()]).within(workspace);
    command.env("TMPDIR", workspace.path("temporary").display().to_string()).spawn()
}

/// Waits until the site has had this number of requests; false if the crawl has ended before.
fn requested(site: &FakeSite, number: usize, running: &mut Running) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while site.requests().len() < number {
        if !fs::exists(format!("/proc/{}/exe", running.id())).unwrap_or_default() {
            return false;
        }
        assert!(Instant::now() < deadline, "the crawl stands still");
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Every browser of the workspace ends, since its profile is below the folder for temporary files.
#[track_caller]
fn assert_no_browser(workspace: &Workspace) {
    let folder = workspace.path("temporary").display().to_string();
    let is_own = |process: fs::DirEntry| {
        fs::read(process.path().join("cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(&folder))
    };
    let deadline = Instant::now() + Duration::from_secs(10);
    while fs::read_dir("/proc").unwrap().flatten().any(is_own) {
        assert!(Instant::now() < deadline, "a browser is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn assert_complete(site: &FakeSite, workspace: &Workspace) {
    let left: Vec<_> = fs::read_dir(workspace.path("temporary")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    let listed = workspace.query("SELECT url FROM v_listed");
    assert_eq!(listed.len(), PAGES, "{listed:?}");
    let rendered = workspace.query("SELECT count(*) FROM v_rendered WHERE cut = 0");
    assert_eq!(rendered, [[PAGES.to_string()]], "pages of which each was rendered once, for the record");
    // What was in flight, or not in the record yet, is requested again; nothing else.
    for number in 1..=PAGES {
        let hits = site.hits(&format!("/p/{number}"));
        assert!((1..=1 + A_CRAWL).contains(&hits), "/p/{number} was requested {hits} times");
    }
    let all: usize = (1..=PAGES).map(|number| site.hits(&format!("/p/{number}"))).sum();
    let most = PAGES + A_CRAWL * (CONCURRENCY + 16);
    assert!(all <= most, "{all} documents were requested for {PAGES} pages");
}
