//! Makes external text safe for a line that people read.

/// Returns the text on one line, of at most `most` characters. Characters that begin a line, move a cursor or change
/// the direction of text are escaped, so that no page can add a header or a paragraph to a message.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for c in text.chars().take(most.saturating_add(1)) {
        if is_unsafe(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    cut(&shown, most)
}

/// Returns the first `most` characters, the last of them an ellipsis if more would follow.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// C0, DEL and C1 control characters, line separators, and the characters that change the direction of text.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{cut, line};

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(line("a\r\nBcc: b\u{2028}c\u{202e}d", 100), r"a\r\nBcc: b\u{2028}c\u{202e}d");
        assert_eq!(line("Grüße aus 北京", 100), "Grüße aus 北京");
    }

    #[test]
    fn a_line_is_bounded_escapes_included() {
        assert_eq!(cut("abcde", 5), "abcde");
        assert_eq!(cut("abcdef", 5), "abcd…");
        assert_eq!(line(&"\u{202e}".repeat(1_000), 50).chars().count(), 50);
    }
}
