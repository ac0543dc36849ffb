//! Measures how soon a cut run resumes, and its memory.

use std::io::{self, BufRead};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use mapwright_testkit::{FakeSite, Response, process};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

const USAGE: &str = "usage: bench_resume --count N -- COMMAND [ARGUMENT…]

Serves a site, prints its base URL in one line, and waits for a line of input. Then runs COMMAND, which goes on with a
crawl of that site of which N URLs are known, twice: it is killed at its first request for a page, and the second time
interrupted there. Prints rows of a Markdown table: figure, value, budget. Ends with 1 where a budget is exceeded.
What COMMAND prints as its result is not shown.";

/// Longest wait for the first request.
const PATIENCE: Duration = Duration::from_secs(600);
/// Interval of the check whether the command has ended by itself.
const LOOK: Duration = Duration::from_secs(1);
/// The budgets: seconds to the first page; memory in bytes, a fixed part and one for each known URL.
const SECONDS: f64 = 15.0;
const MEMORY: u64 = 120_000_000;
const MEMORY_A_URL: u64 = 40;

fn main() -> ExitCode {
    let (count, mut command) = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("bench_resume: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match bench(count, &mut command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench_resume: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the benchmark; returns whether all budgets are met.
fn bench(count: u64, command: &mut Command) -> io::Result<bool> {
    let site = FakeSite::open();
    let (send, pages) = channel();
    site.robots("User-agent: *\nAllow: /\n").handler("/*", move |request| {
        // After the first page the receiver is gone.
        let _ = send.send(request.at);
        Response::html("<title>A page</title><p>As it was.")
    });
    println!("{}", site.base());
    io::stdin().lock().read_line(&mut String::new())?;

    let killed = go_on(command, &site, &pages, Child::kill)?;
    let until_first = Spent::by_children()?;
    let interrupted = go_on(command, &site, &pages, |child| process::interrupt(child))?;
    let budget = (MEMORY + MEMORY_A_URL * count) as f64 / 1e6;
    println!("| to the request for robots.txt, first run | {:.2} s | |", killed.robots);
    println!("| to the first page, first run | {:.2} s | {SECONDS} s |", killed.page);
    println!("| to the first page, second run | {:.2} s | {SECONDS} s |", interrupted.page);
    let complete = Spent::by_children()?;
    println!("| processor time until then, first run | {:.1} s | |", until_first.cpu);
    println!("| peak memory to the first page | {:.0} MB | {budget:.0} MB |", until_first.peak_memory);
    println!("| peak memory, the end after SIGINT included | {:.0} MB | {budget:.0} MB |", complete.peak_memory);
    println!("| from SIGINT to the end | {:.1} s | |", interrupted.end);
    println!("| exit after SIGINT | {} | |", interrupted.status);
    Ok(killed.page.max(interrupted.page) <= SECONDS && complete.peak_memory <= budget)
}

/// A run, in seconds.
struct Run {
    /// Time to the request for robots.txt.
    robots: f64,
    /// Time to the first request for a page.
    page: f64,
    /// Time from the signal to the end.
    end: f64,
    status: ExitStatus,
}

fn go_on(
    command: &mut Command,
    site: &FakeSite,
    pages: &Receiver<Instant>,
    stop: impl FnOnce(&mut Child) -> io::Result<()>,
) -> io::Result<Run> {
    while pages.try_recv().is_ok() {}
    let start = Instant::now();
    let mut child = command.spawn()?;
    let page = first(pages, &mut child, start)?;
    stop(&mut child)?;
    let stopped = Instant::now();
    let status = child.wait()?;
    let robots = site.requests_for("/robots.txt").iter().map(|request| request.at).find(|at| *at >= start);
    let seconds = |at: Instant| at.duration_since(start).as_secs_f64();
    Ok(Run {
        robots: robots.map_or(f64::NAN, seconds),
        page: seconds(page),
        end: stopped.elapsed().as_secs_f64(),
        status,
    })
}

/// The time of the first request for a page.
fn first(pages: &Receiver<Instant>, child: &mut Child, start: Instant) -> io::Result<Instant> {
    loop {
        match pages.recv_timeout(LOOK) {
            Ok(at) => return Ok(at),
            Err(RecvTimeoutError::Timeout) if start.elapsed() < PATIENCE => {}
            Err(error) => {
                child.kill()?;
                return Err(io::Error::other(format!("no page was requested: {error}")));
            }
        }
        if let Some(status) = child.try_wait()? {
            return Err(io::Error::other(format!("the command ended before it requested a page: {status}")));
        }
    }
}

/// The resources of ended child processes.
struct Spent {
    /// CPU time of all, in seconds.
    cpu: f64,
    /// Peak memory of one of them, in MB.
    peak_memory: f64,
}

impl Spent {
    fn by_children() -> io::Result<Self> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        // Linux counts memory in KiB.
        Ok(Self { cpu: micros as f64 / 1e6, peak_memory: usage.max_rss() as f64 * 1024.0 / 1e6 })
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<(u64, Command), String> {
    let mut count = None;
    loop {
        let flag = words.next().ok_or("no command: put it after --")?;
        if flag == "--" {
            break;
        }
        let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
        match flag.as_str() {
            "--count" => count = Some(value.parse().map_err(|_| format!("--count {value}: not a number"))?),
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    let mut command = Command::new(words.next().ok_or("no command after --")?);
    command.args(words).stdout(Stdio::null());
    Ok((count.ok_or("--count is missing")?, command))
}
