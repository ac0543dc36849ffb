//! Dates found in the wild: ISO 8601 beyond the W3C's profile, and dates with the name of a month (RFC 822, RFC 850 and
//! similar).

use super::{MAX_BYTES, WebDate, digits, month_by_name, number_of, parse_clock, parse_date};
use jiff::civil::Date;

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

impl WebDate {
    /// Parses both, and formats found in the wild: ISO 8601 extended or basic, with a space or `t` for the `T`, and a
    /// zone without colon, after a space or by its name; RFC 822 and RFC 850 with and without weekday and time. A time
    /// without a known zone is no instant, and only its day counts.
    #[must_use]
    pub fn parse_loose(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > MAX_BYTES {
            return None;
        }
        Self::parse_w3c(text)
            .or_else(|| Self::parse_http(text))
            .or_else(|| parse_iso(text))
            .or_else(|| jiff::fmt::rfc2822::parse(text).ok().map(|zoned| Self::from(zoned.timestamp())))
            .or_else(|| parse_named(text))
    }
}

/// Parses ISO 8601 into W3C form: extended or basic, a space for the `T`, a zone in any form.
fn parse_iso(text: &str) -> Option<WebDate> {
    let Some((date, time)) = text.split_once(['T', 't', ' ']) else { return basic_date(text).map(WebDate::Day) };
    let WebDate::Day(day) = basic_date(date).map(WebDate::Day).or_else(|| parse_date(date))? else { return None };
    let time = time.trim();
    let zone = time.find(|char: char| !matches!(char, '0'..='9' | ':' | '.')).unwrap_or(time.len());
    let (clock, zone) = time.split_at_checked(zone)?;
    at(day, &with_colons(clock), zone.trim())
}

/// `YYYYMMDD`.
fn basic_date(text: &str) -> Option<Date> {
    let (year, rest) = text.split_at_checked(4)?;
    let (month, day) = rest.split_at_checked(2)?;
    let part = |text: &str| i8::try_from(digits(text, 2)?).ok();
    Date::new(digits(year, 4)?, part(month)?, part(day)?).ok()
}

/// Converts `hhmm` and `hhmmss` to the extended form with colons.
fn with_colons(clock: &str) -> String {
    let (hours_and_minutes, fraction) =
        clock.find('.').and_then(|at| clock.split_at_checked(at)).unwrap_or((clock, ""));
    if !matches!(hours_and_minutes.len(), 4 | 6) || hours_and_minutes.contains(':') {
        return clock.to_owned();
    }
    let (hours, rest) = hours_and_minutes.split_at_checked(2).unwrap_or_default();
    let (minutes, seconds) = rest.split_at_checked(2).unwrap_or_default();
    if seconds.is_empty() { format!("{hours}:{minutes}") } else { format!("{hours}:{minutes}:{seconds}{fraction}") }
}

/// Parses day, month name, year, and optionally a time: `25 Jun 2010 15:00:00 PST`, `Friday, 25-Jun-10 15:00:00 EST`.
fn parse_named(text: &str) -> Option<WebDate> {
    let is_gap = |char: char| char.is_ascii_whitespace() || char == ',';
    let mut words = text.split(is_gap).filter(|word| !word.is_empty()).peekable();
    words.next_if(|word| number_of(word, &WEEKDAYS).is_some());
    let first = words.next()?;
    let mut parts = first.split('-');
    let (day, month, year) = match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(day), Some(month), Some(year), None) => (day, month, year),
        (Some(day), None, ..) => (day, words.next()?, words.next()?),
        _ => return None,
    };
    let day = i8::try_from(digits(day, 2).or_else(|| digits(day, 1))?).ok()?;
    let month = i8::try_from(month_by_name(month)?).ok()?;
    let date = Date::new(full_year(year)?, month, day).ok()?;
    let (clock, zone) = (words.next(), words.next().unwrap_or_default());
    match (clock, words.next()) {
        (None, _) => Some(WebDate::Day(date)),
        (Some(clock), None) => at(date, clock, zone),
        _ => None,
    }
}

/// A year of four digits, or of two by RFC 2822 4.3.
fn full_year(text: &str) -> Option<i16> {
    let short = |year: i16| if year < 50 { year + 2000 } else { year + 1900 };
    digits(text, 4).or_else(|| digits(text, 2).map(short))
}

/// A time of this day. A time without a known zone is no instant, and only its day counts.
fn at(day: Date, clock: &str, zone: &str) -> Option<WebDate> {
    parse_clock(clock)?;
    match offset(zone)? {
        Some(offset) => WebDate::parse_w3c(&format!("{day}T{clock}{offset}")),
        None => Some(WebDate::Day(day)),
    }
}

/// The W3C form of a zone's offset: a number with or without a colon, or a name (RFC 2822 4.3). `Some(None)` without a
/// zone or for an ambiguous name; `None` if the text is no zone.
fn offset(zone: &str) -> Option<Option<String>> {
    let named = match zone.to_ascii_uppercase().as_str() {
        "Z" | "UT" | "UTC" | "GMT" => "Z",
        "EDT" => "-04:00",
        "EST" | "CDT" => "-05:00",
        "CST" | "MDT" => "-06:00",
        "MST" | "PDT" => "-07:00",
        "PST" => "-08:00",
        _ if zone.bytes().all(|byte| byte.is_ascii_alphabetic()) => return Some(None),
        _ => "",
    };
    Some(Some(match zone.len() {
        _ if !named.is_empty() => named.to_owned(),
        3 => format!("{zone}:00"),
        5 if !zone.contains(':') => {
            let (hours, minutes) = zone.split_at_checked(3)?;
            format!("{hours}:{minutes}")
        }
        _ => zone.to_owned(),
    }))
}
