//! `mapwright serve`: the nightly service.

use crate::commands::Entry;
use crate::door::{self, located};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{crawl, load, logging, signals, supervisor};
use clap::{ArgMatches, Command};
use mapwright_dashboard::{Board, Door, Keeper};
use mapwright_jobs::service::{Clock, Ledger, Nightly, Orders, OrdersError, state_root};
use mapwright_settings::{CommandKind, Layers, Loaded, Settings, arguments};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

pub(crate) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("serve")
        .about("Run the jobs of a configuration file by the clock, and show them in a browser")
        .args(arguments(CommandKind::Serve))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let runtime = crawl::runtime()?;
    // From the beginning: many jobs take a while to read, and a bid to read them again that nobody listens for ends the
    // process.
    let reloads = {
        let _inside = runtime.enter();
        signals::Reloads::listen()
    };
    let layers = load::layers(matches)?;
    let loaded = layers.load(None, None)?;
    logging::start_service(&loaded.settings);
    // From here on all output is lines of the log, the error that ends it included.
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
    let of_secrets = load::open_secrets(layers);
    loaded.warnings.iter().chain(&of_secrets).for_each(|warning| tracing::warn!("{warning}"));
    let root = state_root(&loaded.settings)?;
    let orders = Orders::for_service(layers, &root, crawl::read)?;
    let door = door::door(loaded)?;
    let ledger = Arc::new(Ledger::open(&root)?);
    let _alone = alone(&root)?;
    runtime.block_on(serve(matches, loaded, &root, orders, ledger, door, reloads))
}

async fn serve(
    matches: &ArgMatches,
    loaded: &Loaded,
    root: &Path,
    orders: Orders,
    ledger: Arc<Ledger>,
    door: Option<Door>,
    mut reloads: signals::Reloads,
) -> Result<Exit, Failure> {
    let jobs = match orders.plans.len() {
        1 => "one job".to_owned(),
        more => format!("{more} jobs"),
    };
    let service = Nightly::new(orders, ledger, Clock::real())?;
    let stop = CancellationToken::new();
    signals::serve(stop.clone(), loaded.settings.serve.drain);
    let (keeper, shown) = match door {
        Some(door) => {
            let board =
                Board::bind(door, Arc::new(service.clone())).await.map_err(|error| located(error, &loaded.origins))?;
            tracing::info!("serving {jobs}; the dashboard is at {}", board.url());
            (Some(board.keeper()), Some(tokio::spawn(board.run(stop.clone()))))
        }
        None => {
            tracing::info!("serving {jobs}; no dashboard is shown (--listen)");
            (None, None)
        }
    };
    let reloading = async {
        loop {
            reloads.next().await;
            let (matches, root, service, keeper) = (matches.clone(), root.to_owned(), service.clone(), keeper.clone());
            // A file with many jobs takes its time, in which the service goes on.
            let _ = tokio::task::spawn_blocking(move || reload(&matches, &root, &service, keeper.as_ref())).await;
        }
    };
    let attended = tokio::spawn(supervisor::attend(service.clone(), stop.clone()));
    let served = tokio::select! {
        served = service.run(stop.clone()) => served,
        () = reloading => Ok(()),
    };
    stop.cancel();
    let _ = attended.await;
    if let Some(shown) = shown {
        // It ends its answers by itself, in a bounded time.
        let _ = shown.await;
    }
    served?;
    tracing::info!("stopped");
    Ok(Exit::Done)
}

/// Reads the file again. A faulty one is refused, and all goes on as before.
fn reload(matches: &ArgMatches, root: &Path, service: &Nightly, keeper: Option<&Keeper>) {
    let read = || -> Result<(), Failure> {
        let layers = load::layers(matches)?;
        let loaded = layers.load(None, None)?;
        let orders = Orders::for_service(&layers, root, crawl::read)?;
        needs_restart(&loaded.settings, root, keeper.is_some())?;
        let door = keeper.zip(door::door(&loaded)?);
        let door = door.map(|(keeper, door)| keeper.check(door).map(|door| (keeper, door))).transpose();
        // Nothing is taken before all of it was checked.
        let door = door.map_err(|error| located(error, &loaded.origins))?;
        service.take(orders)?;
        if let Some((keeper, door)) = door {
            keeper.take(door);
        }
        Ok(())
    };
    supervisor::reloading();
    match read() {
        Ok(()) => tracing::info!("the configuration was read again"),
        Err(failure) => {
            tracing::error!("the configuration was not taken, and all goes on as before: {failure}");
            service.refuse(failure.to_string());
        }
    }
    supervisor::ready();
}

/// Refuses what a running service cannot change about itself.
fn needs_restart(settings: &Settings, root: &Path, is_shown: bool) -> Result<(), Failure> {
    let refuse = |what: &str, key: &str| Err(Failure::usage(what, format!("key serve.{key}"), "restart the service"));
    if state_root(settings)? != root {
        return refuse("the state root of a running service cannot change", "state-root");
    }
    if settings.serve.listen.is_some() != is_shown {
        return refuse("a running service can neither open its dashboard nor close it", "listen");
    }
    Ok(())
}

/// The lock that lets one service alone work below a state root; held as long as the file is.
fn alone(root: &Path) -> Result<File, Failure> {
    let path = root.join("service.lock");
    let place = || format!("file {}", path.display());
    let failed = |error: std::io::Error| Failure::usage(error.to_string(), place(), "name another --state-root");
    let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
    file.try_lock().map_err(|_| {
        Failure::usage("another service works below this state root", place(), "stop it, or name another --state-root")
    })?;
    Ok(file)
}

impl From<OrdersError> for Failure {
    fn from(error: OrdersError) -> Failure {
        match error {
            OrdersError::Settings(error) => error.into(),
            OrdersError::Job(error) => error.into(),
        }
    }
}
