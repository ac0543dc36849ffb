//! Dates of the web: W3C, HTTP, and formats found in the wild.

mod wild;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The maximum length of a text that is parsed, in bytes.
const MAX_BYTES: usize = 128;

/// A date with its given precision (W3C Note "Date and Time Formats"); its text round-trips exactly.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WebDate {
    /// `1997`.
    Year(i16),
    /// `1997-07`.
    Month(i16, i8),
    /// `1997-07-16`.
    Day(Date),
    /// `1997-07-16T19:20+01:00`, optionally with seconds and fractions.
    Instant {
        /// The instant, fractions beyond nanoseconds dropped.
        at: Timestamp,
        /// The W3C text.
        text: String,
    },
}

impl WebDate {
    /// Parses a W3C date strictly; surrounding white space is allowed.
    #[must_use]
    pub fn parse_w3c(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > MAX_BYTES || !text.is_ascii() {
            return None;
        }
        let Some((date, time)) = text.split_once('T') else { return parse_date(text) };
        let WebDate::Day(date) = parse_date(date)? else { return None };
        let zone = time.find(['Z', '+', '-'])?;
        let (clock, zone) = time.split_at_checked(zone)?;
        let at = parse_offset(zone)?.to_timestamp(DateTime::from_parts(date, parse_clock(clock)?)).ok()?;
        Some(WebDate::Instant { at, text: text.to_owned() })
    }

    /// Parses an HTTP date in any of its three forms (RFC 9110 5.6.7).
    #[must_use]
    pub fn parse_http(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > MAX_BYTES {
            return None;
        }
        let time = httpdate::parse_http_date(text).ok()?;
        Timestamp::try_from(time).ok().map(Self::from)
    }

    /// The first instant that the date may mean; days are those of UTC.
    #[must_use]
    pub fn earliest(&self) -> Timestamp {
        self.span().0
    }

    /// The last instant that the date may mean, to the nanosecond.
    #[must_use]
    pub fn latest(&self) -> Timestamp {
        self.span().1
    }

    fn span(&self) -> (Timestamp, Timestamp) {
        let (first, length) = match self {
            Self::Instant { at, .. } => return (*at, *at),
            Self::Year(year) => (Date::new(*year, 1, 1), Span::new().years(1)),
            Self::Month(year, month) => (Date::new(*year, *month, 1), Span::new().months(1)),
            Self::Day(date) => (Ok(*date), Span::new().days(1)),
        };
        // Out of range only at the ends of the calendar, or for variants built with numbers that are no date.
        let first = first.unwrap_or(Date::ZERO);
        let last = first.checked_add(length).and_then(Date::yesterday).unwrap_or(Date::MAX);
        (start_of(first), end_of(last))
    }
}

impl From<Timestamp> for WebDate {
    /// Formats an instant to the second, in UTC.
    fn from(at: Timestamp) -> Self {
        // The instant is truncated to the precision of the text, so that it reads back equal.
        let second = at.as_second() - i64::from(at.subsec_nanosecond() < 0);
        let at = Timestamp::from_second(second).unwrap_or(at);
        WebDate::Instant { at, text: at.to_string() }
    }
}

fn start_of(date: Date) -> Timestamp {
    date.to_zoned(TimeZone::UTC).map_or(Timestamp::MIN, |zoned| zoned.timestamp())
}

fn end_of(date: Date) -> Timestamp {
    date.to_datetime(Time::MAX).to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |zoned| zoned.timestamp())
}

/// The English names of the months, as in URLs and dates in the wild.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The month, 1 to 12, of an English name: in full, or abbreviated to three characters or more (`Sep`, `Sept`).
#[must_use]
pub fn month_by_name(word: &str) -> Option<u8> {
    number_of(word, &MONTHS)
}

/// The position of a name, from 1: in full, or abbreviated to three characters or more.
fn number_of(word: &str, names: &[&str]) -> Option<u8> {
    let named = |name: &&str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let at = names.iter().position(named).filter(|_| word.len() >= 3)?;
    u8::try_from(at + 1).ok()
}

/// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
fn parse_date(text: &str) -> Option<WebDate> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map(|month| digits(month, 2));
    let day = parts.next().map(|day| digits(day, 2));
    if parts.next().is_some() {
        return None;
    }
    match (month, day) {
        (None, _) => Some(WebDate::Year(year)),
        (Some(month), None) => {
            let month = i8::try_from(month?).ok()?;
            Date::new(year, month, 1).ok().map(|_| WebDate::Month(year, month))
        }
        (Some(month), Some(day)) => {
            Date::new(year, i8::try_from(month?).ok()?, i8::try_from(day?).ok()?).ok().map(WebDate::Day)
        }
    }
}

/// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.s…`.
fn parse_clock(text: &str) -> Option<Time> {
    let mut parts = text.split(':');
    let hour = digits(parts.next()?, 2)?;
    let minute = digits(parts.next()?, 2)?;
    let (second, fraction) = match parts.next() {
        None => ("00", None),
        Some(second) => second.split_once('.').map_or((second, None), |(second, fraction)| (second, Some(fraction))),
    };
    if parts.next().is_some() {
        return None;
    }
    let nanosecond = fraction.map_or(Some(0), nanoseconds)?;
    let part = |number: i16| i8::try_from(number).ok();
    Time::new(part(hour)?, part(minute)?, part(digits(second, 2)?)?, nanosecond).ok()
}

fn nanoseconds(fraction: &str) -> Option<i32> {
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let padded = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    Some(padded.fold(0, |value, digit| value * 10 + i32::from(digit.saturating_sub(b'0'))))
}

/// `Z`, `+hh:mm` or `-hh:mm`.
fn parse_offset(text: &str) -> Option<Offset> {
    if text == "Z" {
        return Some(Offset::UTC);
    }
    let (sign, rest) = text.split_at_checked(1)?;
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = i32::from(hours) * 3_600 + i32::from(minutes) * 60;
    Offset::from_seconds(if sign == "-" { -seconds } else { seconds }).ok()
}

fn digits(text: &str, count: usize) -> Option<i16> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

impl fmt::Display for WebDate {
    /// The W3C text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Year(year) => write!(f, "{year:04}"),
            Self::Month(year, month) => write!(f, "{year:04}-{month:02}"),
            Self::Day(date) => write!(f, "{date}"),
            Self::Instant { text, .. } => f.write_str(text),
        }
    }
}

impl Serialize for WebDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WebDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse_w3c(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is no W3C date")))
    }
}
