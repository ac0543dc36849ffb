//! Simulated years of runs, compared with the text of the policy: the weeks of clock changes, leap days and new year;
//! three years with the feature `full`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod calendar;
mod run_log;
mod world;

use calendar::Hours;
use mapwright_schedule::CatchUp::{None as Never, Once};
use mapwright_schedule::Overlap::{Queue, Skip};
use mapwright_schedule::{ScheduleRule, Timetable};
use world::{Plan, Stage, Tally};

/// Returns jobs in zones whose clocks change in different ways, with windows that overlap.
fn plans() -> Vec<Plan> {
    let hours = |cron, zone, window, jitter| Hours { cron, zone, window, jitter };
    let plan = |name, one, other| Plan { name, rules: [one, other] };
    vec![
        plan(
            "berlin",
            (hours("30 2 * * *", "Europe/Berlin", Some("01:00-05:00"), 0), Skip, Once),
            (hours("30 2 * * *", "Europe/Berlin", Some("01:00-03:00"), 1200), Queue, Never),
        ),
        plan(
            "york",
            (hours("0 0 * * *", "America/New_York", Some("22:00-04:00"), 1800), Queue, Once),
            (hours("0 2,14 * * *", "America/New_York", None, 0), Skip, Never),
        ),
        plan(
            "cairo",
            (hours("15 0 * * *", "Africa/Cairo", Some("00:00-03:30"), 600), Skip, Never),
            (hours("30 23 * * *", "Africa/Cairo", Some("23:00-00:30"), 0), Queue, Once),
        ),
        plan(
            "howe",
            (hours("15 2 * * *", "Australia/Lord_Howe", Some("01:30-02:30"), 300), Queue, Once),
            (hours("45 1 * * 1-5", "Australia/Lord_Howe", Some("01:40-01:50"), 0), Skip, Once),
        ),
        plan(
            "troll",
            (hours("30 1 * * *", "Antarctica/Troll", Some("01:00-02:00"), 0), Skip, Once),
            (hours("*/20 1 * * *", "Antarctica/Troll", None, 60), Queue, Never),
        ),
        plan(
            "beirut",
            (hours("0 0 * * *", "Asia/Beirut", Some("23:30-00:30"), 0), Queue, Never),
            (hours("30 0 * * 0", "Asia/Beirut", None, 86_400), Skip, Once),
        ),
        plan(
            "often",
            (hours("*/30 * * * *", "Europe/London", Some("00:30-06:00"), 90), Skip, Never),
            (hours("0 */2 * * *", "Europe/London", None, 0), Queue, Once),
        ),
        plan(
            "month",
            (hours("0 3 L * *", "UTC", Some("02:00-04:00"), 7000), Skip, Once),
            (hours("0 3 29 2 *", "Asia/Kathmandu", None, 0), Skip, Once),
        ),
    ]
}

fn live(weeks: &[(&str, &str)], lives: u64) -> Tally {
    let mut all = Tally::default();
    for (from, to) in weeks {
        let stage = Stage::new(&plans(), from, to);
        for seed in 0..lives {
            println!("from {from} to {to}, seed {seed}");
            let tally = stage.live(seed);
            println!("{tally:?}");
            all.started += tally.started;
            all.gone_on += tally.gone_on;
            all.halted += tally.halted;
            all.skipped += tally.skipped;
            all.missed += tally.missed;
            all.killed += tally.killed;
            all.slept += tally.slept;
            all.by_hand += tally.by_hand;
            all.changed += tally.changed;
        }
    }
    println!("{all:?}");
    all
}

/// Asserts that every kind of fault occurred, because a simulation without faults proves little.
fn was_hard(tally: &Tally, least: u32) {
    let Tally { started, gone_on, halted, skipped, missed, killed, slept, by_hand, changed } = *tally;
    for (what, times) in [
        ("started", started),
        ("gone on", gone_on),
        ("halted", halted),
        ("skipped", skipped),
        ("missed", missed),
        ("killed", killed),
        ("slept", slept),
        ("by hand", by_hand),
        ("changed", changed),
    ] {
        assert!(times >= least, "{what}: {times} times only");
    }
}

#[test]
fn the_hard_weeks_go_as_the_policy_says() {
    let weeks = [
        ("2026-03-05", "2026-03-11"),
        ("2026-03-26", "2026-04-07"),
        ("2026-04-21", "2026-04-26"),
        ("2026-10-01", "2026-10-06"),
        ("2026-10-22", "2026-11-03"),
        ("2026-12-29", "2027-01-04"),
        ("2028-02-26", "2028-03-02"),
    ];
    was_hard(&live(&weeks, 4), 10);
}

#[cfg(feature = "full")]
#[test]
fn three_years_go_as_the_policy_says() {
    was_hard(&live(&[("2026-01-01", "2029-01-01")], 3), 100);
}

#[test]
fn each_due_instant_of_three_years_occurs_once() {
    let zones = [
        "UTC",
        "Europe/Berlin",
        "Europe/London",
        "America/New_York",
        "Africa/Cairo",
        "Asia/Beirut",
        "Australia/Lord_Howe",
        "Antarctica/Troll",
        "Africa/Casablanca",
        "America/Havana",
        "Asia/Kathmandu",
        "Pacific/Chatham",
    ];
    for zone in zones {
        for cron in ["0 0 * * *", "30 0 * * *", "0 1 * * *", "30 1 * * *", "15 2 * * *", "0 3 * * *", "30 23 * * *"] {
            let jitter = std::time::Duration::from_secs(1200);
            let (overlap, catch_up) = (Skip, Once);
            let timetable =
                Timetable::new(&ScheduleRule { cron: Some(cron), zone, window: None, jitter, overlap, catch_up }, "a")
                    .unwrap();
            let tz = jiff::tz::TimeZone::get(zone).unwrap();
            let first = jiff::civil::date(2026, 1, 1);
            let from = first.to_zoned(tz.clone()).unwrap().timestamp() - jiff::SignedDuration::from_secs(3601);
            let mut date = first;
            for due in timetable.dues(from).skip_while(|due| tz.to_datetime(*due).date() < first).take(1096) {
                assert_eq!(tz.to_datetime(due).date(), date, "{cron} in {zone}: {due}");
                date = date.tomorrow().unwrap();
            }
            assert_eq!(date, jiff::civil::date(2029, 1, 1));
        }
    }
}
