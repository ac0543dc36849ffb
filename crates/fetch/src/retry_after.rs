//! The `Retry-After` header.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::headers::Headers;

/// No wait longer than this is told, whatever the server wrote: a year.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// A server's clock is believed to be wrong by this much at most; a `Date` farther from `now` is no clock.
const WORST_CLOCK: Duration = Duration::from_secs(24 * 3600);

/// How long the server asks to wait (RFC 9110, section 10.2.3): a number of seconds, or a date in any of the three
/// forms of section 5.6.7, counted from what the same clock said when it answered (`Date`, section 6.6.1), else from
/// `now`. A date gone by is no wait; what is neither form is `None`.
pub fn retry_after(headers: &Headers, now: Timestamp) -> Option<Duration> {
    let value = headers.get("retry-after")?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than a number holds is as good as the longest wait.
        let seconds = value.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(LONGEST_WAIT));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let answered = its_clock(headers, now.into()).unwrap_or(now.into());
    let wait = until.duration_since(answered).unwrap_or(Duration::ZERO);
    Some(wait.min(LONGEST_WAIT))
}

fn its_clock(headers: &Headers, now: SystemTime) -> Option<SystemTime> {
    let date = httpdate::parse_http_date(headers.get("date")?.trim()).ok()?;
    let apart = date.duration_since(now).unwrap_or_else(|behind| behind.duration());
    (apart <= WORST_CLOCK).then_some(date)
}

#[cfg(test)]
mod tests;
