//! A workspace in which tests run the command repeatedly, with the output, cost and files of each run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::CommandOutput;
use crate::{Command, Crawl, Crawled, Exclusion, RunningCrawl, Workspace};

/// Pause between two samples of a running command's memory, whose growth sends no event.
const POLL: Duration = Duration::from_millis(10);

/// A workspace in which one command after another is run.
#[derive(Debug, Clone, Default)]
pub struct Fixture {
    workspace: Workspace,
}

impl Fixture {
    /// Creates a fresh workspace.
    #[must_use]
    pub fn new() -> Fixture {
        Fixture::default()
    }

    /// The workspace.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// A path below the workspace.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.workspace.path().join(name)
    }

    /// The output directory of [`Fixture::crawl`].
    #[must_use]
    pub fn out(&self) -> PathBuf {
        self.workspace.out()
    }

    /// The state directory of [`Fixture::crawl`], which contains the record.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.workspace.state()
    }

    /// Writes a file into the workspace and returns its path for a command line.
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

    /// A crawl from `start` with further arguments and a text summary, not started yet.
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

    /// Crawls and asserts that the crawl completes and publishes.
    #[track_caller]
    pub fn crawl_well(&self, start: &str, more: &[&str]) -> Run {
        self.crawl(start, more).exited(0)
    }

    /// The published files by name, temporary ones included.
    #[must_use]
    pub fn published(&self) -> Files {
        files_in(&self.out())
    }

    /// The URLs that the published sitemap lists.
    #[track_caller]
    #[must_use]
    pub fn listed(&self) -> BTreeSet<String> {
        mapwright_testkit::listed(&self.out())
    }

    /// The output of `export excluded` for the last crawl.
    #[track_caller]
    #[must_use]
    pub fn excluded(&self) -> BTreeMap<String, Exclusion> {
        crate::excluded::export(&self.workspace)
    }

    /// The row of `export excluded` for this URL.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    #[must_use]
    pub fn exclusion(&self, url: &str) -> Exclusion {
        self.excluded().remove(url).unwrap_or_else(|| panic!("{url} is not among the excluded"))
    }
}

/// Runs a crawl to its end and measures its time and memory.
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

/// The peak resident memory of this process until its end, from the kernel (proc(5), `VmHWM`).
/// [`mapwright_testkit::process::measure`] does not serve here: it measures all children of a test program, whose tests
/// run concurrently.
fn peak_memory(id: u32) -> u64 {
    let mut peak = 0;
    while let Some(kib) = high_water_mark(id) {
        peak = peak.max(kib * 1024);
        std::thread::sleep(POLL);
    }
    peak
}

/// Returns the process's `VmHWM` in KiB, or `None` after its end: a zombie has no memory and no such line.
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

/// Returns true if this text occurs in these bytes.
#[must_use]
pub fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// A run that ended.
#[derive(Debug)]
pub struct Run {
    /// The exit code and the output.
    pub done: CommandOutput,
    /// The time from start to end.
    pub took: Duration,
    /// The peak resident memory in bytes, as last sampled before the end; 0 except for crawls.
    pub peak_memory: u64,
}

impl Run {
    fn new(done: CommandOutput, took: Duration, peak_memory: u64) -> Run {
        Run { done, took, peak_memory }
    }

    /// Asserts the exit code, and returns itself.
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
