//! Tests of due instants near clock changes.

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn rule<'a>(cron: &'a str, zone: &'a str) -> ScheduleRule<'a> {
    ScheduleRule {
        cron: Some(cron),
        zone,
        window: None,
        jitter: Duration::ZERO,
        overlap: Overlap::Skip,
        catch_up: CatchUp::Once,
    }
}

fn timetable(cron: &str, zone: &str) -> Timetable {
    Timetable::new(&rule(cron, zone), "docs").unwrap()
}

#[track_caller]
fn expect(cron: &str, zone: &str, from: &str, dues: &[&str]) {
    let found: Vec<String> = timetable(cron, zone).dues(at(from)).take(dues.len()).map(|due| due.to_string()).collect();
    let dues: Vec<String> = dues.iter().map(|due| at(due).to_string()).collect();
    assert_eq!(found, dues, "{cron} in {zone}");
}

#[test]
fn a_time_that_spring_skips_comes_once_right_after_the_gap() {
    let (from, openings) = ("2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:30Z"]);
    expect("30 2 * * *", "Europe/Berlin", from, &openings);
    expect("0 2,14 * * *", "Europe/Berlin", from, &["2026-03-28T13:00Z", "2026-03-29T01:00Z", "2026-03-29T12:00Z"]);
    // Several times in one gap, and the first instant after it, are one due instant.
    expect("*/15 2 * * *", "Europe/Berlin", from, &["2026-03-29T01:00Z", "2026-03-30T00:00Z"]);
    expect("0 2,3 * * *", "Europe/Berlin", from, &["2026-03-29T01:00Z", "2026-03-30T00:00Z"]);
    // The hour before the gap is not affected.
    expect("0 0 * * *", "Europe/London", "2026-03-28T12:00Z", &["2026-03-29T00:00Z", "2026-03-29T23:00Z"]);
}

#[test]
fn gaps_at_midnight_of_half_an_hour_and_of_two_hours() {
    expect("0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00Z", &["2018-11-04T03:00Z", "2018-11-05T02:00Z"]);
    expect("30 0 * * 0", "America/Sao_Paulo", "2018-11-03T12:00Z", &["2018-11-04T03:00Z", "2018-11-11T02:30Z"]);
    expect("15 0 * * *", "Africa/Cairo", "2026-04-23T12:00Z", &["2026-04-23T22:00Z", "2026-04-24T21:15Z"]);
    expect("0 0 * * *", "Asia/Beirut", "2026-03-28T12:00Z", &["2026-03-28T22:00Z", "2026-03-29T21:00Z"]);
    expect("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00Z", &["2026-10-03T15:30Z", "2026-10-04T15:15Z"]);
    expect("30 1 * * *", "Antarctica/Troll", "2026-03-28T12:00Z", &["2026-03-29T01:00Z", "2026-03-29T23:30Z"]);
}

#[test]
fn a_time_that_autumn_shows_twice_comes_once_at_the_first() {
    expect("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", &["2026-10-25T00:30Z", "2026-10-26T01:30Z"]);
    expect("30 2,3 * * *", "Europe/Berlin", "2026-10-25T00:30Z", &["2026-10-25T02:30Z", "2026-10-26T01:30Z"]);
    // A start between the two does not return it again.
    expect("45 2 * * *", "Europe/Berlin", "2026-10-25T01:00Z", &["2026-10-26T01:45Z"]);
    expect("30 23 * * *", "Africa/Cairo", "2026-10-29T12:00Z", &["2026-10-29T20:30Z", "2026-10-30T21:30Z"]);
    expect("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00Z", &["2026-04-04T14:45Z", "2026-04-05T15:15Z"]);
    expect("30 1 * * *", "Antarctica/Troll", "2026-10-24T12:00Z", &["2026-10-24T23:30Z", "2026-10-26T01:30Z"]);
    expect("30 23 * * *", "America/Sao_Paulo", "2018-02-17T12:00Z", &["2018-02-18T01:30Z", "2018-02-19T02:30Z"]);
}

#[test]
fn starred_hours_go_by_real_time() {
    let spring = ["2026-03-29T00:30Z", "2026-03-29T00:45Z", "2026-03-29T01:00Z", "2026-03-29T01:15Z"];
    expect("*/15 * * * *", "Europe/Berlin", "2026-03-29T00:15Z", &spring);
    let autumn = ["2026-10-25T00:30Z", "2026-10-25T01:00Z", "2026-10-25T01:30Z", "2026-10-25T02:00Z"];
    expect("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:00Z", &autumn);
    // Clocks do not show 02:00 in spring, and show it twice in autumn.
    expect("0 */2 * * *", "Europe/Berlin", "2026-03-28T23:00Z", &["2026-03-29T02:00Z", "2026-03-29T04:00Z"]);
    let twice = ["2026-10-25T00:00Z", "2026-10-25T01:00Z", "2026-10-25T03:00Z"];
    expect("0 */2 * * *", "Europe/Berlin", "2026-10-24T23:00Z", &twice);
    expect("0 * * * *", "Australia/Lord_Howe", "2026-10-03T14:00Z", &["2026-10-03T14:30Z", "2026-10-03T16:00Z"]);
}

