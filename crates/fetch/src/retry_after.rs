//! The `Retry-After` header.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::response_headers::Headers;

/// Longest wait that is returned, whatever the server wrote: a year.
const MAX_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// Maximum assumed error of a server's clock; a `Date` farther from `now` is ignored.
const WORST_CLOCK: Duration = Duration::from_secs(24 * 3600);

/// The wait that the server requests (RFC 9110, section 10.2.3): a number of seconds, or a date in any of the three
/// forms of section 5.6.7. A date is counted from the response's `Date` (section 6.6.1), which is the same clock,
/// otherwise from `now`. A past date means no wait; a value of neither form is `None`.
pub fn retry_after(headers: &Headers, now: Timestamp) -> Option<Duration> {
    let value = headers.get("retry-after")?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that overflows counts as the longest wait.
        let seconds = value.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(MAX_WAIT));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let answered = its_clock(headers, now.into()).unwrap_or(now.into());
    let wait = until.duration_since(answered).unwrap_or(Duration::ZERO);
    Some(wait.min(MAX_WAIT))
}

fn its_clock(headers: &Headers, now: SystemTime) -> Option<SystemTime> {
    let date = httpdate::parse_http_date(headers.get("date")?.trim()).ok()?;
    let apart = date.duration_since(now).unwrap_or_else(|behind| behind.duration());
    (apart <= WORST_CLOCK).then_some(date)
}

#[cfg(test)]
mod tests;
