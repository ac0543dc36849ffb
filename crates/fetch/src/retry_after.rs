//! The `Retry-After` header.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::headers::Headers;

/// No wait longer than this is told, whatever the server wrote: a year.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// How long the server asks to wait (RFC 9110, section 10.2.3): a number of seconds, or a date in any of the three
/// forms of section 5.6.7, counted from `now`. A date gone by is no wait; what is neither form is `None`.
pub fn retry_after(headers: &Headers, now: Timestamp) -> Option<Duration> {
    let value = headers.get("retry-after")?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than a number holds is as good as the longest wait.
        let seconds = value.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(LONGEST_WAIT));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let wait = until.duration_since(SystemTime::from(now)).unwrap_or(Duration::ZERO);
    Some(wait.min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests;
