//! A configuration file with one job.

use crate::crawl;
use crate::failure::Failure;
use clap::Command;
use mapwright_service::ServiceConfig;
use mapwright_settings::{CommandKind, Layers, arguments, example_file};
use std::path::Path;

/// Returns a checked file with one job: its name, its start URL, and its schedule. With `all`, every option follows as
/// a comment.
///
/// # Errors
/// When one of the values is invalid.
pub(super) fn file_of(name: &str, url: &str, cron: &str, all: bool) -> Result<String, Failure> {
    let is_bare = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let table = if is_bare { name.to_owned() } else { quoted_text(name) };
    let (url, cron) = (quoted_text(url), quoted_text(cron));
    let text = format!(
        "# One job. `mapwright config check` reads this file, `mapwright run {name}` runs the job once, `mapwright serve` on\n\
         # schedule. Every option: `mapwright config init --all -`.\n\n\
         [job.{table}]\n\
         url = [{url}]\n\
         cron = {cron}    # minute, hour, day of the month, month, day of the week\n\n\
         [job.{table}.output]\n\
         out = {}    # a directory that a web server serves\n\n\
         # [notify]\n\
         # to = [\"mailto:you@example.com\"]    # of what changed; needs smtp-host and mail-from\n",
        quoted_text(&format!("sitemaps/{name}")),
    );
    let text = if all { format!("{text}\n{}", example_file()) } else { text };
    check(&text)?;
    Ok(text)
}

/// Quotes a text as a basic string of TOML, which has the same form as a JSON string.
fn quoted_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Reads the file as `serve` would.
fn check(text: &str) -> Result<(), Failure> {
    let none = Command::new("mapwright").args(arguments(CommandKind::Config)).no_binary_name(true);
    let matches = none.get_matches_from(std::iter::empty::<String>());
    let layers = Layers::read(&matches, std::iter::empty(), Some(("mapwright.toml", text)))?;
    ServiceConfig::for_service(&layers, Path::new("."), crawl::read).map(drop)?;
    Ok(())
}