#[test]
fn a_date_that_does_not_exist_is_not_caught_up_on() {
    expect("0 2 * * *", "Pacific/Apia", "2011-12-29T00:00Z", &["2011-12-29T12:00Z", "2011-12-30T12:00Z"]);
}

#[test]
fn what_is_due_in_the_gap_finds_its_window_open() {
    for window in ["01:00-03:00", "02:00-02:45", "01:00-02:45", "02:10-05:00"] {
        let timetable =
            Timetable::new(&ScheduleRule { window: Some(window), ..rule("30 2 * * *", "Europe/Berlin") }, "docs")
                .unwrap();
        let due = timetable.due_after(at("2026-03-28T12:00Z")).unwrap();
        assert_eq!((due, timetable.opens(due)), (at("2026-03-29T01:00Z"), due), "{window}");
    }
}

#[test]
fn leap_days_come_when_they_come() {
    expect("0 3 29 2 *", "UTC", "2026-01-01T00:00Z", &["2028-02-29T03:00Z", "2032-02-29T03:00Z"]);
    expect("*/30 * 29 2 *", "Europe/Berlin", "2026-01-01T00:00Z", &["2028-02-28T23:00Z", "2028-02-28T23:30Z"]);
}

#[test]
fn jitter_stays_within_its_bounds_and_keeps_its_order() {
    for (cron, window, jitter) in [
        ("30 2 * * *", None, 3600),
        ("*/5 * * * *", None, 86_400),
        ("* * * * *", None, 59),
        ("50 4 * * *", Some("01:00-05:00"), 3600),
        ("0 0 * * *", Some("01:00-05:00"), 1800),
    ] {
        let plain = Timetable::new(&ScheduleRule { window, ..rule(cron, "Europe/Berlin") }, "docs").unwrap();
        let rule = ScheduleRule { window, jitter: Duration::from_secs(jitter), ..rule(cron, "Europe/Berlin") };
        let jittered = Timetable::new(&rule, "docs").unwrap();
        let from = at("2026-10-20T00:00Z");
        let named: Vec<Timestamp> = plain.dues(from).take(200).collect();
        let dues: Vec<Timestamp> = jittered.dues(from).skip_while(|due| *due < named[0]).take(199).collect();
        assert!(dues.iter().zip(&named).any(|(due, named)| jittered.begins(*due) > plain.begins(*named)), "{cron}");
        for (due, named) in dues.iter().zip(named.windows(2)) {
            let begins = jittered.begins(*due);
            assert!(named[0] <= *due && *due < named[1], "{cron}: {due} of {named:?}");
            assert!(begins >= plain.begins(named[0]) && plain.is_open(begins), "{cron}: {begins}");
            assert!(begins.as_second() - plain.begins(named[0]).as_second() <= i64::try_from(jitter).unwrap());
        }
        // The same instants are returned from any start.
        for due in &dues {
            assert_eq!(jittered.due_after(earlier(*due, 1)), Some(*due));
            assert!(jittered.due_after(earlier(*due, 61)).is_some_and(|first| first <= *due));
        }
    }
}

#[test]
fn a_jitter_longer_than_a_day_or_the_window_is_refused() {
    let long = |window, seconds| {
        let rule = ScheduleRule { window, jitter: Duration::from_secs(seconds), ..rule("@daily", "UTC") };
        Timetable::new(&rule, "docs").map_err(|error| error.key)
    };
    assert!(long(None, 86_400).is_ok());
    assert_eq!(long(None, 86_401).err(), Some("jitter"));
    assert_eq!(long(Some("01:00-02:00"), 3600).err(), Some("jitter"));
    assert_eq!(long(None, u64::MAX).err(), Some("jitter"));
}

#[test]
fn only_the_newest_passed_instants_are_returned() {
    let timetable = timetable("* * * * *", "UTC");
    let passed = timetable.passed(at("1970-01-01T00:00Z"), at("2026-01-01T00:00:30Z"), 1000);
    assert_eq!((passed.len(), passed.last()), (1000, Some(&at("2026-01-01T00:00Z"))));
    assert_eq!(timetable.passed(at("2026-01-01T00:00Z"), at("2026-01-01T00:00:59Z"), 1000), []);
}

#[test]
fn the_limits_of_time_do_not_panic() {
    for cron in ["30 2 * * *", "*/15 * * * *"] {
        let rule = ScheduleRule {
            window: Some("22:00-04:00"),
            jitter: Duration::from_secs(60),
            ..rule(cron, "Europe/Berlin")
        };
        let timetable = Timetable::new(&rule, "docs").unwrap();
        assert_eq!(timetable.due_after(Timestamp::MAX), None);
        for instant in [Timestamp::MIN, Timestamp::MAX] {
            assert!(timetable.opens(instant) >= instant && timetable.begins(instant) >= instant);
        }
    }
}

#[test]
fn a_rule_is_described_in_plain_words() {
    let full =
        ScheduleRule { window: Some("01:00-05:00"), jitter: Duration::from_secs(1200), ..rule("30 2 * * *", "UTC") };
    assert_eq!(
        Timetable::new(&full, "docs").unwrap().describe(),
        "every day at 02:30 (UTC time), within 01:00–05:00, up to 20 min later; skipped while a run is unfinished; \
         a run missed while the service was down is run once when it starts"
    );
    assert!(timetable("0 3 * * MON", "Europe/Berlin").describe().contains("Monday"));
}
