//! `mapwright serve`: the service that runs jobs on schedule.

use crate::access::{self, located};
use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reload::Reload;
use crate::{crawl, load, logging, signals, supervisor};
use clap::{ArgMatches, Command};
use mapwright_dashboard::{AccessConfig, Server};
use mapwright_service::{Clock, JobStore, Service, ServiceConfig, ServiceConfigError, state_root};
use mapwright_settings::{CommandKind, Layers, Loaded, arguments};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    Command::new("serve")
        .about("Run the jobs of a configuration file on schedule, and show them in a browser")
        .args(arguments(CommandKind::Serve))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let runtime = crawl::runtime()?;
    // SIGHUP is handled from the beginning: reading many jobs takes a while, and an unhandled SIGHUP ends the process.
    let reloads = {
        let _inside = runtime.enter();
        signals::Reloads::listen()
    };
    let layers = load::layers(matches)?;
    let loaded = layers.load(None, None)?;
    logging::start_service(&loaded.settings);
    // From here on all output is log lines, including the error that ends the service.
    let served = start(&runtime, matches, &layers, &loaded, reloads).or_else(|failure| {
        tracing::error!("{failure}");
        Ok(failure.exit)
    });
    runtime.shutdown_background();
    served
}

fn start(
    runtime: &Runtime,
    matches: &ArgMatches,
    layers: &Layers,
    loaded: &Loaded,
    reloads: signals::Reloads,
) -> Result<Exit, Failure> {
    let of_secrets = load::readable_secrets_warning(layers);
    loaded.warnings.iter().chain(&of_secrets).for_each(|warning| tracing::warn!("{warning}"));
    let root = state_root(&loaded.settings)?;
    let config = ServiceConfig::for_service(layers, &root, crawl::read)?;
    let access = access::access(loaded)?;
    let job_store = Arc::new(JobStore::open(&root)?);
    let _lock = lock_root(&root)?;
    let file = layers.file().filter(|name| *name != "-").map(str::to_owned);
    let jobs = match config.jobs.len() {
        1 => "one job".to_owned(),
        more => format!("{more} jobs"),
    };
    let service = Service::new(config, job_store, Clock::real())?;
    let reload = Reload { matches: matches.clone(), root, service, shown: Arc::default() };
    runtime.block_on(serve(reload, loaded, &jobs, access, file, reloads))
}

async fn serve(
    reload: Reload,
    loaded: &Loaded,
    jobs: &str,
    access: Option<AccessConfig>,
    file: Option<String>,
    mut reloads: signals::Reloads,
) -> Result<Exit, Failure> {
    let service = reload.service.clone();
    let stop = CancellationToken::new();
    signals::serve(stop.clone(), loaded.settings.serve.drain);
    let shown = match access {
        Some(access) => {
            let jobs_file = file.map(|name| Arc::new(reload.jobs_file(name)));
            let server = Server::bind(access, Arc::new(service.clone()), jobs_file)
                .await
                .map_err(|error| located(error, &loaded.origins))?;
            tracing::info!("serving {jobs}; the dashboard is at {}", server.url());
            let _ = reload.shown.set(server.reload_handle());
            Some(tokio::spawn(server.run(stop.clone())))
        }
        None => {
            tracing::info!("serving {jobs}; no dashboard is shown (--listen)");
            None
        }
    };
    let reloading = async {
        loop {
            reloads.next().await;
            let reload = reload.clone();
            // Reading a file with many jobs takes a while, during which the service keeps running.
            let _ = tokio::task::spawn_blocking(move || reload.run()).await;
        }
    };
    let supervision = tokio::spawn(supervisor::notify_supervisor(service.clone(), stop.clone()));
    let served = tokio::select! {
        served = service.run(stop.clone()) => served,
        () = reloading => Ok(()),
    };
    stop.cancel();
    let _ = supervision.await;
    if let Some(shown) = shown {
        // The dashboard ends its responses by itself within a limited time.
        let _ = shown.await;
    }
    served?;
    tracing::info!("stopped");
    Ok(Exit::Done)
}

/// Takes the lock that admits a single service below a state root, until the file is closed.
fn lock_root(root: &Path) -> Result<File, Failure> {
    let path = root.join("service.lock");
    let place = || format!("file {}", path.display());
    let failed = |error: std::io::Error| Failure::usage(error.to_string(), place(), "name another --state-root");
    let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
    file.try_lock().map_err(|_| {
        Failure::usage("another service works below this state root", place(), "stop it, or name another --state-root")
    })?;
    Ok(file)
}

impl From<ServiceConfigError> for Failure {
    fn from(error: ServiceConfigError) -> Failure {
        match error {
            ServiceConfigError::Settings(error) => error.into(),
            ServiceConfigError::Job(error) => error.into(),
        }
    }
}
