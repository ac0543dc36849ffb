//! A strict parser of W3C Datetime.

use jiff::civil::{Date, Time};

use super::{Lastmod, LastmodError, Moment, Precision, Zone};
use std::str::FromStr;

/// The maximum offset from UTC in minutes: the schema of sitemaps takes dates from XML Schema (Part 2, section 3.2.7),
/// which limits them to 14 hours, the largest offset in use.
const MAX_OFFSET: u16 = 14 * 60;

/// The maximum number of digits kept of a fraction of a second.
const FRACTION_DIGITS: usize = 9;

impl FromStr for Lastmod {
    type Err = LastmodError;

    /// Accepts exactly the six forms, without surrounding white space, in a year and a zone that XML Schema has.
    /// Fractions keep nine digits; further ones are dropped.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        lastmod(text)
    }
}

fn lastmod(text: &str) -> Result<Lastmod, LastmodError> {
    if text.is_empty() {
        return Err(LastmodError::Empty);
    }
    let mut rest = Cursor(text.as_bytes());
    let parsed = full_date(&mut rest)?;
    if rest.0.is_empty() { Ok(parsed) } else { Err(LastmodError::Form) }
}

fn full_date(rest: &mut Cursor<'_>) -> Result<Lastmod, LastmodError> {
    // XML Schema has no year 0 (Part 2, section 3.2.7).
    let year = in_range(rest.number(4)?, 1..=9999, "the year")? as i16;
    if !rest.take(b'-') {
        return Ok(Lastmod::Year(year));
    }
    let month = in_range(rest.number(2)?, 1..=12, "the month")? as i8;
    if !rest.take(b'-') {
        return Ok(Lastmod::Month { year, month });
    }
    let day = rest.number(2)? as i8;
    let date = Date::new(year, month, day).map_err(|_| LastmodError::Calendar("the day of the month"))?;
    if !rest.take(b'T') {
        return Ok(Lastmod::Day(date));
    }
    moment(date, rest).map(Lastmod::Instant)
}

fn moment(date: Date, rest: &mut Cursor<'_>) -> Result<Moment, LastmodError> {
    let hour = in_range(rest.number(2)?, 0..=23, "the hour")?;
    rest.require(b':')?;
    let minute = in_range(rest.number(2)?, 0..=59, "the minute")?;
    let (mut second, mut nanos, mut precision) = (0, 0, Precision::Minute);
    if rest.take(b':') {
        second = in_range(rest.number(2)?, 0..=59, "the second")?;
        precision = Precision::Second;
        if rest.take(b'.') {
            (nanos, precision) = rest.fraction()?;
        }
    }
    let zone = zone(rest)?;
    let time = Time::new(hour as i8, minute as i8, second as i8, nanos)
        .map_err(|_| LastmodError::Calendar("the time of day"))?;
    Ok(Moment { local: date.to_datetime(time), zone, precision })
}

fn zone(rest: &mut Cursor<'_>) -> Result<Zone, LastmodError> {
    if rest.take(b'Z') {
        return Ok(Zone::Utc);
    }
    let west = rest.take(b'-');
    if !west {
        rest.require(b'+')?;
    }
    let hours = in_range(rest.number(2)?, 0..=23, "the zone's hours")?;
    rest.require(b':')?;
    let minutes = in_range(rest.number(2)?, 0..=59, "the zone's minutes")?;
    let minutes = in_range(hours * 60 + minutes, 0..=MAX_OFFSET, "the zone")?;
    Ok(Zone::Offset { west, minutes })
}

fn in_range(number: u16, range: std::ops::RangeInclusive<u16>, what: &'static str) -> Result<u16, LastmodError> {
    if range.contains(&number) { Ok(number) } else { Err(LastmodError::Calendar(what)) }
}

/// The remaining input.
struct Cursor<'t>(&'t [u8]);

impl Cursor<'_> {
    fn take(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn require(&mut self, byte: u8) -> Result<(), LastmodError> {
        if self.take(byte) { Ok(()) } else { Err(LastmodError::Form) }
    }

    /// Reads exactly `digits` decimal digits, at most four, so that the number fits.
    fn number(&mut self, digits: usize) -> Result<u16, LastmodError> {
        let (head, rest) = self.0.split_at_checked(digits).ok_or(LastmodError::Form)?;
        if !head.iter().all(u8::is_ascii_digit) {
            return Err(LastmodError::Form);
        }
        self.0 = rest;
        Ok(head.iter().fold(0, |number, digit| number * 10 + u16::from(digit - b'0')))
    }

    /// Reads one or more digits, as nanoseconds and the number of digits kept.
    fn fraction(&mut self) -> Result<(i32, Precision), LastmodError> {
        let length = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at_checked(length).ok_or(LastmodError::Form)?;
        if digits.is_empty() {
            return Err(LastmodError::Form);
        }
        self.0 = rest;
        let kept = length.min(FRACTION_DIGITS);
        let padded = digits.iter().chain(std::iter::repeat(&b'0')).take(FRACTION_DIGITS);
        let nanos = padded.fold(0_i32, |number, digit| number * 10 + i32::from(digit - b'0'));
        Ok((nanos, Precision::Fraction(kept as u8)))
    }
}
