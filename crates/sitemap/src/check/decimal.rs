//! Numbers as `xsd:decimal` writes them (XML Schema part 2, 3.2.3), compared by their digits: the nearest number of the
//! processor to one that is a little beyond a bound may be the bound itself.

/// A number in its digits, of which there may be any number.
pub(super) struct Decimal<'t> {
    is_negative: bool,
    /// Without noughts in front.
    whole: &'t str,
    /// Without noughts at the end.
    fraction: &'t str,
}

impl<'t> Decimal<'t> {
    /// Reads the lexical form (3.2.3.1): no exponent, no `INF`, no `NaN`.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = !(whole.is_empty() && fraction.is_empty()) && all_digits(whole) && all_digits(fraction);
        is_number.then(|| Self {
            is_negative: text.starts_with('-'),
            whole: whole.trim_start_matches('0'),
            fraction: fraction.trim_end_matches('0'),
        })
    }

    /// Whether it lies between 0.0 and 1.0, both included.
    pub(super) fn is_within_one(&self) -> bool {
        match (self.whole, self.fraction) {
            ("", "") => true,
            ("", _) | ("1", "") => !self.is_negative,
            _ => false,
        }
    }
}
