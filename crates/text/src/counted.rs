//! Counts with their nouns.

use crate::number::grouped;

/// Returns a count with its noun, which is given in the singular and has a regular plural: `1 page`, `2 pages`,
/// `1 entry`, `2 entries`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    of(count, &count.to_string(), noun)
}

/// Returns a count with its noun like [`counted`], with thousands separators: `2,000 pages`.
#[must_use]
pub fn counted_in_groups(count: u64, noun: &str) -> String {
    of(count, &grouped(count), noun)
}

fn of(count: u64, shown: &str, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) => format!("{shown} {stem}ies"),
        None => format!("{shown} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, counted_in_groups};

    #[test]
    fn one_is_singular_and_all_else_is_not() {
        for (count, noun, reported) in [
            (0, "page", "0 pages"),
            (1, "page", "1 page"),
            (2, "page", "2 pages"),
            (1, "entry", "1 entry"),
            (2, "entry", "2 entries"),
            (2, "URL", "2 URLs"),
        ] {
            assert_eq!(counted(count, noun), reported);
        }
        assert_eq!(counted_in_groups(2_000, "page"), "2,000 pages");
    }
}
