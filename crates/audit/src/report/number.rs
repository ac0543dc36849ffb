//! Numbers as people read them.

/// A count with its thousands set apart.
#[must_use]
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How much one count is of another, of 0 to 1; counts are far below where this is inexact.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64).min(1.0) }
}

/// A share in words; what is there at all is never told as nothing, nor a part as the whole.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let percent = share(part, whole) * 100.0;
    match percent {
        _ if part == 0 || part >= whole => format!("{percent:.0} %"),
        ..1.0 => "under 1 %".to_owned(),
        99.0.. => "over 99 %".to_owned(),
        _ => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::{grouped, percent};

    #[test]
    fn thousands_are_set_apart() {
        let counts = [0, 999, 1_000, 65_536, 1_234_567, u64::MAX];
        let told = ["0", "999", "1,000", "65,536", "1,234,567", "18,446,744,073,709,551,615"];
        assert_eq!(counts.map(grouped), told);
    }

    #[test]
    fn shares_never_hide_what_is_there() {
        assert_eq!(percent(0, 0), "0 %");
        assert_eq!(percent(1, 3), "33 %");
        assert_eq!(percent(1, 9_999), "under 1 %");
        assert_eq!(percent(9_998, 9_999), "over 99 %");
        assert_eq!(percent(5, 5), "100 %");
    }
}
