//! A crawl that is interrupted and resumed.

use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use super::histogram::Stage;
use super::map::BROKEN;
use super::request_log::{Repeats, RequestLog};
use super::{Interruption, InterruptionSite, Moment, Published, Reference};
use crate::{Command, CommandOutput, Running, Workspace};

/// Name of the record below the state directory (docs/database.md).
const RECORD: &str = "record.sqlite";
/// The maximum number of visits in one commit.
const BATCH: usize = 64;

/// A crawl that a sequence of processes works on, because each is interrupted: the first runs `mapwright crawl`, the
/// others `mapwright resume`. The output directory contains an older sitemap from the start.
#[derive(Debug)]
pub struct CutCrawl<'a> {
    ground: &'a InterruptionSite,
    workspace: Workspace,
    arguments: Vec<String>,
    started: bool,
    began: SystemTime,
}

impl<'a> CutCrawl<'a> {
    /// A crawl of a ground with further arguments, not started yet.
    pub fn begin(ground: &'a InterruptionSite, arguments: &[&str]) -> CutCrawl<'a> {
        let workspace = Workspace::new();
        workspace.file("out/sitemap.xml", old_sitemap(ground));
        ground.settle();
        ground.request_log().begin();
        let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
        CutCrawl { ground, workspace, arguments, started: false, began: SystemTime::now() }
    }

    /// The workspace of the crawl.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The request log.
    pub fn request_log(&self) -> &RequestLog {
        self.ground.request_log()
    }

    /// The file of the record.
    pub fn record(&self) -> PathBuf {
        self.workspace.state().join(RECORD)
    }

    /// The `mapwright crawl` command line of the first process.
    pub fn crawl_command(&self) -> Command {
        let command = Command::new(["crawl"]).arg(self.ground.start()).within(&self.workspace);
        let command = command.arg("--out").arg(self.workspace.out()).arg("--state").arg(self.workspace.state());
        command.arg("--no-progress").args(&self.arguments)
    }

    /// The `mapwright resume` command line, without further settings.
    pub fn resume_command(&self) -> Command {
        Command::new(["resume", "--state"]).arg(self.workspace.state()).within(&self.workspace)
    }

    /// Starts the next process: `crawl` the first time, then `resume`.
    pub fn spawn(&mut self) -> Running {
        let command = if self.started { self.resume_command() } else { self.crawl_command() };
        self.spawn_as(command)
    }

    /// Starts this command as the next process.
    pub fn spawn_as(&mut self, command: Command) -> Running {
        if self.started {
            // Requests that the previous process has sent are logged as its own.
            self.ground.settle();
            self.ground.request_log().next_process();
        }
        self.started = true;
        command.spawn()
    }

    /// Starts the next process and waits for its end.
    #[track_caller]
    pub fn run(&mut self) -> CommandOutput {
        self.spawn().wait()
    }

    /// Starts the next process and interrupts it at this moment. Returns the stage of the crawl at that time, or `None`
    /// if the process had already ended successfully.
    #[track_caller]
    pub fn run_until(&mut self, moment: Moment, blow: Interruption, reference: &Reference) -> Option<Stage> {
        let mut process = self.spawn();
        if blow != Interruption::Kill {
            // Before the process has installed its signal handlers, a signal ends it with the default action.
            Moment::FirstRequest.wait(self.ground, reference, process.id(), &self.workspace.out());
        }
        moment.wait(self.ground, reference, process.id(), &self.workspace.out());
        let cut = Instant::now();
        blow.strike(&mut process);
        let done = process.wait();
        self.assert_old_or_new(reference);
        if done.code == Some(0) {
            return None;
        }
        assert_eq!(done.code, blow.code(), "after {moment:?}: {}\n{}", done.stdout, done.stderr);
        Some(Stage::at(cut, self.ground.request_log(), reference))
    }

    /// Asserts that the old sitemap is unchanged.
    #[track_caller]
    pub fn assert_old(&self) {
        assert!(self.is_old(), "the old sitemap has changed");
    }

    /// Asserts that the published sitemap and the requested URLs equal those of the uninterrupted crawl. Returns the
    /// repeated requests.
    #[track_caller]
    pub fn assert_same(&self, reference: &Reference) -> Repeats {
        let published = Published::in_folder(&self.workspace.out());
        published.assert_same(&reference.published);
        published.assert_dated(self.began, SystemTime::now());
        let request_log = self.ground.request_log();
        assert_eq!(request_log.progress(), reference.targets, "other URLs were requested");
        let repeats = request_log.repeats();
        assert!(repeats.within.is_empty(), "one process fetched again: {:#?}", repeats.within);
        let (tries, cuts) = (request_log.hits(BROKEN), repeats.lost.len() - 1);
        assert!(tries <= reference.tries() + cuts, "{BROKEN} was tried {tries} times, with {cuts} cuts");
        repeats
    }

    /// Asserts that each interruption repeated no more fetches than were leased and not committed.
    #[track_caller]
    pub fn assert_lost_little(&self, repeats: &Repeats, concurrency: usize) {
        let bound = concurrency + BATCH;
        assert!(repeats.lost.iter().all(|lost| *lost <= bound), "more than {bound} were lost at once: {repeats:?}");
    }

    /// Asserts that publishing is atomic: after an interruption, either the old sitemap or the complete new one is
    /// there.
    #[track_caller]
    fn assert_old_or_new(&self, reference: &Reference) {
        if !self.is_old() {
            let urls = mapwright_testkit::listed(&self.workspace.out());
            assert!(&urls == reference.published.urls(), "half a sitemap was published: {} URLs", urls.len());
        }
    }

    fn is_old(&self) -> bool {
        let there = std::fs::read(self.workspace.out().join("sitemap.xml"));
        there.is_ok_and(|bytes| bytes == old_sitemap(self.ground).into_bytes())
    }
}

/// A sitemap of the site in the form that mapwright writes, so that mapwright may replace it.
fn old_sitemap(ground: &InterruptionSite) -> String {
    let start = ground.start();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         <url><loc>{start}</loc></url>\n\
         </urlset>\n"
    )
}
