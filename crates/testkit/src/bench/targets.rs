//! The performance targets, compared with the measurements of the same run.

use super::summary::Summary;

const OURS: &str = "mapwright";
/// The plain fetch loop that also decompresses.
const LOOP: &str = "loop, gunzip";
/// Maximum rate of the workload `latency`: requests in flight, divided by the wait before each response.
const IDEAL_RATE: f64 = 64.0 / 0.05;
/// Memory budget in bytes: a fixed part, and one for each known URL.
const MEMORY: f64 = 120e6;
const MEMORY_A_URL: f64 = 40.0;
/// Disk budget in bytes for each known URL and each link.
const DISK_A_URL: f64 = 300.0;
const DISK_A_LINK: f64 = 4.0;

/// A figure with an upper or lower limit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    pub(super) what: String,
    pub(super) bound: String,
    pub(super) measured: String,
    pub(super) kept: bool,
}

impl Target {
    fn at_least(what: String, bound: f64, measured: f64) -> Target {
        Target {
            what, bound: format!("≥ {bound:.2}×"), measured: format!("{measured:.2}×"), kept: measured >= bound
        }
    }

    fn at_most(what: String, bound: f64, measured: f64) -> Target {
        Target {
            what, bound: format!("≤ {bound:.2}×"), measured: format!("{measured:.2}×"), kept: measured <= bound
        }
    }

    fn bytes(what: String, bound: f64, measured: f64) -> Target {
        let megabytes = |bytes: f64| format!("{:.1} MB", bytes / 1e6);
        let (kept, bound, measured) = (measured <= bound, megabytes(bound), megabytes(measured));
        Target { what, bound: format!("≤ {bound}"), measured, kept }
    }
}

/// The targets that these runs have figures for.
pub(super) fn targets(summary: &Summary) -> Vec<Target> {
    let mut targets = Vec::new();
    for workload in summary.workloads() {
        targets.extend(against(summary, workload, LOOP, 1.0));
        match workload {
            "10k" | "100k" => targets.extend(against(summary, workload, "wget2", 2.5)),
            "docs" => targets.extend(against(summary, workload, "spider", 5.0)),
            "latency" => targets.extend(latency(summary)),
            "recrawl" => targets.extend(unchanged_day(summary)),
            "1m" => targets.extend(growth(summary).into_iter().chain(memory(summary))),
            _ => {}
        }
        targets.extend(disk(summary, workload));
        targets.extend(exact(summary, workload));
    }
    targets
}

/// Pages per CPU-second, as a multiple of another tool's.
fn against(summary: &Summary, workload: &str, other: &str, bound: f64) -> Option<Target> {
    let ratio = summary.cpu_per_page(workload, other)? / summary.cpu_per_page(workload, OURS)?;
    Some(Target::at_least(format!("{workload}: pages per CPU-second against {other}"), bound, ratio))
}

/// Rates of the entire run, from start to exit. There are fewer pages than requests, because some of the site's links
/// lead elsewhere, and those occupy places in flight as well.
fn latency(summary: &Summary) -> Vec<Target> {
    let against = |figure| {
        let rate = summary.rate("latency", OURS, figure)?;
        Some(Target::at_least(format!("latency: {figure}/s against 64 / 50 ms"), 0.97, rate / IDEAL_RATE))
    };
    ["pages", "requests"].into_iter().filter_map(against).collect()
}

fn growth(summary: &Summary) -> Option<Target> {
    let ratio = summary.cpu_per_page("1m", OURS)? / summary.cpu_per_page("10k", OURS)?;
    Some(Target::at_most("1m: CPU of a page against 10k".to_owned(), 1.15, ratio))
}

fn unchanged_day(summary: &Summary) -> Option<Target> {
    let bytes = summary.median("recrawl", OURS, "bytes")? / summary.median("recrawl", "mapwright, first", "bytes")?;
    Some(Target::at_most("recrawl: bytes against the first crawl's".to_owned(), 0.10, bytes))
}

fn memory(summary: &Summary) -> Option<Target> {
    let known = summary.median("1m", OURS, "known")?;
    let peak = summary.median("1m", OURS, "peak")?;
    let what = "1m: peak memory, 120 MB + 40 B per known URL".to_owned();
    Some(Target::bytes(what, MEMORY + MEMORY_A_URL * known, peak))
}

fn disk(summary: &Summary, workload: &str) -> Option<Target> {
    let figure = |name| summary.median(workload, OURS, name);
    let bound = DISK_A_URL * figure("known")? + DISK_A_LINK * figure("links")?;
    let what = format!("{workload}: disk, 300 B per known URL + 4 B per link");
    Some(Target::bytes(what, bound, figure("disk")?))
}

/// Compares the sitemap with the expected one, in the worst of all runs.
fn exact(summary: &Summary, workload: &str) -> Option<Target> {
    let lowest = summary.runs(workload, OURS, "found").first()?;
    let wanted = summary.median(workload, OURS, "wanted")?;
    let junk = summary.runs(workload, OURS, "junk").last()?;
    Some(Target {
        what: format!("{workload}: the sitemap is the truth"),
        bound: "all, no junk".to_owned(),
        measured: format!("{lowest:.0} of {wanted:.0}, junk {junk:.0}"),
        kept: *lowest >= wanted && *junk <= 0.0,
    })
}

#[cfg(test)]
mod tests;
