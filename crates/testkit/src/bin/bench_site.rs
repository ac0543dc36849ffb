//! The benchmark's site as a process of its own.

use std::io::{self, Write};
use std::net::TcpListener;
use std::process::ExitCode;
use std::time::Duration;

use mapwright_testkit::bench::{Plan, Press, ServerOptions, serve};

const USAGE: &str = "usage: bench_site [--pages N] [--seed N] [--listen ADDRESS:PORT] [--threads N] [--latency-ms N]
       bench_site --truth BASE [--pages N] [--seed N]

Serves N generated pages (default 100000) until it is ended, and prints its base URL in one line once it accepts
connections. With --truth it prints the URLs that belong in the sitemap of such a site at BASE, sorted, and ends.";

struct Arguments {
    pages: u64,
    seed: u64,
    listen: String,
    threads: usize,
    latency: Duration,
    truth: Option<String>,
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
    let plan = Plan::new(arguments.pages, arguments.seed);
    if let Some(base) = arguments.truth {
        let mut out = io::BufWriter::new(io::stdout().lock());
        for url in plan.truth(&base) {
            writeln!(out, "{url}")?;
        }
        return out.flush();
    }
    let press = Press::new(plan);
    let listener = TcpListener::bind(&arguments.listen)?;
    println!("http://{}", listener.local_addr()?);
    serve(listener, press, ServerOptions { threads: arguments.threads, latency: arguments.latency })
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        pages: 100_000,
        seed: 1,
        listen: "127.0.0.1:0".to_owned(),
        threads: 1,
        latency: Duration::ZERO,
        truth: None,
    };
    while let Some(flag) = words.next() {
        let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{flag} {value}: not a number"));
        match flag.as_str() {
            "--pages" => arguments.pages = number()?,
            "--seed" => arguments.seed = number()?,
            "--threads" => arguments.threads = usize::try_from(number()?).map_err(|error| error.to_string())?,
            "--latency-ms" => arguments.latency = Duration::from_millis(number()?),
            "--listen" => arguments.listen = value,
            "--truth" => arguments.truth = Some(value),
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    Ok(arguments)
}
