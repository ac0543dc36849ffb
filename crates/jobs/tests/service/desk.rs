//! What the tests of the service need: a site, a file of jobs, a state root.

use clap::Command;
use jiff::Timestamp;
use mapwright_engine::NoObserver;
use mapwright_jobs::JobError;
use mapwright_jobs::service::{Clock, JobRun, Keeping, Kept, Ledger, Orders, OrdersError, Plan, plan};
use mapwright_settings::{CommandKind, Input, Layers, arguments};
use mapwright_testkit::Site;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A site with three pages, and a place for records.
pub(crate) struct Desk {
    pub(crate) site: Site,
    pub(crate) root: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let site = Site::open();
        site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a>")
            .page("/a", "<title>A</title><p>first</p>")
            .page("/b", "<title>B</title><p>second</p>");
        Self { site, root: tempfile::tempdir().unwrap() }
    }

    /// The layers of a file in which `{site}` and `{root}` stand for these.
    pub(crate) fn layers(&self, file: &str) -> Layers {
        let root = self.root.path().display().to_string();
        let text = file.replace("{site}", &self.site.base()).replace("{root}", &root);
        let matches = Command::new("serve").args(arguments(CommandKind::Serve)).get_matches_from(["serve"]);
        Layers::read(&matches, std::iter::empty(), Some(("mapwright.toml", &text))).unwrap()
    }

    pub(crate) fn plan(&self, file: &str, job: &str) -> Result<Plan, OrdersError> {
        plan(&self.layers(file), job, self.root.path(), read)
    }

    pub(crate) fn orders(&self, file: &str) -> Result<Orders, OrdersError> {
        Orders::read(&self.layers(file), self.root.path(), read)
    }

    pub(crate) fn ledger(&self) -> Arc<Ledger> {
        Arc::new(Ledger::open(self.root.path()).unwrap())
    }

    /// Keeps one night of a job.
    pub(crate) async fn keep(&self, file: &str, job: &str, due: &str) -> (Kept, JobRun) {
        let ledger = self.ledger();
        let plan = Arc::new(self.plan(file, job).unwrap_or_else(|error| panic!("{error}")));
        let runner = Keeping { plan, ledger: Arc::clone(&ledger), link: None, clock: Clock::real() };
        let due: Timestamp = due.parse().unwrap();
        let kept = runner.keep(due, Arc::new(NoObserver), CancellationToken::new()).await.unwrap();
        let night = ledger.runs(job, None, 1).unwrap().remove(0);
        (kept, night)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        let path = self.root.path().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

/// Reads a file of the settings.
pub(crate) fn read(input: &Input, _: u64, key: &str) -> Result<String, JobError> {
    let Input::File(path) = input else { panic!("only files are read here") };
    std::fs::read_to_string(Path::new(path)).map_err(|error| JobError::setting(key, error, "name a file"))
}
