//! The command tree, and the function that runs each command.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::stderr::print_stderr;
use crate::{
    audit, completions, config, crawl, demo, diff, explain, export, job, jobs, man, notify, params, resume, robots,
    runs, serve, sitemap, usage,
};
use clap::Command;
use std::ffi::OsString;

/// Every command, in the order of the help.
const COMMANDS: &[Entry] = &[
    crawl::ENTRY,
    audit::ENTRY,
    resume::ENTRY,
    explain::ENTRY,
    params::ENTRY,
    diff::ENTRY,
    runs::ENTRY,
    export::ENTRY,
    serve::ENTRY,
    job::ENTRY,
    jobs::ENTRY,
    notify::ENTRY,
    demo::ENTRY,
    sitemap::ENTRY,
    robots::ENTRY,
    config::ENTRY,
    completions::ENTRY,
    man::ENTRY,
];

/// The complete command tree.
pub(crate) fn tree() -> Command {
    Command::new("mapwright")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Crawl a web site, write sitemaps that can be trusted, and report what is wrong with it")
        .after_help(Exit::help())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .infer_subcommands(false)
        .max_term_width(100)
        .subcommands(COMMANDS.iter().map(|entry| (entry.command)().args_override_self(true)))
}

/// Runs the command that `words` name, the first being the program's name.
pub(crate) fn run(words: impl Iterator<Item = OsString>) -> Exit {
    let words: Vec<OsString> = words.collect();
    if let Err(failure) = usage::readable(words.get(1..).unwrap_or_default()) {
        print_stderr(&failure.to_string());
        return failure.exit;
    }
    let matches = match tree().try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) => return usage::explain(&error),
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Exit::Usage;
    };
    let Some(entry) = COMMANDS.iter().find(|entry| (entry.command)().get_name() == name) else {
        return Exit::Usage;
    };
    entry.run(matches, tree).unwrap_or_else(|failure| {
        print_stderr(&failure.to_string());
        failure.exit
    })
}
