//! Numbers with a unit: durations and sizes.

use crate::error::{Fault, quoted};
use crate::field::Value;
use crate::kind::ValueKind;
use std::time::Duration;

/// The longest duration that can be set: ten years.
const MAX_DURATION: Duration = Duration::from_secs(3650 * 86_400);
/// Digits after the point that are read; further ones would be below a nanosecond.
const MAX_FRACTION_DIGITS: usize = 9;
/// Digits before the point that are read; every allowed value has fewer.
const MAX_INTEGER_DIGITS: usize = 20;

const NANOS_PER_MILLI: u128 = 1_000_000;
const NANOS_PER_SECOND: u128 = 1_000_000_000;

impl Value for Duration {
    fn read(text: &str, kind: &ValueKind) -> Result<Duration, Fault> {
        let min = match kind {
            ValueKind::Duration { min } => *min,
            _ => Duration::ZERO,
        };
        let hint = "write a number with a unit, such as 30s, 500ms, 2m, 2h or 1d";
        let fault = |what: &str| Fault::new(format!("{} {what}", quoted(text)), hint);
        let nanos = scaled(text, duration_unit).ok_or_else(|| fault("is not a duration"))?;
        let duration = u64::try_from(nanos).map(Duration::from_nanos).unwrap_or(Duration::MAX);
        match duration {
            short if short < min => Err(fault(&format!("is too short: {} at least", span(min)))),
            long if long > MAX_DURATION => Err(fault(&format!("is too long: {} at most", span(MAX_DURATION)))),
            fine => Ok(fine),
        }
    }
}

/// Reads a number of bytes from `min` to `max`.
pub(crate) fn size(text: &str, min: u64, max: u64) -> Result<u64, Fault> {
    let hint = || format!("give a size from {} to {}, such as 1048576, 10MB or 10MiB", shown(min), shown(max));
    let fault = |what: &str| Fault::new(format!("{} {what}", quoted(text)), hint());
    let bytes = scaled(text, size_unit).ok_or_else(|| fault("is not a size"))?;
    match u64::try_from(bytes).unwrap_or(u64::MAX) {
        small if small < min => Err(fault("is too small")),
        large if large > max => Err(fault("is too large")),
        fine => Ok(fine),
    }
}

/// Nanoseconds in a unit; no unit means seconds.
fn duration_unit(unit: &str) -> Option<u128> {
    Some(match unit {
        "ms" => NANOS_PER_MILLI,
        "" | "s" => NANOS_PER_SECOND,
        "m" | "min" => 60 * NANOS_PER_SECOND,
        "h" => 3_600 * NANOS_PER_SECOND,
        "d" => 86_400 * NANOS_PER_SECOND,
        _ => return None,
    })
}

/// Bytes in a unit, in any case; no unit means bytes.
fn size_unit(unit: &str) -> Option<u128> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return None,
    })
}

/// The number before the unit, times the unit, rounded down.
fn scaled(text: &str, unit: impl Fn(&str) -> Option<u128>) -> Option<u128> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit_text) = text.split_at_checked(end)?;
    let (integer, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let readable =
        |digits: &str, most| (1..=most).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if !readable(integer, MAX_INTEGER_DIGITS) || !readable(fraction, MAX_FRACTION_DIGITS) {
        return None;
    }
    let scale = 10_u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let digits = integer.parse::<u128>().ok()? * scale + fraction.parse::<u128>().ok()?;
    Some(digits.saturating_mul(unit(unit_text.trim_start())?) / scale)
}

/// A duration in the largest unit that divides it.
fn span(duration: Duration) -> String {
    let millis = duration.as_millis();
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s")];
    let fitting = units.into_iter().find(|(unit, _)| millis > 0 && millis.is_multiple_of(*unit));
    fitting.map_or_else(|| format!("{millis}ms"), |(unit, name)| format!("{}{name}", millis / unit))
}

/// A size in the largest unit that divides it.
fn shown(bytes: u64) -> String {
    let units = [(1_u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let fitting = units.into_iter().find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit));
    fitting.map_or_else(|| bytes.to_string(), |(unit, name)| format!("{}{name}", bytes / unit))
}
