//! The browser's start and end.

use crate::site::{Fixture, link, with_script};
use mapwright_browser::Render as _;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A process: its id, its parent's, and its group's.
fn processes() -> Vec<[u32; 3]> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let read = |entry: fs::DirEntry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The state, the parent and the group follow the name (proc(5)).
        let mut rest = stat.rsplit(')').next()?.split_whitespace().skip(1);
        let mut number = || rest.next()?.parse().ok();
        Some([entry.file_name().to_str()?.parse().ok()?, number()?, number()?])
    };
    entries.filter_map(read).collect()
}

/// The browsers that this program has started.
fn browsers() -> Vec<u32> {
    let is_own = |process: &[u32; 3]| process[1] == std::process::id() && process[2] == process[0];
    processes().iter().filter(|process| is_own(process)).map(|process| process[0]).collect()
}

/// The processor time of the process that has used most, among those of the browsers that this program has started
/// (proc(5): the 14th and 15th field, in hundredths of a second).
pub(crate) fn most_processor_time() -> Duration {
    let browsers = browsers();
    let own = processes().into_iter().filter(|process| browsers.contains(&process[2]));
    let ticks = |process: [u32; 3]| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", process[0])).ok()?;
        let times = stat.rsplit(')').next()?.split_whitespace().skip(11).take(2);
        Some(times.filter_map(|time| time.parse::<u64>().ok()).sum::<u64>())
    };
    Duration::from_millis(own.filter_map(ticks).max().unwrap_or_default() * 10)
}

/// The folder of a browser's profile.
fn profile(browser: u32) -> Option<String> {
    let line = fs::read_to_string(format!("/proc/{browser}/cmdline")).ok()?;
    line.split('\0').find_map(|word| word.strip_prefix("--user-data-dir=")).map(str::to_owned)
}

#[tokio::test]
async fn the_browser_starts_at_the_first_page_and_leaves_nothing() {
    let fixture = Fixture::open();
    assert_eq!(fixture.renderer.browser(), None);
    let before = browsers();
    let rendered = fixture.render(&with_script(&link("here"))).await;
    assert!(rendered.html.contains("href=\"/here\""));
    let version = fixture.renderer.browser().unwrap();
    assert!(version.starts_with("HeadlessChrome ") && version.ends_with(" its sandbox"), "{version}");
    let new: Vec<u32> = browsers().into_iter().filter(|browser| !before.contains(browser)).collect();
    let profiles: Vec<String> = new.iter().filter_map(|browser| profile(*browser)).collect();
    assert!(!profiles.is_empty(), "no browser was started");
    drop(fixture);
    let is_left = || {
        processes().iter().any(|process| new.contains(&process[2]))
            || profiles.iter().any(|path| fs::exists(path).unwrap())
    };
    let deadline = Instant::now() + Duration::from_secs(10);
    while is_left() {
        assert!(Instant::now() < deadline, "{new:?} or {profiles:?} are left");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Set in the process that [`nothing_outlives_a_process_that_is_killed`] starts: this test again, which then renders.
const RENDERS: &str = "RENDERS_UNTIL_IT_IS_KILLED";

#[tokio::test]
async fn nothing_outlives_a_process_that_is_killed() {
    if std::env::var_os(RENDERS).is_some() {
        let fixture = Fixture::with_timeout(Duration::from_secs(600));
        let _ = fixture.render(&with_script("for (;;) {}")).await;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "ends::nothing_outlives_a_process_that_is_killed"]).env(RENDERS, "1");
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let browser_of =
        |parent: u32| processes().into_iter().find(|process| process[1] == parent).map(|process| process[0]);
    // A renderer is there once a page is.
    let is_rendering = |group: u32| processes().iter().filter(|process| process[2] == group).count() > 2;
    let deadline = Instant::now() + Duration::from_secs(60);
    let browser = loop {
        assert!(Instant::now() < deadline, "no browser came");
        match browser_of(child.id()).filter(|browser| is_rendering(*browser)) {
            Some(browser) => break browser,
            None => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    };
    let profile = profile(browser).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while processes().iter().any(|process| process[2] == browser) {
        assert!(Instant::now() < deadline, "the browser lives on");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The next browser removes the profile: this one, or that of another test.
    let _ = Fixture::open().render("<p>A page").await;
    assert!(!fs::exists(&profile).unwrap(), "{profile}");
}
