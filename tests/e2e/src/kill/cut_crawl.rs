//! A crawl that is cut.

use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use super::histogram::Stage;
use super::ledger::{Ledger, Repeats};
use super::map::BROKEN;
use super::{Blow, Ground, Moment, Published, Reference};
use crate::command::{Done, Running};
use crate::{Command, Workspace};

/// Name of the record below the state directory (docs/database.md).
const RECORD: &str = "record.sqlite";
/// Visits that are committed at once, at most.
const BATCH: usize = 64;

/// A crawl on which one process after another works, because each is cut: the first by `mapwright crawl`, the others
/// by `mapwright resume`. In the folder of the sitemaps lies an older one from the beginning.
#[derive(Debug)]
pub struct CutCrawl<'a> {
    ground: &'a Ground,
    workspace: Workspace,
    arguments: Vec<String>,
    started: bool,
    began: SystemTime,
}

impl<'a> CutCrawl<'a> {
    /// A crawl of a ground with further arguments, of which no process has been started.
    #[must_use]
    pub fn begin(ground: &'a Ground, arguments: &[&str]) -> CutCrawl<'a> {
        let workspace = Workspace::new();
        workspace.file("out/sitemap.xml", old_sitemap(ground));
        ground.settle();
        ground.ledger().begin();
        let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
        CutCrawl { ground, workspace, arguments, started: false, began: SystemTime::now() }
    }

    /// Where it works.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Who asked for what.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        self.ground.ledger()
    }

    /// The file of the record.
    #[must_use]
    pub fn record(&self) -> PathBuf {
        self.workspace.state().join(RECORD)
    }

    /// `mapwright crawl`, as at the beginning.
    #[must_use]
    pub fn crawl_command(&self) -> Command {
        let command = Command::new(["crawl"]).arg(self.ground.start()).within(&self.workspace);
        let command = command.arg("--out").arg(self.workspace.out()).arg("--state").arg(self.workspace.state());
        command.arg("--no-progress").args(&self.arguments)
    }

    /// `mapwright resume`, without any setting.
    #[must_use]
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
            // What the process before had sent belongs to it.
            self.ground.settle();
            self.ground.ledger().next_process();
        }
        self.started = true;
        command.spawn()
    }

    /// Starts the next process and lets it end by itself.
    #[track_caller]
    pub fn run(&mut self) -> Done {
        self.spawn().wait()
    }

    /// Starts the next process and cuts it at this moment; tells in which stage the crawl was then, or nothing where
    /// the process had ended well before.
    ///
    /// # Panics
    /// Where the process ends in another way, or what is published is neither the old sitemap nor the new one.
    #[track_caller]
    pub fn run_until(&mut self, moment: Moment, blow: Blow, reference: &Reference) -> Option<Stage> {
        let mut process = self.spawn();
        if blow != Blow::Kill {
            // Until it listens for signals, they end it as they end any process.
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
        Some(Stage::at(cut, self.ground.ledger(), reference))
    }

    /// Asserts that the sitemap of before lies untouched in its folder.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn assert_old(&self) {
        assert!(self.is_old(), "the old sitemap has changed");
    }

    /// Asserts that what was published in the end is what the uninterrupted crawl published, and that just the same
    /// was asked for; tells what was asked for again.
    ///
    /// # Panics
    /// When it is not so.
    #[track_caller]
    pub fn assert_same(&self, reference: &Reference) -> Repeats {
        let published = Published::in_folder(&self.workspace.out());
        published.assert_same(&reference.published);
        published.assert_dated(self.began, SystemTime::now());
        let ledger = self.ground.ledger();
        assert_eq!(ledger.progress(), reference.targets, "other URLs were asked for");
        let repeats = ledger.repeats();
        assert!(repeats.within.is_empty(), "one process fetched again: {:#?}", repeats.within);
        let (tries, cuts) = (ledger.hits(BROKEN), repeats.lost.len() - 1);
        assert!(tries <= reference.tries() + cuts, "{BROKEN} was tried {tries} times, with {cuts} cuts");
        repeats
    }

    /// Asserts that each cut cost no more fetches than were leased and not settled.
    ///
    /// # Panics
    /// When one did.
    #[track_caller]
    pub fn assert_lost_little(&self, repeats: &Repeats, concurrency: usize) {
        let bound = concurrency + BATCH;
        assert!(repeats.lost.iter().all(|lost| *lost <= bound), "more than {bound} were lost at once: {repeats:?}");
    }

    /// Publishing is atomic: whenever it is cut, there is either the old sitemap or the new one, whole.
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

/// A sitemap of the site in the form in which mapwright writes: one that it may replace.
fn old_sitemap(ground: &Ground) -> String {
    let start = ground.start();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         <url><loc>{start}</loc></url>\n\
         </urlset>\n"
    )
}
