//! Runs any crawler, and prints its cost and the pages it fetched in one line.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use mapwright_testkit::bench::{BenchRun, LINKS, Origins, Served, SitePlan};
use mapwright_testkit::process::{self, ProcessCost};
use mapwright_testkit::read_listed;

const USAGE: &str = "usage: bench_run --workload NAME --tool NAME --printed FILE [--site BASE [--pages N] [--seed N]
                  [--origins N] [--sitemap DIR --state DIR]] -- COMMAND [ARGUMENT…]

Runs COMMAND, with what it prints going to FILE, and prints a row for bench_table. With --site it queries bench_site at
BASE what was fetched, and holds that against the truth; with --sitemap the sitemap in DIR is held against it
instead, and what --state holds is measured. Ends with 1 where COMMAND failed; one that timeout(1) ended did not fail, but its row says that it was cut.";

/// Exit codes of timeout(1) after it ended the command: by the first signal, or by the one that cannot be ignored.
const TIMED_OUT: [i32; 2] = [124, 137];

struct Arguments {
    workload: String,
    tool: String,
    printed: PathBuf,
    site: Option<String>,
    pages: u64,
    seed: u64,
    origins: u64,
    sitemap: Option<PathBuf>,
    state: Option<PathBuf>,
    command: Command,
}

fn main() -> ExitCode {
    let mut arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("bench_run: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&mut arguments) {
        Ok((row, true)) => {
            println!("{row}");
            ExitCode::SUCCESS
        }
        Ok((row, false)) => {
            println!("{row}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("bench_run: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns the row, and whether the command succeeded.
fn run(arguments: &mut Arguments) -> io::Result<(BenchRun, bool)> {
    let printed = File::create(&arguments.printed)?;
    arguments.command.stdin(Stdio::null()).stdout(printed.try_clone()?).stderr(printed);
    if let Some(base) = &arguments.site {
        // Discards the counts of earlier runs.
        Served::take(base)?;
    }
    let cost = process::measure(&mut arguments.command)?;
    let mut row = BenchRun::new(&arguments.workload, &arguments.tool);
    spent(&cost, &mut row);
    if let Some(base) = &arguments.site {
        fetched(arguments, base, &mut row)?;
    }
    let cut = cost.status.code().is_some_and(|code| TIMED_OUT.contains(&code));
    row.set("cut", f64::from(u8::from(cut)));
    Ok((row, cut || cost.status.success()))
}

fn spent(cost: &ProcessCost, row: &mut BenchRun) {
    row.set("wall", cost.wall.as_secs_f64());
    row.set("cpu", cost.cpu().as_secs_f64());
    row.set("user", cost.user.as_secs_f64());
    row.set("peak", cost.peak_memory as f64);
}

/// Adds what the site counted, compared with the expected sitemap.
fn fetched(arguments: &Arguments, base: &str, row: &mut BenchRun) -> io::Result<()> {
    let served = Served::take(base)?;
    let plan = SitePlan::new(arguments.pages, arguments.seed);
    let bases = Origins::new(arguments.origins).bases(base);
    row.set("requests", served.requests as f64);
    row.set("bytes", served.bytes as f64);
    row.set("pages", served.pages as f64);
    row.set("site_cpu", served.micros as f64 / 1e6);
    if let Some(state) = &arguments.state {
        row.set("known", (plan.addresses() * bases.len() as u64) as f64);
        row.set("links", served.pages as f64 * LINKS as f64);
        row.set("disk", size(state)? as f64);
    }
    let Some(directory) = &arguments.sitemap else {
        row.set("wanted", (plan.expected_sitemap("").len() * bases.len()) as f64);
        row.set("found", served.belonging as f64);
        row.set("junk", (served.pages - served.belonging) as f64);
        return Ok(());
    };
    // A crawl that published nothing has found nothing.
    let listed = read_listed(directory).unwrap_or_else(|error| {
        eprintln!("bench_run: no sitemap: {error}");
        Vec::new()
    });
    let truth: HashSet<String> = bases.iter().flat_map(|base| plan.expected_sitemap(base)).collect();
    let found: HashSet<&String> = listed.iter().filter(|url| truth.contains(*url)).collect();
    row.set("wanted", truth.len() as f64);
    row.set("found", found.len() as f64);
    row.set("junk", (listed.len() - found.len()) as f64);
    Ok(())
}

/// The total size of the files in a directory without subdirectories, in bytes.
fn size(directory: &Path) -> io::Result<u64> {
    std::fs::read_dir(directory)?.try_fold(0, |sum, entry| Ok(sum + entry?.metadata()?.len()))
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        workload: String::new(),
        tool: String::new(),
        printed: PathBuf::new(),
        site: None,
        pages: 100_000,
        seed: 1,
        origins: 1,
        sitemap: None,
        state: None,
        command: Command::new(""),
    };
    loop {
        let flag = words.next().ok_or("no command: put it after --")?;
        if flag == "--" {
            break;
        }
        let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{flag} {value}: not a number"));
        match flag.as_str() {
            "--workload" => arguments.workload = value,
            "--tool" => arguments.tool = value,
            "--printed" => arguments.printed = PathBuf::from(value),
            "--site" => arguments.site = Some(value),
            "--pages" => arguments.pages = number()?,
            "--seed" => arguments.seed = number()?,
            "--origins" => arguments.origins = number()?,
            "--state" => arguments.state = Some(PathBuf::from(value)),
            "--sitemap" => arguments.sitemap = Some(PathBuf::from(value)),
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    arguments.command = Command::new(words.next().ok_or("no command after --")?);
    arguments.command.args(words);
    Ok(arguments)
}
