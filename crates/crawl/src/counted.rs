//! Counts with their nouns.

/// Returns a count with its noun, which is given in the singular and has a regular plural: `1 page`, `2 pages`,
/// `1 entry`, `2 entries`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

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
    }
}
