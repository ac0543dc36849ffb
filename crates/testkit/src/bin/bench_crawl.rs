//! Runs a crawl of the benchmark's site, and prints its cost and result as a Markdown table.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use mapwright_testkit::bench::{Scorecard, SitePlan};
use mapwright_testkit::{process, read_listed};

const USAGE: &str = "usage: bench_crawl --base URL --out DIR [--pages N] [--seed N] -- COMMAND [ARGUMENT…]

Runs COMMAND, which crawls the site of bench_site at URL and writes its sitemap into DIR; then prints its speed, CPU
time and peak memory, and judges the sitemap against the truth. Ends with 1 where the two differ or COMMAND failed.";

struct Arguments {
    base: String,
    out: PathBuf,
    plan: SitePlan,
    command: Command,
}

fn main() -> ExitCode {
    let mut arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("bench_crawl: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match judge(&mut arguments) {
        Ok(card) => {
            println!("{card}");
            let fine = card.is_exact() && card.cost.status.success();
            if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("bench_crawl: {error}");
            ExitCode::FAILURE
        }
    }
}

fn judge(arguments: &mut Arguments) -> std::io::Result<Scorecard> {
    // The expected sitemap is computed after the run: memory in use at the fork would count as the command's.
    let cost = process::measure(&mut arguments.command)?;
    let listed = match read_listed(&arguments.out) {
        Ok(listed) => listed,
        Err(error) => {
            eprintln!("bench_crawl: the crawl left no sitemap: {error}");
            Vec::new()
        }
    };
    Ok(Scorecard::new(&arguments.plan, &arguments.base, &listed, cost))
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let (mut base, mut out, mut pages, mut seed) = (None, None, 100_000, 1);
    loop {
        let flag = words.next().ok_or("no command: put it after --")?;
        if flag == "--" {
            break;
        }
        let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{flag} {value}: not a number"));
        match flag.as_str() {
            "--pages" => pages = number()?,
            "--seed" => seed = number()?,
            "--base" => base = Some(value),
            "--out" => out = Some(PathBuf::from(value)),
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    let mut command = Command::new(words.next().ok_or("no command after --")?);
    command.args(words);
    Ok(Arguments {
        base: base.ok_or("--base is missing")?,
        out: out.ok_or("--out is missing")?,
        plan: SitePlan::new(pages, seed),
        command,
    })
}
