//! Sizes as people write them.

/// Units, each 1024 times the one before.
const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Returns a number of bytes in the largest unit in which it is at least one: `256 MiB`, `1.5 KiB`, `12 B`.
#[must_use]
pub fn size(bytes: u64) -> String {
    let (mut number, mut unit) = (bytes as f64, "B");
    for larger in UNITS {
        if number < 1024.0 {
            break;
        }
        (number, unit) = (number / 1024.0, larger);
    }
    let number = format!("{number:.1}");
    format!("{} {unit}", number.strip_suffix(".0").unwrap_or(&number))
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn a_size_is_shown_in_its_largest_unit() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (268_435_456, "256 MiB"),
            (4_000_000_000_000_000, "3.6 PiB"),
            (u64::MAX, "16 EiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
