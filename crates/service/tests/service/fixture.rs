//! The fixture of the service tests: a site, a file of jobs, a state root.

use clap::Command;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_engine::NoObserver;
use mapwright_service::{
    Clock, Job, JobRun, JobRunner, JobStore, RunKey, RunOutcome, ServiceConfig, ServiceConfigError, job,
};
use mapwright_settings::{CommandKind, Input, Layers, arguments};
use mapwright_testkit::FakeSite;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A site with three pages, and a state root.
pub(crate) struct Fixture {
    pub(crate) site: FakeSite,
    pub(crate) root: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let site = FakeSite::open();
        site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a>")
            .page("/a", "<title>A</title><p>first</p>")
            .page("/b", "<title>B</title><p>second</p>");
        Self { site, root: tempfile::tempdir().unwrap() }
    }

    /// Reads the layers of a file in which `{site}` and `{root}` stand for these.
    pub(crate) fn layers(&self, file: &str) -> Layers {
        let root = self.root.path().display().to_string();
        let text = file.replace("{site}", &self.site.base()).replace("{root}", &root);
        let matches = Command::new("serve").args(arguments(CommandKind::Serve)).get_matches_from(["serve"]);
        Layers::read(&matches, std::iter::empty(), Some(("mapwright.toml", &text))).unwrap()
    }

    pub(crate) fn job(&self, file: &str, name: &str) -> Result<Job, ServiceConfigError> {
        job(&self.layers(file), name, self.root.path(), read)
    }

    pub(crate) fn config(&self, file: &str) -> Result<ServiceConfig, ServiceConfigError> {
        ServiceConfig::read(&self.layers(file), self.root.path(), read)
    }

    pub(crate) fn job_store(&self) -> Arc<JobStore> {
        Arc::new(JobStore::open(self.root.path()).unwrap())
    }

    /// Runs a job once.
    pub(crate) async fn run(&self, file: &str, name: &str, due: &str) -> (RunOutcome, JobRun) {
        let job_store = self.job_store();
        let job = Arc::new(self.job(file, name).unwrap_or_else(|error| panic!("{error}")));
        let runner = JobRunner { job, job_store: Arc::clone(&job_store), link: None, clock: Clock::real() };
        let due: Timestamp = due.parse().unwrap();
        let outcome = runner.run(RunKey::first(due), Arc::new(NoObserver), CancellationToken::new()).await.unwrap();
        let job_run = job_store.runs(name, None, 1).unwrap().remove(0);
        (outcome, job_run)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        let path = self.root.path().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

/// Reads a file of the settings.
pub(crate) fn read(input: &Input, _: u64, key: &str) -> Result<String, CrawlError> {
    let Input::File(path) = input else { panic!("only files are read here") };
    std::fs::read_to_string(Path::new(path)).map_err(|error| CrawlError::setting(key, error, "name a file"))
}
