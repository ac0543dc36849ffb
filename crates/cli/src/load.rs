//! Reading of a command's settings: flags, environment and configuration file are read here and passed to the pure
//! core.

use crate::failure::Failure;
use crate::stderr::print_stderr;
use crate::{input, logging};
use clap::ArgMatches;
use mapwright_service::MAX_CONFIG_BYTES;
use mapwright_settings::{Layers, Loaded, OutputSection, RecordedSettings, ReportFormat, Settings};
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt as _;

/// Reads the settings of a command from `matches`. Prints warnings, and starts logging.
///
/// # Errors
/// The configuration file cannot be read, or a value is invalid.
pub(crate) fn settings(matches: &ArgMatches) -> Result<Loaded, Failure> {
    let loaded = settings_over(matches, None)?;
    reject_github_format(&loaded)?;
    Ok(loaded)
}

/// Refuses a report format that only audits support.
///
/// # Errors
/// The format is set.
pub(crate) fn reject_github_format(loaded: &Loaded) -> Result<(), Failure> {
    if loaded.settings.output.format != ReportFormat::Github {
        return Ok(());
    }
    let format_origin = loaded.origins.iter().find(|origin| origin.key == OutputSection::format);
    let place = format_origin.map(|origin| origin.set_at.to_string()).unwrap_or_default();
    Err(Failure::usage("annotations of GitHub are made by audits alone", place, "choose text or json"))
}

/// Does the same on top of the settings that a resumed run began with.
///
/// # Errors
/// The same as for [`settings`].
pub(crate) fn settings_over(matches: &ArgMatches, recorded: Option<&RecordedSettings>) -> Result<Loaded, Failure> {
    let loaded = read(matches, recorded)?;
    for warning in &loaded.warnings {
        print_stderr(&format!("warning: {warning}"));
    }
    logging::start(&loaded.settings);
    Ok(loaded)
}

/// Reads the settings only; prints nothing.
///
/// # Errors
/// The same as for [`settings`].
pub(crate) fn read(matches: &ArgMatches, recorded: Option<&RecordedSettings>) -> Result<Loaded, Failure> {
    let environment = environment()?;
    let file = config_file(matches, &environment)?;
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    Ok(Settings::load(matches, environment.into_iter(), file, recorded)?)
}

/// The default file of commands about jobs.
pub(crate) const JOBS_FILE: &str = "mapwright.toml";

/// Reads flags, environment and the file with the jobs; prints nothing.
///
/// # Errors
/// The file cannot be read, or is invalid.
pub(crate) fn layers(matches: &ArgMatches) -> Result<Layers, Failure> {
    let environment = environment()?;
    let named = config_file(matches, &environment)?;
    let file = match named {
        None if jobs_file_exists() => Some(text_of(JOBS_FILE, &format!("file {JOBS_FILE}"))?),
        named => named,
    };
    layers_with(matches, file.as_ref().map(|(name, text)| (name.as_str(), text.as_str())))
}

/// Reads flags and environment over a file whose name and text are given.
///
/// # Errors
/// The file is invalid.
pub(crate) fn layers_with(matches: &ArgMatches, file: Option<(&str, &str)>) -> Result<Layers, Failure> {
    Ok(Layers::read(matches, environment()?.into_iter(), file)?)
}

/// Warns of a configuration file that every user of the machine may read and that holds secrets.
pub(crate) fn readable_secrets_warning(layers: &Layers) -> Option<String> {
    let (name, secrets) = (layers.file()?, layers.secrets());
    let is_open = |about: Metadata| about.is_file() && about.permissions().mode() & 0o004 != 0;
    let is_unsafe = !secrets.is_empty() && std::fs::metadata(name).is_ok_and(is_open);
    let secrets = secrets.join(", ");
    is_unsafe
        .then(|| format!("every user may read the file {name}, which holds secrets ({secrets}): `chmod o-r {name}`"))
}

fn jobs_file_exists() -> bool {
    std::path::Path::new(JOBS_FILE).exists()
}

/// Returns whether that file is read by default and was not named.
///
/// # Errors
/// A variable is not UTF-8.
pub(crate) fn is_unnamed(matches: &ArgMatches) -> Result<bool, Failure> {
    Ok(jobs_file_exists() && Settings::config_file(matches, environment()?.into_iter()).is_none())
}

/// Returns the environment's variables. Those of other programs may contain anything and are decoded loosely.
fn environment() -> Result<Vec<(String, String)>, Failure> {
    let mut variables = Vec::new();
    for (name, value) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        let value = match value.into_string() {
            Ok(value) => value,
            Err(_) if name.starts_with("MAPWRIGHT_") => {
                return Err(Failure::usage("the value is not UTF-8", format!("variable {name}"), "write it in UTF-8"));
            }
            Err(value) => value.to_string_lossy().into_owned(),
        };
        variables.push((name, value));
    }
    Ok(variables)
}

/// Returns the name and text of the file to read, if any.
fn config_file(matches: &ArgMatches, environment: &[(String, String)]) -> Result<Option<(String, String)>, Failure> {
    let Some((name, place)) = Settings::config_file(matches, environment.iter().cloned()) else {
        return Ok(None);
    };
    text_of(&name, &place.to_string()).map(Some)
}

/// Reads a configuration file; returns its name and text.
fn text_of(name: &str, place: &str) -> Result<(String, String), Failure> {
    let bytes = input::read(name, MAX_CONFIG_BYTES + 1, place)?;
    let fault = |what: &str, hint: &str| Failure::usage(what, format!("file {name}"), hint);
    if bytes.len() as u64 > MAX_CONFIG_BYTES {
        return Err(fault("the file is larger than 1 MiB", "name a configuration file"));
    }
    let text = String::from_utf8(bytes).map_err(|_| fault("the file is not UTF-8", "write it in UTF-8"))?;
    Ok((name.to_owned(), text))
}
