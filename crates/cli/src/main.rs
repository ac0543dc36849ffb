//! The command: reads what the user typed, runs one command, and ends with a documented exit code.

mod commands;
mod completions;
mod config;
mod crawl;
mod demo;
mod diff;
mod exit;
mod explain;
mod export;
mod failure;
mod input;
mod load;
mod logging;
mod man;
mod output;
mod progress;
mod resume;
mod robots;
mod runs;
mod signals;
mod site;
mod sitemap;
mod summary;
mod summary_json;
mod terminal;
mod time;
mod usage;

use std::process::ExitCode;

/// Ours instead of the system's: pages are many short-lived pieces of memory, which it hands out in a third of the time,
/// and gives back what a large crawl took.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    commands::run(std::env::args_os()).into()
}
