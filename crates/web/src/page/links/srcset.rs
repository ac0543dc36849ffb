//! The `srcset` attribute (HTML 4.8.4.2.2).

/// The URLs of all image candidates, in order; their descriptors are skipped unchecked.
pub(crate) fn candidates(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|char| crate::page::syntax::attributes::blank(char) || char == ',');
        let (url, after) =
            rest.split_at_checked(rest.find(crate::page::syntax::attributes::blank).unwrap_or(rest.len()))?;
        if url.is_empty() {
            return None;
        }
        let bare = url.trim_end_matches(',');
        rest = if bare.len() < url.len() { after } else { after_descriptors(after) };
        Some(bare)
    })
}

/// The text after the next comma outside parentheses.
fn after_descriptors(text: &str) -> &str {
    let mut inside = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => inside = true,
            b')' => inside = false,
            b',' if !inside => return text.get(at + 1..).unwrap_or_default(),
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::candidates;

    fn all(value: &str) -> Vec<&str> {
        candidates(value).collect()
    }

    #[test]
    fn every_candidate_is_found() {
        assert_eq!(all("a.png 1x, b.png 2x"), ["a.png", "b.png"]);
        assert_eq!(all("a.png, b.png 2x,c.png"), ["a.png", "b.png", "c.png"]);
        assert_eq!(all(" , a.png 100w 50h ,\n b.png"), ["a.png", "b.png"]);
        assert_eq!(all("only.png"), ["only.png"]);
    }

    #[test]
    fn a_comma_inside_a_url_is_part_of_it() {
        assert_eq!(all("a,b.png 1x,data:,x 2x"), ["a,b.png", "data:,x"]);
    }

    #[test]
    fn parentheses_hide_commas() {
        assert_eq!(all("a.png x(1,2), b.png"), ["a.png", "b.png"]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(all(" ,, "), Vec::<&str>::new());
        assert_eq!(all(""), Vec::<&str>::new());
    }
}
