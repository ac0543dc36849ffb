//! Reads the configuration of the service from settings.

use crate::conflicts;
use crate::job::{Job, ReadInput};
use crate::service::ServiceConfig;
use mapwright_crawl::CrawlError;
use mapwright_settings::{Layers, Loaded, Settings, SettingsError};
use std::path::{Path, PathBuf};
use url::Url;

/// The reason why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ServiceConfigError {
    /// A value that cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A job that is invalid.
    #[error(transparent)]
    Job(#[from] CrawlError),
}

impl ServiceConfig {
    /// Reads the jobs of a file. Their records lie below `root`.
    ///
    /// # Errors
    /// The first fault of any job.
    pub fn read(layers: &Layers, root: &Path, read: ReadInput) -> Result<Self, ServiceConfigError> {
        let Loaded { settings, .. } = layers.load(None, None)?;
        let jobs: Vec<Job> =
            layers.jobs().map(|name| job_of(layers, name, root, read)).collect::<Result<_, ServiceConfigError>>()?;
        conflicts::check(jobs.iter())?;
        let link = link(&settings);
        Ok(Self { jobs, max_jobs: settings.serve.max_jobs as usize, drain: settings.serve.drain, link })
    }
}

impl ServiceConfig {
    /// Reads the jobs of a file for the service, which needs at least one.
    ///
    /// # Errors
    /// The first fault of any job, or that there is none.
    pub fn for_service(layers: &Layers, root: &Path, read: ReadInput) -> Result<Self, ServiceConfigError> {
        check_jobs(layers)?;
        Self::read(layers, root, read)
    }
}

/// Refuses a configuration without jobs.
///
/// # Errors
/// If no file was found, or the file has no job.
pub fn check_jobs(layers: &Layers) -> Result<(), CrawlError> {
    if layers.jobs().next().is_some() {
        return Ok(());
    }
    Err(match layers.file() {
        Some(file) => CrawlError::usage(
            "",
            format!("{file} has no jobs"),
            "write [job.NAME] into it; `mapwright config init --job NAME URL -` prints the lines",
        ),
        None => CrawlError::usage(
            "looked for ./mapwright.toml, and neither --config nor MAPWRIGHT_CONFIG names a file",
            "there is no configuration file",
            "write one with `mapwright config init --job NAME URL`",
        ),
    })
}

/// Returns the public URL of the dashboard: that of the reverse proxy, or with TLS that of the first `--server-name`.
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

/// Reads one job of the file, to run on its own.
///
/// # Errors
/// If there are no jobs or not this one, if it is invalid, or if it writes into a directory of another job of the file.
pub fn job(layers: &Layers, name: &str, root: &Path, read: ReadInput) -> Result<Job, ServiceConfigError> {
    check_jobs(layers)?;
    if layers.jobs().all(|job| job != name) {
        let hint = format!("the jobs are {}", layers.jobs().collect::<Vec<_>>().join(", "));
        return Err(CrawlError::usage(format!("job {name}"), "there is no such job", hint).into());
    }
    let job = job_of(layers, name, root, read)?;
    // A job that is invalid never runs, and writes nothing.
    for other in layers.jobs().filter(|other| *other != name) {
        let Ok(other) = job_of(layers, other, root, read) else { continue };
        conflicts::check([&other, &job])?;
    }
    Ok(job)
}

fn job_of(layers: &Layers, name: &str, root: &Path, read: ReadInput) -> Result<Job, ServiceConfigError> {
    Ok(Job::new(name, layers.load(Some(name), None)?, root, read)?)
}

/// Returns the directory that holds the records of all jobs.
///
/// # Errors
/// If none is named, and there is no home directory.
pub fn state_root(settings: &Settings) -> Result<PathBuf, CrawlError> {
    let ambient = &settings.ambient;
    let named = settings.serve.state_root.clone().or_else(|| ambient.state_directory.clone());
    named.or_else(|| ambient.state_root()).ok_or_else(|| {
        let what = "there is no home directory to keep the records in";
        CrawlError::usage("the records", what, "give a directory with --state-root DIR")
    })
}
