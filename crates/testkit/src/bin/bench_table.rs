//! Prints the runs of a benchmark as Markdown tables.

use std::process::ExitCode;

use mapwright_testkit::bench::{BenchRun, tables};

const USAGE: &str = "usage: bench_table FILE

Reads FILE, one run a line as bench_run writes them, and prints the medians as Markdown: a table for each workload,
and one of the targets that these runs can report about.";

fn main() -> ExitCode {
    match std::env::args().nth(1).ok_or_else(|| USAGE.to_owned()).and_then(|file| read(&file)) {
        Ok(rows) => {
            print!("{}", tables(&rows));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("bench_table: {message}");
            ExitCode::FAILURE
        }
    }
}

fn read(file: &str) -> Result<Vec<BenchRun>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    text.lines().map(str::parse).collect()
}
