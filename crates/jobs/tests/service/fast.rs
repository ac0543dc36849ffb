//! Days of service by a fast clock: each night of each job runs once, and memory stays flat.

use crate::desk::Desk;
use jiff::{Timestamp, ToSpan};
use mapwright_jobs::service::{Clock, JobRun, Nightly};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// How much faster than the real one the clock goes.
const FACTOR: u32 = 1440;
/// Jobs, each a site's directory of its own.
const JOBS: usize = if cfg!(feature = "full") { 20 } else { 4 };
/// Simulated hours.
const HOURS: i64 = if cfg!(feature = "full") { 48 } else { 12 };

/// A file in which each job is due every four hours, some minutes after the others.
fn file() -> String {
    let job = |number: usize| {
        format!("[job.site{number}]\nurl = [\"{{site}}/{number}/\"]\ncron = \"{} */4 * * *\"\n", number * 2)
    };
    let jobs: String = (0..JOBS).map(job).collect();
    format!("[serve]\nmax-jobs = 4\n\n{jobs}")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_night_runs_once_and_memory_is_flat() {
    let desk = Desk::new();
    for number in 0..JOBS {
        let links: String = (0..20).map(|page| format!("<a href=p{page}>{page}</a> ")).collect();
        desk.site.page(&format!("/{number}/"), format!("<title>Site {number}</title>{links}"));
        for page in 0..20 {
            desk.site.page(&format!("/{number}/p{page}"), format!("<title>{number} {page}</title><p>page {page}</p>"));
        }
    }
    let base: Timestamp = "2026-03-28T22:30:00Z".parse().unwrap();
    let ends = base + HOURS.hours();
    let clock = Clock::fast(base, FACTOR);
    let service = Nightly::new(desk.orders(&file()).unwrap(), desk.ledger(), clock).unwrap();
    let stop = CancellationToken::new();
    let (runs, token) = (service.clone(), stop.clone());
    let task = tokio::spawn(async move { runs.run(token).await });
    let mut memory = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(600);
    while clock.now() < ends && Instant::now() < deadline {
        memory.push(resident());
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    stop.cancel();
    task.await.unwrap().unwrap();
    let ledger = desk.ledger();
    for number in 0..JOBS {
        let nights = ledger.runs(&format!("site{number}"), None, 1000).unwrap();
        assert_each_once(&nights, number, base, ends);
    }
    tell(&memory);
}

/// Every due instant but those of the last half hour was kept, once and well.
fn assert_each_once(nights: &[JobRun], number: usize, base: Timestamp, ends: Timestamp) {
    let mut kept: BTreeMap<Timestamp, &str> = BTreeMap::new();
    for night in nights {
        assert!(kept.insert(night.due, night.outcome.as_str()).is_none(), "{} was kept twice", night.due);
    }
    let minute = i64::try_from(number * 2).unwrap();
    let mut due = "2026-03-29T00:00:00Z".parse::<Timestamp>().unwrap() + minute.minutes();
    while due < ends - 30.minutes() {
        assert_eq!(kept.get(&due).copied(), Some("done"), "job {number}, due {due}, since {base}: {kept:?}");
        due += 4.hours();
    }
}

/// Kilobytes of memory that the process holds.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// The second half of the time holds little more than the first: what is kept of each night would show.
fn tell(memory: &[u64]) {
    let (first, second) = memory.split_at(memory.len() / 2);
    let peak = |part: &[u64]| part.iter().copied().max().unwrap_or_default();
    println!("memory: at most {} KB in the first half, {} KB in the second", peak(first), peak(second));
    assert!(peak(second) < peak(first) * 5 / 4 + 8_192, "{memory:?}");
}
