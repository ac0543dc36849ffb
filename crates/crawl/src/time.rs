//! Times of the record, for people and machines.

use jiff::Timestamp;

/// Returns milliseconds since 1970 as a date and time of day, in UTC.
#[must_use]
pub fn shown(millis: i64) -> String {
    match Timestamp::from_millisecond(millis) {
        Ok(time) => time.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => "?".to_owned(),
    }
}

/// Returns milliseconds since 1970 as an RFC 3339 timestamp.
#[must_use]
pub fn rfc3339(millis: i64) -> Option<String> {
    Timestamp::from_millisecond(millis).ok().map(|time| time.to_string())
}
