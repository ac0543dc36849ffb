//! A desk to run the command at, again and again: one workspace, what each run said and cost, and the files it left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::Done;
use crate::{Command, Crawl, Crawled, Exclusion, RunningCrawl, Workspace};

/// Pause between two looks at what a running command holds in memory: its growth is no event to wait for.
const POLL: Duration = Duration::from_millis(10);

/// A workspace in which one command after another is run.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    workspace: Workspace,
}

impl Desk {
    /// A desk with a fresh workspace.
    #[must_use]
    pub fn new() -> Desk {
        Desk::default()
    }

    /// The workspace.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// A path on the desk.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.workspace.path().join(name)
    }

    /// Where [`Desk::crawl`] publishes.
    #[must_use]
    pub fn out(&self) -> PathBuf {
        self.workspace.out()
    }

    /// Where [`Desk::crawl`] keeps the record.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.workspace.state()
    }

    /// Puts a file on the desk and gives its path, to stand on a command line.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        self.workspace.file(name, bytes).display().to_string()
    }

    /// Runs the command with these arguments to its end.
    #[track_caller]
    #[must_use]
    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with_input(args, b"")
    }

    /// Runs the command with these arguments to its end, with these bytes as its standard input.
    #[track_caller]
    #[must_use]
    pub fn run_with_input(&self, args: &[&str], input: &[u8]) -> Run {
        let since = Instant::now();
        let done = Command::new(args).stdin(input).within(&self.workspace).run();
        Run::new(done, since.elapsed(), 0)
    }

    /// A crawl from `start` with further arguments, whose summary is for people, not yet begun.
    #[must_use]
    pub fn plan(&self, start: &str, more: &[&str]) -> Crawl {
        Crawl::from(&[start]).within(&self.workspace).args(more).text()
    }

    /// Starts a crawl and leaves it running.
    #[must_use]
    pub fn start_crawl(&self, start: &str, more: &[&str]) -> RunningCrawl {
        self.plan(start, more).spawn()
    }

    /// Crawls from `start`, with further arguments, to its end.
    #[track_caller]
    #[must_use]
    pub fn crawl(&self, start: &str, more: &[&str]) -> Run {
        finish(self.plan(start, more))
    }

    /// Crawls and asserts that the crawl was whole and published.
    #[track_caller]
    pub fn crawl_well(&self, start: &str, more: &[&str]) -> Run {
        self.crawl(start, more).exited(0)
    }

    /// The published files by name, temporary ones included.
    #[must_use]
    pub fn published(&self) -> Files {
        files_in(&self.out())
    }

    /// What the published sitemap lists.
    #[track_caller]
    #[must_use]
    pub fn listed(&self) -> BTreeSet<String> {
        mapwright_testkit::listed(&self.out())
    }

    /// What `export excluded` tells of the last crawl.
    #[track_caller]
    #[must_use]
    pub fn excluded(&self) -> BTreeMap<String, Exclusion> {
        crate::excluded::export(&self.workspace)
    }

    /// What `export excluded` tells of this URL.
    ///
    /// # Panics
    /// Where it tells nothing of it.
    #[track_caller]
    #[must_use]
    pub fn exclusion(&self, url: &str) -> Exclusion {
        self.excluded().remove(url).unwrap_or_else(|| panic!("{url} is not among the excluded"))
    }
}

/// Runs a crawl to its end and tells what it cost.
#[track_caller]
#[must_use]
pub fn finish(crawl: Crawl) -> Run {
    let since = Instant::now();
    let mut running = crawl.spawn();
    let id = running.process().id();
    let memory = std::thread::spawn(move || peak_memory(id));
    let Crawled { done, .. } = running.wait();
    let took = since.elapsed();
    Run::new(done, took, memory.join().unwrap_or(0))
}

/// Most memory resident at once in this process until its end, by the kernel's own account (proc(5), `VmHWM`). The
/// account of [`mapwright_testkit::process::measure`] is one for all children of a test program, whose tests run side
/// by side.
fn peak_memory(id: u32) -> u64 {
    let mut peak = 0;
    while let Some(kib) = high_water_mark(id) {
        peak = peak.max(kib * 1024);
        std::thread::sleep(POLL);
    }
    peak
}

/// None once the process has ended: a zombie holds no memory and has no such line.
fn high_water_mark(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Files by name, with their bytes.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Every file below a directory, by its path there; empty where there is no directory.
#[must_use]
pub fn files_in(directory: &Path) -> Files {
    let mut files = Files::new();
    gather(directory, "", &mut files);
    files
}

fn gather(directory: &Path, prefix: &str, files: &mut Files) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            gather(&entry.path(), &format!("{name}/"), files);
        } else if let Ok(bytes) = fs::read(entry.path()) {
            files.insert(name, bytes);
        }
    }
}

/// Whether this text occurs in those bytes.
#[must_use]
pub fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// A run that ended.
#[derive(Debug)]
pub struct Run {
    /// How it ended and what it printed.
    pub done: Done,
    /// From start to end.
    pub took: Duration,
    /// Most memory resident at once, in bytes, as last seen before its end; only of crawls.
    pub peak_memory: u64,
}

impl Run {
    fn new(done: Done, took: Duration, peak_memory: u64) -> Run {
        Run { done, took, peak_memory }
    }

    /// Asserts the exit code, and gives itself back.
    ///
    /// # Panics
    /// When it is another; the message holds what was printed.
    #[track_caller]
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "asserting alone is a use")]
    pub fn exited(self, code: i32) -> Run {
        Run { done: self.done.exited(code), ..self }
    }

    /// Standard output.
    #[must_use]
    pub fn out(&self) -> &str {
        &self.done.stdout
    }

    /// Standard error.
    #[must_use]
    pub fn err(&self) -> &str {
        &self.done.stderr
    }

    /// Both outputs.
    #[must_use]
    pub fn said(&self) -> String {
        format!("{}\n{}", self.out(), self.err())
    }

    /// The JSON summary on standard output.
    ///
    /// # Panics
    /// Where it is no JSON.
    #[track_caller]
    #[must_use]
    pub fn summary(&self) -> Value {
        serde_json::from_str(self.out()).unwrap_or_else(|error| panic!("no JSON ({error}): {}", self.said()))
    }

    /// The only line of standard error.
    ///
    /// # Panics
    /// When there are none or several.
    #[track_caller]
    #[must_use]
    pub fn only_line(&self) -> &str {
        let lines: Vec<&str> = self.err().lines().filter(|line| !line.trim().is_empty()).collect();
        let [line] = lines.as_slice() else { panic!("not one line on standard error: {:?}", self.err()) };
        line
    }

    /// Asserts that the run stayed within this time and memory.
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn assert_within(&self, time: Duration, mebibytes: u64) {
        assert!(self.took <= time, "it took {:?}, more than {time:?}; it said: {}", self.took, self.err());
        let peak = self.peak_memory >> 20;
        assert!(peak <= mebibytes, "it held {peak} MiB, more than {mebibytes} MiB");
    }
}
