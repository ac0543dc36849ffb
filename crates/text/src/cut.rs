//! Long texts, cut.

use std::borrow::Cow;

/// Returns at most `limit` characters of a text; an ellipsis after them marks a cut.
#[must_use]
pub fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or(text))),
    }
}

/// Returns the first `most` characters, the last of them an ellipsis if more would follow.
#[must_use]
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.char_indices().nth(most).is_none() { Cow::Borrowed(text) } else { shortened(text, most.saturating_sub(1)) }
}

#[cfg(test)]
mod tests {
    use super::{cut, shortened};

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüß", 3), "äöü…");
    }

    #[test]
    fn the_ellipsis_counts_where_the_length_is_bounded() {
        assert_eq!((cut("äöü", 3), cut("äöüß", 3)), ("äöü".into(), "äö…".into()));
    }
}
