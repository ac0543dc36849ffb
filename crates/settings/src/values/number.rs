//! Switches, integers and rates.

use crate::error::{Fault, quoted};
use crate::field::Value;
use crate::kind::ValueKind;
use crate::values::quantity;

/// The highest rate that can be set, a second.
const MAX_RATE: f64 = 1_000_000.0;
/// The lowest rate, about one request a day: a crawl at a lower rate would never end.
const MIN_RATE: f64 = 0.00001;

impl Value for bool {
    const KIND: Option<ValueKind> = Some(ValueKind::Switch);

    fn read(text: &str, _kind: &ValueKind) -> Result<bool, Fault> {
        match text.trim() {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(Fault::new(format!("{} is neither true nor false", quoted(other)), "write true or false")),
        }
    }
}

impl Value for u8 {
    fn read(text: &str, kind: &ValueKind) -> Result<u8, Fault> {
        let max = match kind {
            ValueKind::Level { max } => *max,
            _ => 100,
        };
        integer(text, 0, u64::from(max))
    }
}

impl Value for u32 {
    fn read(text: &str, kind: &ValueKind) -> Result<u32, Fault> {
        let (min, max) = bounds(kind);
        integer(text, min, max)
    }
}

impl Value for usize {
    fn read(text: &str, kind: &ValueKind) -> Result<usize, Fault> {
        let (min, max) = bounds(kind);
        integer(text, min, max)
    }
}

impl Value for u64 {
    fn read(text: &str, kind: &ValueKind) -> Result<u64, Fault> {
        match kind {
            ValueKind::Size { min, max } => quantity::size(text, *min, *max),
            other => {
                let (min, max) = bounds(other);
                integer(text, min, max)
            }
        }
    }
}

impl Value for f64 {
    const KIND: Option<ValueKind> = Some(ValueKind::Rate);

    fn read(text: &str, _kind: &ValueKind) -> Result<f64, Fault> {
        match text.trim().parse::<f64>() {
            Ok(rate) if (MIN_RATE..=MAX_RATE).contains(&rate) => Ok(rate),
            _ => Err(Fault::new(
                format!("{} is not a rate", quoted(text)),
                format!("give a number from {MIN_RATE} to {MAX_RATE}, such as 2 or 0.5"),
            )),
        }
    }
}

fn bounds(kind: &ValueKind) -> (u64, u64) {
    match kind {
        ValueKind::Count { min, max } => (*min, *max),
        _ => (0, u64::MAX),
    }
}

/// Reads an integer from `min` to `max` that also fits the field's type.
fn integer<N: TryFrom<u64>>(text: &str, min: u64, max: u64) -> Result<N, Fault> {
    let trimmed = text.trim();
    let digits = !trimmed.is_empty() && trimmed.bytes().all(|b| b.is_ascii_digit());
    if !digits {
        return Err(Fault::new(format!("{} is not a whole number", quoted(text)), range(min, max)));
    }
    let number = trimmed.parse::<u64>().unwrap_or(u64::MAX);
    let fits = if (min..=max).contains(&number) { N::try_from(number).ok() } else { None };
    fits.ok_or_else(|| match number < min {
        true => Fault::new(format!("{} is too small", quoted(trimmed)), range(min, max)),
        false => Fault::new(format!("{} is too large", quoted(trimmed)), format!("give a number from {min} to {max}")),
    })
}

fn range(min: u64, max: u64) -> String {
    /// An upper bound above this is no help to a person, and is not named.
    const NOTIFICATIONS: u64 = 1_000_000_000;
    if max > NOTIFICATIONS {
        format!("give a number from {min} up")
    } else {
        format!("give a number from {min} to {max}")
    }
}
