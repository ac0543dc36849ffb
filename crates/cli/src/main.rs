//! The command: reads what the user typed, runs one command, and ends with a documented exit code.

mod access;
mod audit;
mod commands;
mod completions;
mod config;
mod crawl;
mod demo;
mod diff;
mod entry;
mod exit;
mod explain;
mod export;
mod failure;
mod input;
mod job;
mod jobs;
mod load;
mod logging;
mod man;
mod notify;
mod open_files;
mod output;
mod params;
mod progress;
mod rejection_streak;
mod reload;
mod resume;
mod robots;
mod runs;
mod serve;
mod signals;
mod site;
mod sitemap;
mod stderr;
mod summary;
mod summary_json;
mod supervisor;
mod terminal_escape;
mod usage;

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A crawl and an audit make many small values on several threads, for which the system's allocator takes longer and
/// leaves larger gaps.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    open_files::allow_all();
    commands::run(std::env::args_os()).into()
}
