//! Counts with their nouns.

use crate::report::grouped;

/// Returns a count with its noun, which is given in the singular and has a regular plural: `1 page`, `2,000 pages`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular_and_all_else_is_not() {
        assert_eq!(
            [0, 1, 2, 2_000].map(|count| counted(count, "page")),
            ["0 pages", "1 page", "2 pages", "2,000 pages"]
        );
    }
}
