//! Days of service by a fast clock: each due run of each job runs once, and memory stays flat.

use crate::fixture::Fixture;
use jiff::{Timestamp, ToSpan};
use mapwright_service::{Clock, JobRun, Service};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// The factor by which the clock is faster than real time.
const FACTOR: u32 = 1440;
/// The number of jobs. Each crawls its own directory of the site.
const JOBS: usize = if cfg!(feature = "full") { 20 } else { 4 };
/// Simulated hours.
const HOURS: i64 = if cfg!(feature = "full") { 48 } else { 12 };

/// Returns a file in which each job is due every four hours, some minutes after the others.
fn file() -> String {
    let job = |number: usize| {
        format!("[job.site{number}]\nurl = [\"{{site}}/{number}/\"]\ncron = \"{} */4 * * *\"\n", number * 2)
    };
    let jobs: String = (0..JOBS).map(job).collect();
    format!("[serve]\nmax-jobs = 4\n\n{jobs}")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_due_run_runs_once_and_memory_is_flat() {
    let fixture = Fixture::new();
    for number in 0..JOBS {
        let links: String = (0..20).map(|page| format!("<a href=p{page}>{page}</a> ")).collect();
        fixture.site.page(&format!("/{number}/"), format!("<title>Site {number}</title>{links}"));
        for page in 0..20 {
            fixture
                .site
                .page(&format!("/{number}/p{page}"), format!("<title>{number} {page}</title><p>page {page}</p>"));
        }
    }
    let base: Timestamp = "2026-03-28T22:30:00Z".parse().unwrap();
    let ends = base + HOURS.hours();
    let clock = Clock::fast(base, FACTOR);
    let service = Service::new(fixture.config(&file()).unwrap(), fixture.job_store(), clock).unwrap();
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
    let job_store = fixture.job_store();
    for number in 0..JOBS {
        let runs = job_store.runs(&format!("site{number}"), None, 1000).unwrap();
        assert_each_once(&runs, number, base, ends);
    }
    report(&memory);
}

/// Asserts that every due instant, except those of the last half hour, has one run, which is done.
fn assert_each_once(runs: &[JobRun], number: usize, base: Timestamp, ends: Timestamp) {
    let mut outcome: BTreeMap<Timestamp, &str> = BTreeMap::new();
    for job_run in runs {
        assert!(
            outcome.insert(job_run.key.scheduled_for, job_run.state.as_str()).is_none(),
            "{} was kept twice",
            job_run.key.scheduled_for
        );
    }
    let minute = i64::try_from(number * 2).unwrap();
    let mut due = "2026-03-29T00:00:00Z".parse::<Timestamp>().unwrap() + minute.minutes();
    while due < ends - 30.minutes() {
        assert_eq!(outcome.get(&due).copied(), Some("done"), "job {number}, due {due}, since {base}: {outcome:?}");
        due += 4.hours();
    }
}

/// Returns the kilobytes of memory that the process holds.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Asserts that the second half of the time holds little more memory than the first, so that nothing is kept of each
/// run.
fn report(memory: &[u64]) {
    let (first, second) = memory.split_at(memory.len() / 2);
    let peak = |part: &[u64]| part.iter().copied().max().unwrap_or_default();
    println!("memory: at most {} KB in the first half, {} KB in the second", peak(first), peak(second));
    assert!(peak(second) < peak(first) * 5 / 4 + 8_192, "{memory:?}");
}
