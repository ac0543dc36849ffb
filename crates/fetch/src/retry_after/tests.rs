use super::*;

fn wait(value: &str) -> Option<Duration> {
    // RFC 9110's own example of a date, one minute before it.
    let now: Timestamp = "1999-12-31T23:58:59Z".parse().unwrap();
    retry_after(&Headers::from_pairs([("Retry-After", value)]), now)
}

#[test]
fn seconds_are_read() {
    assert_eq!(wait("120"), Some(Duration::from_secs(120)));
    assert_eq!(wait("0"), Some(Duration::ZERO));
    assert_eq!(wait("  7 "), Some(Duration::from_secs(7)));
}

#[test]
fn a_date_in_each_of_the_three_forms_is_counted_from_now() {
    for date in ["Fri, 31 Dec 1999 23:59:59 GMT", "Friday, 31-Dec-99 23:59:59 GMT", "Fri Dec 31 23:59:59 1999"] {
        assert_eq!(wait(date), Some(Duration::from_secs(60)), "{date}");
    }
}

#[test]
fn a_date_gone_by_is_no_wait() {
    assert_eq!(wait("Thu, 30 Dec 1999 23:59:59 GMT"), Some(Duration::ZERO));
}

#[test]
fn a_date_is_counted_by_the_clock_that_gave_it() {
    let now: Timestamp = "1999-12-31T23:58:59Z".parse().unwrap();
    let wait = |date| {
        let headers = [("Date", date), ("Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT")];
        retry_after(&Headers::from_pairs(headers), now).map(|wait| wait.as_secs())
    };
    assert_eq!(wait("Fri, 31 Dec 1999 23:59:49 GMT"), Some(10), "fifty seconds fast");
    assert_eq!(wait("Fri, 31 Dec 1999 20:59:59 GMT"), Some(3 * 3600), "three hours slow");
    assert_eq!(wait("Thu, 01 Jan 1970 00:00:00 GMT"), Some(60), "no clock");
    assert_eq!(wait("today"), Some(60));
}

#[test]
fn waits_beyond_a_year_are_a_year() {
    assert_eq!(wait("99999999999999999999999999"), Some(MAX_WAIT));
    assert_eq!(wait("Tue, 31 Dec 2999 23:59:59 GMT"), Some(MAX_WAIT));
}

#[test]
fn a_value_of_neither_form_is_none() {
    for value in ["", "soon", "-5", "1.5", "12 minutes"] {
        assert_eq!(wait(value), None, "{value:?}");
    }
    assert_eq!(retry_after(&Headers::default(), Timestamp::UNIX_EPOCH), None);
}
