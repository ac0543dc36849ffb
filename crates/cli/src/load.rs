//! The settings of a command: flags, environment and configuration file, read at the edge and handed to the pure core.

use crate::failure::{Failure, say};
use crate::{input, logging};
use clap::ArgMatches;
use mapwright_settings::{Layers, Loaded, Recorded, ReportFormat, Settings};
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt as _;

/// Bytes of a configuration file at most.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// The settings of a command that was called with `matches`. Warnings are printed, and logging begins.
///
/// # Errors
/// A configuration file that cannot be read, or a value that cannot be used.
pub(crate) fn settings(matches: &ArgMatches) -> Result<Loaded, Failure> {
    let loaded = settings_over(matches, None)?;
    no_annotations(&loaded)?;
    Ok(loaded)
}

/// Refuses a format that only audits have.
///
/// # Errors
/// Where it is asked for.
pub(crate) fn no_annotations(loaded: &Loaded) -> Result<(), Failure> {
    if loaded.settings.output.format != ReportFormat::Github {
        return Ok(());
    }
    let asked = loaded.origins.iter().find(|origin| origin.key == "output.format");
    let place = asked.map(|origin| origin.place.to_string()).unwrap_or_default();
    Err(Failure::usage("annotations of GitHub are made by audits alone", place, "choose text or json"))
}

/// The same, over what a run that goes on was begun with.
///
/// # Errors
/// The same.
pub(crate) fn settings_over(matches: &ArgMatches, recorded: Option<&Recorded>) -> Result<Loaded, Failure> {
    let loaded = read(matches, recorded)?;
    for warning in &loaded.warnings {
        say(&format!("warning: {warning}"));
    }
    logging::start(&loaded.settings);
    Ok(loaded)
}

/// The settings alone: nothing is printed.
///
/// # Errors
/// The same.
pub(crate) fn read(matches: &ArgMatches, recorded: Option<&Recorded>) -> Result<Loaded, Failure> {
    let environment = environment()?;
    let file = config_file(matches, &environment)?;
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    Ok(Settings::load(matches, environment.into_iter(), file, recorded)?)
}

/// The file that commands about jobs read where none is named.
pub(crate) const JOBS_FILE: &str = "mapwright.toml";

/// Flags, environment and the file with the jobs. Nothing is printed.
///
/// # Errors
/// A file that cannot be read, or that makes no sense.
pub(crate) fn layers(matches: &ArgMatches) -> Result<Layers, Failure> {
    let environment = environment()?;
    let named = config_file(matches, &environment)?;
    let file = match named {
        None if is_there() => Some(text_of(JOBS_FILE, &format!("file {JOBS_FILE}"))?),
        named => named,
    };
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    Ok(Layers::read(matches, environment.into_iter(), file)?)
}

/// Warns of a configuration file that every user of the machine may read and that holds secrets.
pub(crate) fn open_secrets(layers: &Layers) -> Option<String> {
    let (name, secrets) = (layers.file()?, layers.secrets());
    let is_open = |about: Metadata| about.is_file() && about.permissions().mode() & 0o004 != 0;
    let is_unsafe = !secrets.is_empty() && std::fs::metadata(name).is_ok_and(is_open);
    let secrets = secrets.join(", ");
    is_unsafe
        .then(|| format!("every user may read the file {name}, which holds secrets ({secrets}): `chmod o-r {name}`"))
}

fn is_there() -> bool {
    std::path::Path::new(JOBS_FILE).exists()
}

/// Whether that file is read because it is there, and not because it was named.
///
/// # Errors
/// A variable that is not UTF-8.
pub(crate) fn is_unnamed(matches: &ArgMatches) -> Result<bool, Failure> {
    Ok(is_there() && Settings::config_file(matches, environment()?.into_iter()).is_none())
}

/// The environment's variables. Those of other programs may hold anything and are read loosely.
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

/// Name and text of the file that is to be read, if any.
fn config_file(matches: &ArgMatches, environment: &[(String, String)]) -> Result<Option<(String, String)>, Failure> {
    let Some((name, place)) = Settings::config_file(matches, environment.iter().cloned()) else {
        return Ok(None);
    };
    text_of(&name, &place.to_string()).map(Some)
}

/// Name and text of a configuration file.
fn text_of(name: &str, place: &str) -> Result<(String, String), Failure> {
    let bytes = input::read(name, MAX_CONFIG_BYTES + 1, place)?;
    let fault = |what: &str, remedy: &str| Failure::usage(what, format!("file {name}"), remedy);
    if bytes.len() as u64 > MAX_CONFIG_BYTES {
        return Err(fault("the file is larger than 1 MiB", "name a configuration file"));
    }
    let text = String::from_utf8(bytes).map_err(|_| fault("the file is not UTF-8", "write it in UTF-8"))?;
    Ok((name.to_owned(), text))
}
