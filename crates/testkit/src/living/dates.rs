//! Dates in responses: integer seconds since 1970 formatted for HTTP and W3C, and parsers for both.

const DAY: i64 = 86_400;
const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Formats a date as in `Last-Modified`: `Sun, 06 Nov 1994 08:49:37 GMT`.
#[must_use]
pub fn http_date(second: i64) -> String {
    let days = second.div_euclid(DAY);
    let (year, month, day) = civil(days);
    let weekday = name(&WEEKDAYS, (days + 4).rem_euclid(7));
    let month = name(&MONTHS, month - 1);
    format!("{weekday}, {day:02} {month} {year:04} {} GMT", clock(second))
}

/// Parses an HTTP date of the form above; `None` for any other.
#[must_use]
pub fn read_http_date(text: &str) -> Option<i64> {
    let (_, date) = text.trim().split_once(", ")?;
    let mut words = date.split(' ');
    let day: i64 = words.next()?.parse().ok()?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month)?;
    let year: i64 = words.next()?.parse().ok()?;
    let time = millis_of_clock(words.next()?)? / 1_000;
    Some(days(year, i64::try_from(month).ok()? + 1, day) * DAY + time)
}

/// Formats a date as in a page: `1994-11-06T08:49:37Z`.
#[must_use]
pub fn w3c(second: i64) -> String {
    format!("{}T{}Z", day_of(second), clock(second))
}

/// Formats the same instant in a zone this many hours east of Greenwich: `1994-11-06T10:49:37+02:00`.
#[must_use]
pub fn w3c_east(second: i64, hours: i64) -> String {
    let local = second + hours * 3_600;
    format!("{}T{}+{hours:02}:00", day_of(local), clock(local))
}

/// Parses a W3C date to milliseconds since 1970; a bare day is its beginning in UTC. `None` where the date has neither
/// of those two forms.
#[must_use]
pub fn instant(text: &str) -> Option<i64> {
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    let mut numbers = date.split('-').map(str::parse::<i64>);
    let (year, month, day) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
    if numbers.next().is_some() {
        return None;
    }
    let midnight = days(year, month, day) * DAY * 1_000;
    let Some(time) = time else { return Some(midnight) };
    let zone = time.find(['Z', '+', '-'])?;
    let (time, zone) = time.split_at_checked(zone)?;
    Some(midnight + millis_of_clock(time)? - offset(zone)?)
}

/// The offset of a zone from UTC, in milliseconds.
fn offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, ahead) = zone.split_at_checked(1)?;
    let ahead = millis_of_clock(ahead)?;
    Some(if sign == "-" { -ahead } else { ahead })
}

/// Parses `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`.
fn millis_of_clock(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let hours: i64 = parts.next()?.parse().ok()?;
    let minutes: i64 = parts.next()?.parse().ok()?;
    let (seconds, fraction) = parts.next().map_or(("0", ""), |last| last.split_once('.').unwrap_or((last, "")));
    let millis: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(((hours * 60 + minutes) * 60 + seconds.parse::<i64>().ok()?) * 1_000 + millis.parse::<i64>().ok()?)
}

fn day_of(second: i64) -> String {
    let (year, month, day) = civil(second.div_euclid(DAY));
    format!("{year:04}-{month:02}-{day:02}")
}

fn clock(second: i64) -> String {
    let second = second.rem_euclid(DAY);
    format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60)
}

fn name(names: &[&'static str], index: i64) -> &'static str {
    usize::try_from(index).ok().and_then(|index| names.get(index)).copied().unwrap_or_default()
}

/// Days since 1970 of a Gregorian date. Years are counted from March, so that leap days end them.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + of_year - 719_468
}

/// The reverse: year, month and day.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}
