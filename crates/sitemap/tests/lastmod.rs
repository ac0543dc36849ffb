//! W3C Datetime, by the note of 1997.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use jiff::Timestamp;
use mapwright_sitemap::{Lastmod, LastmodError};
use proptest::prelude::*;

fn parse(text: &str) -> Result<Lastmod, LastmodError> {
    text.parse()
}

#[test]
fn every_form_of_the_note_is_read_and_printed_exactly() {
    let forms = [
        "1997",
        "1997-07",
        "1997-07-16",
        "1997-07-16T19:20+01:00",
        "1997-07-16T19:20:30+01:00",
        "1997-07-16T19:20:30.45+01:00",
        "0001",
        "9999-12-31",
        "2024-02-29",
        "2000-02-29",
        "1997-07-16T00:00Z",
        "1997-07-16T23:59:59.000000000-00:00",
        "9999-12-31T23:59:59-14:00",
    ];
    for form in forms {
        assert_eq!(parse(form).map(|lastmod| lastmod.to_string()).as_deref(), Ok(form));
    }
}

#[test]
fn what_is_no_form_of_the_note_is_refused() {
    let wrong = [
        "2024/01/01",
        "05/06/2024",
        "20240506",
        "2024-5-6",
        "2024-05-06 07:08",
        "2024-05-06T07:08",
        "2024-05-06T07Z",
        "2024-05-06T07:08:09",
        "2024-05-06T07:08:09+0200",
        "2024-05-06T07:08:09z",
        "2024-05-06t07:08:09Z",
        "2024-05-06T07:08:09.Z",
        "2024-05-06Z",
        " 2024-05-06",
        "2024-05-06 ",
        "2024-",
        "-2024",
        "+2024",
        "24",
        "today",
        "٢٠٢٤",
        "2024-05-06T07:08:09+02:00:00",
    ];
    for text in wrong {
        assert_eq!(parse(text), Err(LastmodError::Form), "{text}");
    }
    assert_eq!(parse(""), Err(LastmodError::Empty));
}

#[test]
fn what_the_calendar_and_the_clock_do_not_have_is_refused() {
    let wrong = [
        "2024-00",
        "2024-13",
        "2024-02-30",
        "2023-02-29",
        "1900-02-29",
        "2024-04-31",
        "2024-01-00",
        "2024-01-32",
        "2024-05-06T24:00Z",
        "2024-05-06T07:60Z",
        "2024-05-06T07:08:60Z",
        "2024-05-06T07:08+24:00",
        "2024-05-06T07:08+15:00",
        "2024-05-06T07:08-14:01",
        "0000",
        "0000-05-06T07:08Z",
        "2024-05-06T07:08+01:60",
    ];
    for text in wrong {
        assert!(matches!(parse(text), Err(LastmodError::Calendar(_))), "{text}: {:?}", parse(text));
    }
}

#[test]
fn an_instant_is_written_in_utc_and_full_seconds() {
    let instant: Timestamp = "2026-05-06T07:08:09.987Z".parse().unwrap();
    assert_eq!(Lastmod::at(instant).to_string(), "2026-05-06T07:08:09Z");
    assert_eq!(Lastmod::at(Timestamp::UNIX_EPOCH).to_string(), "1970-01-01T00:00:00Z");
    assert_eq!(Lastmod::at(Timestamp::MIN).to_string(), "0001-01-01T00:00:00Z");
}

#[test]
fn the_zone_counts_in_comparisons() {
    let instant = |text: &str| parse(text).unwrap().earliest().to_string();
    assert_eq!(instant("2026-05-06T02:00+02:00"), "2026-05-06T00:00:00Z");
    assert_eq!(instant("2026-05-06T00:00:00-01:30"), "2026-05-06T01:30:00Z");
    // A date without a zone begins in the zone where the day begins first.
    assert_eq!(instant("2026-05-06"), "2026-05-05T10:00:00Z");
    assert_eq!(instant("2026-05"), "2026-04-30T10:00:00Z");
    assert_eq!(instant("2026"), "2025-12-31T10:00:00Z");
    assert_eq!(parse("2026-05-06").unwrap().instant(), None);
    assert_eq!(parse("9999-12-31T23:59:59Z").unwrap().instant(), Some(Timestamp::MAX));
}

proptest! {
    #[test]
    fn any_valid_date_comes_out_as_it_went_in(
        (year, month, day) in (1..=9999_u16, 1..=12_u8, 1..=28_u8),
        (hour, minute, second) in (0..24_u8, 0..60_u8, 0..60_u8),
        fraction in "[0-9]{1,9}",
        zone in "Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00)",
        form in 0..6_usize,
    ) {
        let date = format!("{year:04}-{month:02}-{day:02}");
        let text = match form {
            0 => format!("{year:04}"),
            1 => format!("{year:04}-{month:02}"),
            2 => date,
            3 => format!("{date}T{hour:02}:{minute:02}{zone}"),
            4 => format!("{date}T{hour:02}:{minute:02}:{second:02}{zone}"),
            _ => format!("{date}T{hour:02}:{minute:02}:{second:02}.{fraction}{zone}"),
        };
        prop_assert_eq!(parse(&text).unwrap().to_string(), text);
    }

    #[test]
    fn whatever_is_read_is_printed_as_it_was(text in "[0-9TZ:.+-]{0,32}") {
        if let Ok(lastmod) = parse(&text) {
            prop_assert_eq!(lastmod.to_string(), text.as_str());
            lastmod.earliest();
        }
    }
}
