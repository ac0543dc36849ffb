//! Tests of the agenda over simulated days.

use super::*;
use crate::rule::{CatchUp, Overlap, ScheduleRule};
use std::time::Duration;

fn at(text: &str) -> Timestamp {
    format!("2026-{text}Z").parse().unwrap()
}

fn rule(window: Option<&'static str>) -> ScheduleRule<'static> {
    let (overlap, catch_up) = (Overlap::Skip, CatchUp::Once);
    ScheduleRule { cron: Some("0 2 * * *"), zone: "UTC", window, jitter: Duration::ZERO, overlap, catch_up }
}

fn timetable(rule: &ScheduleRule<'_>) -> Timetable {
    Timetable::new(rule, "docs").unwrap()
}

/// Returns an agenda with the job `docs`, added at noon of the first of June.
fn agenda(rule: &ScheduleRule<'_>) -> Agenda {
    let mut agenda = Agenda::new(1);
    agenda.set("docs", timetable(rule), None, at("06-01T12:00"));
    agenda
}

/// Asserts the decisions at an instant, in short form.
#[track_caller]
fn expect(agenda: &mut Agenda, now: &str, said: &[&str]) {
    let decisions: Vec<String> = agenda.at(at(now)).into_iter().map(brief).collect();
    assert_eq!(decisions, said, "at {now}");
}

fn brief(decision: Decision) -> String {
    let day = |due: Timestamp| due.strftime("%d").to_string();
    match decision {
        Decision::Start { job, due, resumes: false } => format!("{job}: start {}", day(due)),
        Decision::Start { job, due, resumes: true } => format!("{job}: go on with {}", day(due)),
        Decision::Halt { job } => format!("{job}: halt"),
        Decision::Skipped { job, due, reason } => format!("{job}: skipped {} {reason:?}", day(due)),
        Decision::Missed { job, due, reason } => format!("{job}: missed {} {reason:?}", day(due)),
    }
}

/// Restarts the service later, with the stored schedule state.
fn restarted(agenda: &Agenda, rule: &ScheduleRule<'_>, now: &str) -> Agenda {
    let kept = serde_json::to_string(agenda.schedule_state("docs").unwrap()).unwrap();
    let mut fresh = Agenda::new(1);
    fresh.set("docs", timetable(rule), Some(serde_json::from_str(&kept).unwrap()), at(now));
    fresh
}

#[test]
fn a_run_begins_when_it_is_due() {
    let mut agenda = agenda(&rule(None));
    assert_eq!(agenda.wakes_at(at("06-01T12:00")), Some(at("06-02T02:00")));
    assert_eq!(agenda.next("docs", at("06-01T12:00")), Some(at("06-02T02:00")));
    expect(&mut agenda, "06-02T01:59:59", &[]);
    expect(&mut agenda, "06-02T02:00", &["docs: start 02"]);
    expect(&mut agenda, "06-02T02:00", &[]);
    agenda.ended("docs", RunEnd::Done, at("06-02T03:00"));
    expect(&mut agenda, "06-02T03:00", &[]);
    assert_eq!(agenda.wakes_at(at("06-02T03:00")), Some(at("06-03T02:00")));
}

#[test]
fn a_run_that_outlasts_its_window_goes_on_in_the_next() {
    let mut agenda = agenda(&rule(Some("01:00-05:00")));
    expect(&mut agenda, "06-02T02:00", &["docs: start 02"]);
    assert_eq!(agenda.wakes_at(at("06-02T02:00")), Some(at("06-02T05:00")));
    expect(&mut agenda, "06-02T05:00", &["docs: halt"]);
    expect(&mut agenda, "06-02T05:01", &[]);
    agenda.ended("docs", RunEnd::Cut, at("06-02T05:02"));
    expect(&mut agenda, "06-02T05:02", &[]);
    assert_eq!(agenda.next("docs", at("06-02T05:02")), Some(at("06-03T01:00")));
    assert_eq!(agenda.wakes_at(at("06-02T05:02")), Some(at("06-03T01:00")));
    expect(&mut agenda, "06-03T01:00", &["docs: go on with 02"]);
    expect(&mut agenda, "06-03T02:00", &["docs: skipped 03 Unfinished"]);
    agenda.ended("docs", RunEnd::Done, at("06-03T03:00"));
    expect(&mut agenda, "06-04T02:00", &["docs: start 04"]);
}

#[test]
fn a_queued_run_follows_at_once_and_at_most_one_is_queued() {
    let mut agenda = agenda(&ScheduleRule { overlap: Overlap::Queue, ..rule(None) });
    expect(&mut agenda, "06-02T02:00", &["docs: start 02"]);
    expect(&mut agenda, "06-03T02:00", &[]);
    assert_eq!(agenda.schedule_state("docs").unwrap().queued(), Some(at("06-03T02:00")));
    expect(&mut agenda, "06-04T02:00", &["docs: skipped 04 Queued"]);
    agenda.ended("docs", RunEnd::Failed, at("06-04T05:00"));
    expect(&mut agenda, "06-04T05:00", &["docs: start 03"]);
}

#[test]
fn a_run_that_waits_for_a_slot_is_the_reason_why_the_next_is_skipped() {
    for overlap in [Overlap::Skip, Overlap::Queue] {
        let rule = ScheduleRule { overlap, ..rule(None) };
        let mut agenda = agenda(&rule);
        agenda.set("shop", timetable(&ScheduleRule { cron: Some("0 1 * * *"), ..rule }), None, at("06-01T12:00"));
        expect(&mut agenda, "06-02T01:00", &["shop: start 02"]);
        expect(&mut agenda, "06-02T02:00", &[]);
        if overlap == Overlap::Queue {
            expect(&mut agenda, "06-03T02:00", &["docs: skipped 03 NoSlot"]);
            expect(&mut agenda, "06-04T02:00", &["docs: skipped 04 NoSlot", "shop: skipped 04 Queued"]);
        } else {
            expect(&mut agenda, "06-03T02:00", &["docs: skipped 03 NoSlot", "shop: skipped 03 Unfinished"]);
        }
    }
}

#[test]
fn a_run_that_waits_for_its_site_releases_its_slot_and_continues() {
    let mut agenda = agenda(&rule(None));
    for (name, hour) in [("shop", 3), ("zoo", 4)] {
        let cron = format!("0 {hour} * * *");
        agenda.set(name, timetable(&ScheduleRule { cron: Some(&cron), ..rule(None) }), None, at("06-01T12:00"));
    }
    expect(&mut agenda, "06-02T02:00", &["docs: start 02"]);
    expect(&mut agenda, "06-02T03:00", &[]);
    assert_eq!(agenda.waits_for_slot("shop", at("06-02T03:30")), Some(at("06-02T03:00")));
    assert_eq!((agenda.waits_for_slot("docs", at("06-02T03:30")), agenda.holders()), (None, vec!["docs"]));
    agenda.waits_for_site("docs", true);
    assert!(agenda.wakes_at(at("06-02T03:30")) == Some(at("06-02T03:30")) && agenda.holders() == ["docs"]);
    expect(&mut agenda, "06-02T03:30", &["shop: start 02"]);
    assert_eq!(agenda.holders(), ["shop"]);
    // A run that works again takes no slot from another, but no further run begins.
    agenda.waits_for_site("docs", false);
    expect(&mut agenda, "06-02T04:00", &[]);
    agenda.ended("shop", RunEnd::Done, at("06-02T04:10"));
    expect(&mut agenda, "06-02T04:10", &[]);
    assert_eq!(agenda.holders(), ["docs"]);
    agenda.ended("docs", RunEnd::Done, at("06-02T04:20"));
    expect(&mut agenda, "06-02T04:20", &["zoo: start 02"]);
}

#[test]
fn runs_in_progress_are_limited_however_long_they_wait_for_their_sites() {
    let mut agenda = Agenda::new(1);
    for job in 0..10 {
        let name = format!("job-{job}");
        agenda.set(&name, timetable(&rule(None)), None, at("06-01T12:00"));
    }
    let mut begun = 0;
    for _ in 0..10 {
        begun += agenda.at(at("06-02T02:00")).len();
        (0..10).for_each(|job| agenda.waits_for_site(&format!("job-{job}"), true));
    }
    assert_eq!((begun, agenda.holders().len()), (8, 8), "memory is bounded");
    assert!(agenda.waits_for_slot("job-9", at("06-02T02:00")).is_some());
}

#[test]
fn downtime_is_caught_up_on_once_or_not_at_all() {
    let (once, none) = (rule(None), ScheduleRule { catch_up: CatchUp::None, ..rule(None) });
    let caught_up = ["docs: missed 02 CaughtUp", "docs: missed 03 CaughtUp", "docs: start 04"];
    expect(&mut restarted(&agenda(&once), &once, "06-04T12:00"), "06-04T12:00", &caught_up);
    let missed = ["docs: missed 02 Down", "docs: missed 03 Down", "docs: missed 04 Down"];
    expect(&mut restarted(&agenda(&none), &none, "06-04T12:00"), "06-04T12:00", &missed);
    // A restart within a minute is no downtime; a machine that slept longer was down.
    expect(&mut restarted(&agenda(&none), &none, "06-02T02:01:00"), "06-02T02:01:00", &["docs: start 02"]);
    expect(&mut agenda(&none), "06-02T02:01:01", &["docs: missed 02 Down"]);
}

#[test]
fn a_run_survives_a_restart_and_is_resumed_in_its_window() {
    let rule = rule(Some("01:00-05:00"));
    let mut agenda = agenda(&rule);
    expect(&mut agenda, "06-02T02:00", &["docs: start 02"]);
    expect(&mut restarted(&agenda, &rule, "06-02T03:00"), "06-02T03:00", &["docs: go on with 02"]);
    // The result is the same after a kill and after a drain.
    agenda.ended("docs", RunEnd::Cut, at("06-02T02:30"));
    expect(&mut restarted(&agenda, &rule, "06-02T03:00"), "06-02T03:00", &["docs: go on with 02"]);
    let mut late = restarted(&agenda, &rule, "06-02T06:00");
    expect(&mut late, "06-02T06:00", &[]);
    assert_eq!(late.next("docs", at("06-02T06:00")), Some(at("06-03T01:00")));
}

#[test]
fn an_interrupted_run_is_not_tried_endlessly() {
    let mut windowed = agenda(&rule(Some("01:00-05:00")));
    expect(&mut windowed, "06-02T02:00", &["docs: start 02"]);
    windowed.ended("docs", RunEnd::Cut, at("06-02T02:10"));
    expect(&mut windowed, "06-02T02:11", &[]);
    expect(&mut windowed, "06-03T01:00", &["docs: go on with 02"]);

    let mut free = agenda(&rule(None));
    expect(&mut free, "06-02T02:00", &["docs: start 02"]);
    free.ended("docs", RunEnd::Cut, at("06-02T02:10"));
    expect(&mut free, "06-02T12:00", &[]);
    assert_eq!(free.wakes_at(at("06-02T12:00")), Some(at("06-03T02:00")));
    expect(&mut free, "06-03T02:00", &["docs: skipped 03 Unfinished", "docs: go on with 02"]);

    let mut monthly = agenda(&ScheduleRule { cron: Some("0 2 2 * *"), ..rule(None) });
    expect(&mut monthly, "06-02T02:00", &["docs: start 02"]);
    monthly.ended("docs", RunEnd::Cut, at("06-02T03:10"));
    assert_eq!(monthly.wakes_at(at("06-02T12:00")), Some(at("06-03T03:10")));
    expect(&mut monthly, "06-03T03:10", &["docs: go on with 02"]);
}

#[test]
fn runs_beyond_the_most_wait_in_the_order_they_were_due() {
    let mut agenda = Agenda::new(1);
    for (name, cron) in [("a", "20 2 * * *"), ("b", "10 2 * * *"), ("c", "0 2 * * *")] {
        let rule = ScheduleRule { cron: Some(cron), window: Some("01:00-05:00"), ..rule(None) };
        agenda.set(name, Timetable::new(&rule, name).unwrap(), None, at("06-01T12:00"));
    }
    expect(&mut agenda, "06-02T02:20", &["c: start 02"]);
    assert_eq!(agenda.wakes_at(at("06-02T02:20")), Some(at("06-02T05:00")));
    agenda.ended("c", RunEnd::Done, at("06-02T02:30"));
    expect(&mut agenda, "06-02T02:30", &["b: start 02"]);
    expect(&mut agenda, "06-02T05:00", &["b: halt"]);
    agenda.ended("b", RunEnd::Done, at("06-02T05:00:30"));
    expect(&mut agenda, "06-02T05:00:30", &[]);
    expect(&mut agenda, "06-03T01:00", &["a: start 02"]);
    agenda.set_max_slots(3);
    expect(&mut agenda, "06-03T02:10", &["c: start 03", "b: start 03"]);
}

#[test]
fn by_hand_a_run_starts_at_any_hour_and_is_not_halted() {
    let mut agenda = agenda(&rule(Some("01:00-05:00")));
    assert_eq!(agenda.start_now("blog", at("06-01T13:00")), Err(CommandError::Unknown));
    agenda.pause("docs", at("06-01T13:00")).unwrap();
    agenda.start_now("docs", at("06-01T13:00")).unwrap();
    expect(&mut agenda, "06-01T13:00", &["docs: start 01"]);
    assert_eq!(agenda.start_now("docs", at("06-01T13:01")), Err(CommandError::Running));
    expect(&mut agenda, "06-02T06:00", &["docs: skipped 02 Paused"]);
    assert!(agenda.schedule_state("docs").unwrap().is_by_hand());
}

#[test]
fn by_hand_the_run_that_waits_begins() {
    let mut agenda = agenda(&ScheduleRule { cron: Some("@daily"), ..rule(Some("01:00-05:00")) });
    expect(&mut agenda, "06-02T00:00", &[]);
    agenda.start_now("docs", at("06-02T00:30")).unwrap();
    expect(&mut agenda, "06-02T00:30", &["docs: start 02"]);
}

#[test]
fn while_paused_nothing_starts_and_what_is_due_is_skipped() {
    let mut agenda = agenda(&rule(None));
    agenda.pause("docs", at("06-01T13:00")).unwrap();
    assert_eq!(agenda.next("docs", at("06-01T13:00")), None);
    expect(&mut agenda, "06-02T02:00", &["docs: skipped 02 Paused"]);
    // An instant that was due during the pause stays skipped, even if it is decided later.
    agenda.resume("docs", at("06-03T12:00")).unwrap();
    expect(&mut agenda, "06-03T12:00", &["docs: skipped 03 Paused"]);
    expect(&mut agenda, "06-04T02:00", &["docs: start 04"]);
}

#[test]
fn a_run_that_is_stopped_is_over() {
    let mut agenda = agenda(&ScheduleRule { overlap: Overlap::Queue, ..rule(None) });
    assert_eq!(agenda.stop("docs"), Err(CommandError::Idle));
    expect(&mut agenda, "06-02T02:00", &["docs: start 02"]);
    expect(&mut agenda, "06-03T02:00", &[]);
    agenda.stop("docs").unwrap();
    assert_eq!(agenda.wakes_at(at("06-03T03:00")), Some(at("06-03T03:00")));
    expect(&mut agenda, "06-03T03:00", &["docs: skipped 03 Stopped", "docs: halt"]);
    agenda.ended("docs", RunEnd::Cut, at("06-03T03:01"));
    assert_eq!(agenda.schedule_state("docs").unwrap().unfinished(), None);
    expect(&mut agenda, "06-04T02:00", &["docs: start 04"]);
    // A restart before its end does not resume it.
    agenda.stop("docs").unwrap();
    let fresh = restarted(&agenda, &rule(None), "06-04T12:00");
    assert_eq!(fresh.schedule_state("docs").unwrap().unfinished(), None);
}

#[test]
fn a_job_that_is_removed_is_forgotten_when_its_run_has_ended() {
    let mut running = agenda(&ScheduleRule { overlap: Overlap::Queue, ..rule(None) });
    expect(&mut running, "06-02T02:00", &["docs: start 02"]);
    expect(&mut running, "06-03T02:00", &[]);
    running.remove("docs");
    expect(&mut running, "06-05T03:00", &["docs: skipped 03 Removed"]);
    assert_eq!(running.start_now("docs", at("06-05T03:00")), Err(CommandError::Unknown));
    running.ended("docs", RunEnd::Cut, at("06-05T04:00"));
    assert_eq!((running.schedule_state("docs"), running.wakes_at(at("06-05T04:00"))), (None, None));

    let mut waiting = agenda(&ScheduleRule { cron: Some("@daily"), ..rule(Some("01:00-05:00")) });
    expect(&mut waiting, "06-02T00:00", &[]);
    waiting.remove("docs");
    expect(&mut waiting, "06-02T00:01", &["docs: skipped 02 Removed"]);
}

#[test]
fn a_new_rule_keeps_the_state_and_counts_from_now() {
    let mut agenda = agenda(&rule(None));
    expect(&mut agenda, "06-02T02:00", &["docs: start 02"]);
    let hourly = timetable(&ScheduleRule { cron: Some("@hourly"), ..rule(None) });
    agenda.set("docs", hourly, None, at("06-02T12:30"));
    expect(&mut agenda, "06-02T12:30", &[]);
    expect(&mut agenda, "06-02T13:00", &["docs: skipped 02 Unfinished"]);
    // A rule whose window excludes this hour halts the run.
    agenda.set("docs", timetable(&rule(Some("01:00-05:00"))), None, at("06-02T13:30"));
    expect(&mut agenda, "06-02T13:30", &["docs: halt"]);
}

#[test]
fn a_clock_that_was_wrong_does_not_silence_a_job() {
    let schedule_state = ScheduleState::new("2099-01-01T00:00Z".parse().unwrap());
    let mut agenda = Agenda::new(1);
    agenda.set("docs", timetable(&rule(None)), Some(schedule_state), at("06-01T12:00"));
    assert_eq!(agenda.wakes_at(at("06-01T12:00")), Some(at("06-02T02:00")));
    expect(&mut agenda, "06-01T12:00", &[]);
    expect(&mut agenda, "06-02T02:00", &["docs: start 02"]);
    // A clock that is set back a little does not start a run twice.
    agenda.ended("docs", RunEnd::Done, at("06-02T02:05"));
    expect(&mut agenda, "06-02T01:30", &[]);
    expect(&mut agenda, "06-02T02:00", &[]);
}

#[test]
fn a_run_that_a_clock_ahead_began_or_delayed_is_resumed_when_the_clock_is_right() {
    let rule = rule(None);
    let mut ahead = agenda(&rule);
    drop(ahead.at(at("09-02T02:00")));
    // The service ends during the run, and the clock is corrected before it starts again.
    let mut right = restarted(&ahead, &rule, "06-03T12:00");
    expect(&mut right, "06-03T12:00", &["docs: go on with 03"]);
    // In one process, the run is interrupted while the clock is ahead.
    ahead.ended("docs", RunEnd::Cut, at("09-02T03:00"));
    expect(&mut ahead, "06-03T12:00", &[]);
    assert_eq!(ahead.next("docs", at("06-03T12:00")), Some(at("06-04T02:00")), "as if it had been cut now");
    expect(&mut ahead, "06-04T02:00", &["docs: skipped 04 Unfinished", "docs: go on with 03"]);
}

#[test]
fn a_clock_that_is_not_set_yet_decides_nothing() {
    let rule = rule(None);
    let mut agenda = agenda(&rule);
    drop(agenda.at(at("06-02T02:00")));
    agenda.ended("docs", RunEnd::Done, at("06-02T02:10"));
    let unset: Timestamp = "1970-01-01T00:00:30Z".parse().unwrap();
    let mut booted = restarted(&agenda, &rule, "06-02T12:00");
    assert_eq!(booted.at(unset), []);
    expect(&mut booted, "06-02T12:01", &[]);
    expect(&mut booted, "06-03T02:00", &["docs: start 03"]);
    let mut fresh = Agenda::new(1);
    fresh.set("docs", timetable(&rule), None, unset);
    assert_eq!(fresh.at(unset), []);
    expect(&mut fresh, "06-02T12:00", &[]);
}

#[test]
fn a_state_of_an_older_file_is_read_and_one_of_a_broken_file_is_refused() {
    let oldest: ScheduleState = serde_json::from_str(r#"{"settled":"2026-06-01T00:00:00Z"}"#).unwrap();
    assert_eq!(oldest, ScheduleState::new(at("06-01T00:00")));
    assert!(serde_json::from_str::<ScheduleState>(r#"{"settled":"yesterday"}"#).is_err());
}
