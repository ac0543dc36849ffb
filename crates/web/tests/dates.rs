//! Dates: W3C Note "Date and Time Formats", RFC 9110 5.6.7, and formats found in the wild.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use jiff::Timestamp;
use mapwright_web::date::{WebDate, month_by_name};
use proptest::prelude::*;

#[track_caller]
fn w3c(text: &str) -> WebDate {
    WebDate::parse_w3c(text).unwrap_or_else(|| panic!("{text} is a W3C date"))
}

#[track_caller]
fn loose(text: &str) -> String {
    WebDate::parse_loose(text).unwrap_or_else(|| panic!("{text} is a date")).to_string()
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn all_six_w3c_forms_round_trip_exactly() {
    for text in [
        "1997",
        "1997-07",
        "1997-07-16",
        "1997-07-16T19:20+01:00",
        "1997-07-16T19:20:30+01:00",
        "1997-07-16T19:20:30.45+01:00",
        "2024-02-29T00:00:00Z",
        "2024-05-01T10:00-03:30",
        "2024-05-01T10:00:00.120Z",
        "0001-01-01",
        "9999",
    ] {
        assert_eq!(w3c(text).to_string(), text);
        let json = serde_json::to_string(&w3c(text)).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<WebDate>(&json).unwrap(), w3c(text));
    }
}

#[test]
fn w3c_is_read_strictly() {
    for text in [
        "",
        "97",
        "1997-7",
        "1997-07-1",
        "1997-13",
        "1997-00",
        "1997-02-30",
        "2023-02-29",
        "1997-07-16T19",
        "1997-07-16T19:20",
        "1997-07-16T24:00Z",
        "1997-07-16T19:60Z",
        "1997-07-16T19:20:60Z",
        "1997-07-16 19:20Z",
        "1997-07-16T19:20+0100",
        "1997-07-16T19:20+24:00",
        "1997-07-16T19:20+01:60",
        "1997-07-16T19:20:30.Z",
        "1997-07-16t19:20Z",
        "1997-07-16T19:20z",
        "1997-07-16T19:20ZZ",
        "1997-07-16T+1:20Z",
        "+997-01-01",
        "1997-07-16-01",
        "1997T19:20Z",
        "1997-07T19:20Z",
        "１９９７",
        "now",
        "1997/07/16",
    ] {
        assert_eq!(WebDate::parse_w3c(text), None, "{text}");
    }
}

#[test]
fn an_instant_is_the_moment_it_names() {
    let date = w3c("1997-07-16T19:20:30.45+01:00");
    assert_eq!(date.earliest(), time("1997-07-16T18:20:30.45Z"));
    assert_eq!(date.latest(), date.earliest());
}

#[test]
fn a_coarse_date_spans_its_year_month_or_day() {
    assert_eq!(w3c("2024").earliest(), time("2024-01-01T00:00:00Z"));
    assert_eq!(w3c("2024").latest(), time("2024-12-31T23:59:59.999999999Z"));
    assert_eq!(w3c("2024-02").latest(), time("2024-02-29T23:59:59.999999999Z"));
    assert_eq!(w3c("2024-02-29").earliest(), time("2024-02-29T00:00:00Z"));
    assert_eq!(w3c("2024-02-29").latest(), time("2024-02-29T23:59:59.999999999Z"));
}

#[test]
fn the_end_of_the_calendar_is_no_error() {
    assert!(w3c("9999").latest() >= w3c("9999").earliest());
    assert!(w3c("9999-12-31").latest() >= time("9999-12-30T00:00:00Z"));
}

#[test]
fn all_three_http_forms_are_one_instant() {
    for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
        assert_eq!(WebDate::parse_http(text).unwrap().to_string(), "1994-11-06T08:49:37Z", "{text}");
    }
    assert_eq!(WebDate::parse_http("06 Nov 1994"), None);
    assert_eq!(WebDate::parse_http("1994-11-06"), None);
}

