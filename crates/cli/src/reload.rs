//! Replacing the configuration of the running service.

use crate::access::{self, located};
use crate::failure::Failure;
use crate::{crawl, load, supervisor};
use clap::ArgMatches;
use mapwright_dashboard::{CheckedAccess, ReloadHandle};
use mapwright_service::{JobsFile, Service, ServiceConfig, state_root};
use mapwright_settings::{Layers, Settings};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Reads the configuration file again for the running service.
#[derive(Clone)]
pub(crate) struct Reload {
    pub(crate) matches: ArgMatches,
    pub(crate) root: PathBuf,
    pub(crate) service: Service,
    /// The dashboard, once it is bound; never set where none is served.
    pub(crate) shown: Arc<OnceLock<ReloadHandle>>,
}

/// A configuration that passed all checks.
struct Checked {
    config: ServiceConfig,
    access: Option<CheckedAccess>,
}

impl Reload {
    /// Reads and applies the configuration file. An invalid one is refused, and the current one stays in force.
    ///
    /// # Errors
    /// The fault in one line; it is also logged and shown.
    pub(crate) fn run(&self) -> Result<(), String> {
        supervisor::reloading();
        let read = || -> Result<(), Failure> {
            let checked = self.check(&load::layers(&self.matches)?)?;
            // Nothing is applied before everything was checked.
            self.service.reload(checked.config)?;
            if let Some((shown, access)) = self.shown.get().zip(checked.access) {
                shown.apply(access);
            }
            Ok(())
        };
        let done = read().map_err(|failure| {
            tracing::error!("the reload is refused, and the previous configuration stays in force: {failure}");
            self.service.reload_failed(failure.to_string());
            failure.to_string()
        });
        if done.is_ok() {
            tracing::info!("the configuration was read again");
        }
        supervisor::ready();
        done
    }

    /// Returns the file of this name for the dashboard, which edits its jobs.
    pub(crate) fn jobs_file(&self, name: String) -> JobsFile {
        let (checks, applies) = (self.clone(), self.clone());
        let (matches, checked) = (self.matches.clone(), name.clone());
        let check = move |text: &str| {
            let layers = load::layers_with(&matches, Some((&checked, text)));
            layers.and_then(|layers| checks.check(&layers)).map(drop).map_err(|failure| failure.to_string())
        };
        JobsFile::new(name, check, move || applies.run())
    }

    fn check(&self, layers: &Layers) -> Result<Checked, Failure> {
        let loaded = layers.load(None, None)?;
        let config = ServiceConfig::for_service(layers, &self.root, crawl::read)?;
        needs_restart(&loaded.settings, &self.root, self.shown.get().is_some())?;
        let access = self.shown.get().zip(access::access(&loaded)?).map(|(shown, access)| shown.check(access));
        Ok(Checked { config, access: access.transpose().map_err(|error| located(error, &loaded.origins))? })
    }
}

/// Refuses changes that need a restart.
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
