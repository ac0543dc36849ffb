//! What the service is to do, from settings.

use super::nightly::Orders;
use super::plan::{Plan, ReadInput};
use super::rivals;
use crate::error::JobError;
use mapwright_settings::{Layers, Loaded, Settings, SettingsError};
use std::path::{Path, PathBuf};
use url::Url;

/// Why orders cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum OrdersError {
    /// A value that cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A job that makes no sense.
    #[error(transparent)]
    Job(#[from] JobError),
}

impl Orders {
    /// The orders of a file with jobs, whose records lie below `root`.
    ///
    /// # Errors
    /// The first thing that is wrong with any job.
    pub fn read(layers: &Layers, root: &Path, read: ReadInput) -> Result<Self, OrdersError> {
        let Loaded { settings, .. } = layers.load(None, None)?;
        let plans: Vec<Plan> =
            layers.jobs().map(|name| plan_of(layers, name, root, read)).collect::<Result<_, OrdersError>>()?;
        rivals::check(plans.iter())?;
        let link = link(&settings);
        Ok(Self { plans, max_jobs: settings.serve.max_jobs as usize, drain: settings.serve.drain, link })
    }
}

impl Orders {
    /// The same for the service, which has nothing to do without a job.
    ///
    /// # Errors
    /// The first thing that is wrong with any job, or that there is none.
    pub fn for_service(layers: &Layers, root: &Path, read: ReadInput) -> Result<Self, OrdersError> {
        check_jobs(layers)?;
        Self::read(layers, root, read)
    }
}

/// Refuses a configuration without jobs.
///
/// # Errors
/// When no file was found, or the file that was read has no job.
pub fn check_jobs(layers: &Layers) -> Result<(), JobError> {
    if layers.jobs().next().is_some() {
        return Ok(());
    }
    Err(match layers.file() {
        Some(file) => JobError::usage(
            "",
            format!("{file} has no jobs"),
            "write [job.NAME] into it; `mapwright config init --job NAME URL -` prints the lines",
        ),
        None => JobError::usage(
            "looked for ./mapwright.toml, and neither --config nor MAPWRIGHT_CONFIG names a file",
            "there is no configuration file",
            "write one with `mapwright config init --job NAME URL`",
        ),
    })
}

/// The URL by which people elsewhere reach the dashboard: that of the proxy in front, or the first host name that it is
/// asked for by where it speaks TLS itself.
#[must_use]
pub fn link(settings: &Settings) -> Option<Url> {
    let serve = &settings.serve;
    if let Some(origin) = &serve.behind_proxy {
        return Url::parse(origin).ok();
    }
    let (Some(name), Some(_), Some(listen)) = (serve.server_name.first(), &serve.tls_cert, &serve.listen) else {
        return None;
    };
    let (_, port) = listen.rsplit_once(':')?;
    Url::parse(&format!("https://{name}:{port}/")).ok()
}

/// The plan of one job of the file, which is to run by itself.
///
/// # Errors
/// When there are no jobs, or not this one, it makes no sense, or it writes where another job of the file does.
pub fn plan(layers: &Layers, name: &str, root: &Path, read: ReadInput) -> Result<Plan, OrdersError> {
    check_jobs(layers)?;
    if layers.jobs().all(|job| job != name) {
        let remedy = format!("the jobs are {}", layers.jobs().collect::<Vec<_>>().join(", "));
        return Err(JobError::usage(format!("job {name}"), "there is no such job", remedy).into());
    }
    let plan = plan_of(layers, name, root, read)?;
    // A job that makes no sense never runs, and writes nowhere.
    for other in layers.jobs().filter(|other| *other != name) {
        let Ok(other) = plan_of(layers, other, root, read) else { continue };
        rivals::check([&other, &plan])?;
    }
    Ok(plan)
}

fn plan_of(layers: &Layers, name: &str, root: &Path, read: ReadInput) -> Result<Plan, OrdersError> {
    Ok(Plan::new(name, layers.load(Some(name), None)?, root, read)?)
}

/// The directory below which the records of all jobs lie.
///
/// # Errors
/// When none is named, and there is no home directory.
pub fn state_root(settings: &Settings) -> Result<PathBuf, JobError> {
    let ambient = &settings.ambient;
    let named = settings.serve.state_root.clone().or_else(|| ambient.state_directory.clone());
    named.or_else(|| ambient.state_root()).ok_or_else(|| {
        let what = "there is no home directory to keep the records in";
        JobError::usage("the records", what, "give a directory with --state-root DIR")
    })
}