#[test]
fn forms_of_the_wild_are_understood() {
    assert_eq!(loose("2024-05-01 10:00:00+02:00"), "2024-05-01T10:00:00+02:00");
    assert_eq!(loose("2024-05-01T10:00:00+0200"), "2024-05-01T10:00:00+02:00");
    assert_eq!(loose("2024-05-01T10:00:00-05"), "2024-05-01T10:00:00-05:00");
    assert_eq!(loose("2024-05-01t10:00:00z"), "2024-05-01T10:00:00Z");
    assert_eq!(loose("2024-05-01 10:00:00 UTC"), "2024-05-01T10:00:00Z");
    assert_eq!(loose("2024-05-01 10:00:00 +0200"), "2024-05-01T10:00:00+02:00");
    assert_eq!(loose(" 2024-05-01 "), "2024-05-01");
    assert_eq!(loose("Sun, 06 Nov 1994 09:49:37 +0100"), "1994-11-06T08:49:37Z");
    assert_eq!(loose("Sun, 06 Nov 1994 08:49:37 GMT"), "1994-11-06T08:49:37Z");
}

#[test]
fn the_forms_that_search_engines_name_are_understood() {
    for text in [
        "25-Aug-2011 15:00:00 EST",
        "Thursday, 25-Aug-11 15:00:00 EST",
        "Thu, 25 Aug 2011 15:00:00 EST",
        "25 August 2011 15:00:00 EST",
        "2011-08-25 15:00:00 EST",
        "20110825T150000-0500",
        "20110825T1500-05",
    ] {
        let date = WebDate::parse_loose(text).unwrap_or_else(|| panic!("{text} is a date"));
        assert_eq!(date.earliest(), time("2011-08-25T20:00:00Z"), "{text}");
    }
    assert_eq!(loose("25-Jun-2010 15:00:00 GMT"), "2010-06-25T15:00:00Z");
    assert_eq!(loose("20100625T150000Z"), "2010-06-25T15:00:00Z");
    assert_eq!(loose("20100625T150000.5Z"), "2010-06-25T15:00:00.5Z");
    for text in ["25 Jun 2010", "25-Jun-10", "Friday, 25-Jun-2010", "20100625", "25 Jun 2010 15:00"] {
        assert_eq!(loose(text), "2010-06-25", "{text}");
    }
    assert_eq!(loose("1-Jan-70"), "1970-01-01");
}

#[test]
fn a_month_is_known_by_its_name_or_the_beginning_of_it() {
    for word in ["Sep", "sept", "SEPTEMBER"] {
        assert_eq!(month_by_name(word), Some(9), "{word}");
        assert_eq!(loose(&format!("Tues, 3 {word} 2024")), "2024-09-03", "{word}");
    }
    for word in ["", "se", "september1", "sepia", "9", "é"] {
        assert_eq!(month_by_name(word), None, "{word}");
    }
}

#[test]
fn what_only_looks_like_a_date_is_none() {
    for text in
        ["25", "25 Jun", "Jun 2010", "32 Jun 2010", "25 Juno 2010", "25-06-2010", "2010062", "201006251", "soon"]
    {
        assert_eq!(WebDate::parse_loose(text), None, "{text}");
    }
    for text in
        ["25 Jun 2010 soon", "25 Jun 2010 25:00 GMT", "25 Jun 2010 15:00 GMT again", "20100625T1Z", "é-Jun-2010"]
    {
        assert_eq!(WebDate::parse_loose(text), None, "{text}");
    }
}

#[test]
fn a_time_without_zone_names_its_day() {
    assert_eq!(loose("2024-05-01T10:00:00"), "2024-05-01");
    assert_eq!(loose("2024-05-01 10:00"), "2024-05-01");
}

#[test]
fn what_is_no_date_is_none() {
    for text in ["", "yesterday", "2024-05-01T99:00:00", "2024-05-01Tx", "T", " ", "1714557600", &"2024".repeat(1000)] {
        assert_eq!(WebDate::parse_loose(text), None, "{text:.20}");
    }
}

proptest! {
    #[test]
    fn any_text_that_is_a_date_round_trips(text in "[0-9TZtz:+. -]{0,32}") {
        if let Some(date) = WebDate::parse_loose(&text) {
            let written = date.to_string();
            prop_assert_eq!(WebDate::parse_w3c(&written), Some(date.clone()));
            prop_assert!(date.earliest() <= date.latest());
        }
    }

    #[test]
    fn any_text_is_survived(text in ".{0,64}") {
        let _ = (WebDate::parse_w3c(&text), WebDate::parse_http(&text), WebDate::parse_loose(&text));
    }
}
