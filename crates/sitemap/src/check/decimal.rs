//! Numbers in the form of `xsd:decimal` (XML Schema part 2, 3.2.3), compared by their digits: a float cannot
//! distinguish a number a little beyond a bound from the bound.

/// A number as digits, of any length.
pub(super) struct Decimal<'t> {
    is_negative: bool,
    /// Without leading zeros.
    integer: &'t str,
    /// Without trailing zeros.
    fraction: &'t str,
}

impl<'t> Decimal<'t> {
    /// Parses the lexical form (3.2.3.1): no exponent, no `INF`, no `NaN`.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = !(integer.is_empty() && fraction.is_empty()) && all_digits(integer) && all_digits(fraction);
        is_number.then(|| Self {
            is_negative: text.starts_with('-'),
            integer: integer.trim_start_matches('0'),
            fraction: fraction.trim_end_matches('0'),
        })
    }

    /// Returns true if the number lies between 0.0 and 1.0, both included.
    pub(super) fn is_within_one(&self) -> bool {
        match (self.integer, self.fraction) {
            ("", "") => true,
            ("", _) | ("1", "") => !self.is_negative,
            _ => false,
        }
    }
}
