//! The benchmark's site as a process of its own.

use std::io::{self, Write};
use std::net::TcpListener;
use std::process::ExitCode;
use std::time::Duration;

use mapwright_testkit::bench::{Origins, PageGenerator, ServerOptions, SitePlan, serve};

const USAGE: &str = "usage: bench_site [--pages N] [--seed N] [--origins N] [--listen ADDRESS:PORT] [--threads N]
                  [--latency-ms N]
       bench_site --starts|--truth|--fetched BASE [--pages N] [--seed N] [--origins N]

Serves N generated pages (default 100000) until it is ended, and prints its base URL in one line once it accepts
connections. With --origins it serves them at each of N loopback addresses; the URL printed is the first one's.

Of such a site at BASE, --starts prints the home pages, --truth the URLs that belong in the sitemap, sorted, and
--fetched those that a crawl by the rules gets with status 200; then it ends.";

enum Task {
    Serve,
    Starts(String),
    Truth(String),
    Fetched(String),
}

struct Arguments {
    plan: (u64, u64),
    origins: u64,
    listen: String,
    threads: usize,
    latency: Duration,
    task: Task,
}

fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("bench_site: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_site: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> io::Result<()> {
    let plan = SitePlan::new(arguments.plan.0, arguments.plan.1);
    let origins = Origins::new(arguments.origins);
    match &arguments.task {
        Task::Serve => {}
        Task::Starts(base) => return print(base, origins, |base| vec![format!("{base}/")]),
        Task::Truth(base) => return print(base, origins, |base| plan.expected_sitemap(base)),
        Task::Fetched(base) => return print(base, origins, |base| plan.fetched(base)),
    }
    let press = PageGenerator::new(plan);
    press.warm();
    let listener = TcpListener::bind(&arguments.listen)?;
    let address = listener.local_addr()?;
    println!("{}", origins.bases(&format!("http://{address}")).first().cloned().unwrap_or_default());
    serve(listener, press, ServerOptions { threads: arguments.threads, latency: arguments.latency, origins })
}

/// Prints the same list for every origin: the first URL of each, then the second of each, so that fetching in this
/// order spreads the requests over the origins.
fn print(base: &str, origins: Origins, urls: impl Fn(&str) -> Vec<String>) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut lists: Vec<_> = origins.bases(base).iter().map(|base| urls(base).into_iter()).collect();
    let mut left = true;
    while left {
        left = false;
        for url in lists.iter_mut().filter_map(Iterator::next) {
            writeln!(out, "{url}")?;
            left = true;
        }
    }
    out.flush()
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        plan: (100_000, 1),
        origins: 1,
        listen: String::new(),
        threads: 1,
        latency: Duration::ZERO,
        task: Task::Serve,
    };
    while let Some(flag) = words.next() {
        let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{flag} {value}: not a number"));
        match flag.as_str() {
            "--pages" => arguments.plan.0 = number()?,
            "--seed" => arguments.plan.1 = number()?,
            "--origins" => arguments.origins = number()?,
            "--threads" => arguments.threads = usize::try_from(number()?).map_err(|error| error.to_string())?,
            "--latency-ms" => arguments.latency = Duration::from_millis(number()?),
            "--listen" => arguments.listen = value,
            "--starts" => arguments.task = Task::Starts(value),
            "--truth" => arguments.task = Task::Truth(value),
            "--fetched" => arguments.task = Task::Fetched(value),
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    if arguments.listen.is_empty() {
        // With many origins, each has its own loopback address.
        arguments.listen = if arguments.origins > 1 { "0.0.0.0:0" } else { "127.0.0.1:0" }.to_owned();
    }
    Ok(arguments)
}
