//! Numbers as people read them.

/// Returns a count with thousands separators.
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

/// Returns the share of one count in another, from 0 to 1; counts are far below the limit of exactness.
#[must_use]
pub fn share(part: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { (part as f64 / total as f64).min(1.0) }
}

/// Returns a share in words; a part that is not empty never shows as 0 %, nor an incomplete one as 100 %.
#[must_use]
pub fn percent(part: u64, total: u64) -> String {
    let percent = share(part, total) * 100.0;
    match percent {
        _ if part == 0 || part >= total => format!("{percent:.0} %"),
        ..1.0 => "under 1 %".to_owned(),
        99.0.. => "over 99 %".to_owned(),
        _ => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::{grouped, percent};

    #[test]
    fn thousands_are_separated() {
        let counts = [0, 999, 1_000, 65_536, 1_234_567, u64::MAX];
        let found = ["0", "999", "1,000", "65,536", "1,234,567", "18,446,744,073,709,551,615"];
        assert_eq!(counts.map(grouped), found);
    }

    #[test]
    fn small_and_nearly_complete_shares_are_visible() {
        assert_eq!(percent(0, 0), "0 %");
        assert_eq!(percent(1, 3), "33 %");
        assert_eq!(percent(1, 9_999), "under 1 %");
        assert_eq!(percent(9_998, 9_999), "over 99 %");
        assert_eq!(percent(5, 5), "100 %");
    }
}
