//! A simulated week of 200 jobs with two slots. Ten sites never answer, and ten are so slow that a night does not
//! suffice. Every other job is expected to run each night within its window.
#![allow(clippy::unwrap_used, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use jiff::Timestamp;
use mapwright_schedule::{Agenda, CatchUp, Decision, Overlap, RunEnd, ScheduleRule, Timetable};
use std::collections::BTreeMap;
use std::time::Duration;

const JOBS: usize = 200;
const DAYS: usize = 7;
const PLACES: usize = 2;
/// Seconds that a run works or waits before it is known to wait for its site.
const JUDGED: i64 = 60;

/// The behaviour of a job's site.
#[derive(Clone, Copy, PartialEq)]
enum Site {
    /// Its crawl takes this many seconds of work.
    Good(i64),
    /// Each request times out; the crawl fails after this many seconds.
    Silent(i64),
    /// It answers a page a minute: the run lasts until its window closes, and is resumed the next night.
    Slow,
}

fn site(job: usize) -> Site {
    match job % 20 {
        0 => Site::Silent(420),
        1 => Site::Slow,
        _ => Site::Good(30 + (job as i64 * 37) % 180),
    }
}

struct Run {
    due: Timestamp,
    began: Timestamp,
    ends: Option<Timestamp>,
}

#[derive(Default)]
struct Totals {
    /// Runs of good jobs that began and ended within the window.
    kept: usize,
    /// Due instants of good jobs for which no run began.
    skipped: usize,
    longest_wait: i64,
}

/// Simulates the week. `gives_up`: a run that waits for its site releases its slot.
fn week(gives_up: bool) -> Totals {
    let from: Timestamp = "2026-11-01T12:00:00Z".parse().unwrap();
    let until = later(from, DAYS as i64 * 86_400);
    let mut agenda = Agenda::new(PLACES);
    for job in 0..JOBS {
        // All jobs are due within the first two hours of a window of five.
        let cron = format!("{} {} * * *", job % 60, 1 + job / 60 % 2);
        let rule = ScheduleRule {
            cron: Some(&cron),
            zone: "UTC",
            window: Some("01:00-06:00"),
            jitter: Duration::ZERO,
            overlap: Overlap::Skip,
            catch_up: CatchUp::Once,
        };
        agenda.set(&name(job), Timetable::new(&rule, &name(job)).unwrap(), None, from);
    }
    let (mut now, mut runs, mut totals) = (from, BTreeMap::<usize, Run>::new(), Totals::default());
    while now < until {
        for (job, run) in &runs {
            let waits = !matches!(site(*job), Site::Good(_));
            agenda.waits_for_site(&name(*job), gives_up && waits && now >= later(run.began, JUDGED));
        }
        for decision in agenda.at(now) {
            match decision {
                Decision::Start { job, due, .. } => {
                    let job = number(&job);
                    let ends = match site(job) {
                        Site::Good(takes) | Site::Silent(takes) => Some(later(now, takes)),
                        Site::Slow => None,
                    };
                    runs.insert(job, Run { due, began: now, ends });
                }
                Decision::Halt { job } => {
                    let run = runs.remove(&number(&job));
                    assert!(run.is_some());
                    agenda.ended(&job, RunEnd::Cut, now);
                }
                Decision::Skipped { job, .. } | Decision::Missed { job, .. } => {
                    totals.skipped += usize::from(matches!(site(number(&job)), Site::Good(_)));
                }
            }
        }
        let over: Vec<usize> = runs.iter().filter(|(_, run)| run.ends == Some(now)).map(|(job, _)| *job).collect();
        for job in over {
            let Some(run) = runs.remove(&job) else { continue };
            let is_good = matches!(site(job), Site::Good(_));
            agenda.ended(&name(job), if is_good { RunEnd::Done } else { RunEnd::Failed }, now);
            if is_good {
                totals.kept += 1;
                totals.longest_wait = totals.longest_wait.max(run.began.duration_since(run.due).as_secs());
            }
        }
        let ends = runs.iter().filter_map(|(job, run)| {
            let judged = later(run.began, JUDGED);
            let waits = gives_up && !matches!(site(*job), Site::Good(_)) && judged > now;
            [run.ends, waits.then_some(judged)].into_iter().flatten().min()
        });
        let next = ends.chain(agenda.wakes_at(now)).min().unwrap_or(until);
        now = next.max(later(now, 1));
    }
    totals
}

fn later(at: Timestamp, seconds: i64) -> Timestamp {
    at + Duration::from_secs(seconds.unsigned_abs())
}

fn name(job: usize) -> String {
    format!("job-{job:03}")
}

fn number(name: &str) -> usize {
    name.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap()
}

#[test]
fn every_job_at_a_responsive_site_runs_each_night_whatever_others_wait_for() {
    let good = (0..JOBS).filter(|job| matches!(site(*job), Site::Good(_))).count();
    assert_eq!(good, 180);
    let (with, without) = (week(true), week(false));
    println!(
        "{} of {} runs done, {} skipped, longest wait {} min; if slots were not given up: {} done, {} skipped, {} min",
        with.kept,
        good * DAYS,
        with.skipped,
        with.longest_wait / 60,
        without.kept,
        without.skipped,
        without.longest_wait / 60
    );
    // A run that its window interrupts does not count.
    assert_eq!((with.kept, with.skipped), (good * DAYS, 0));
    assert!(without.kept < good * DAYS, "the week would be no test");
}
