//! Texts of a site, made safe to read: none can reorder, hide or break the text around it.

use crate::cut::cut;
use std::borrow::Cow;

/// Reports whether a character acts on the text around it instead of being seen: control characters (C0, DEL, C1),
/// line separators, changes of direction, and code points that no document may hold.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Reports whether a text has only printable ASCII characters without markup, so that it needs no escaping. Most texts
/// are such, and bytes are compared faster than characters.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'<' | b'>' | b'&' | b'\''))
}

/// Returns the text with unsafe characters shown as escapes, as in `\u202e`: it stays on one line, and in one column.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if is_plain(text) { Cow::Borrowed(text) } else { escaped(text, is_unsafe) }
}

/// Returns a text of several lines with unsafe characters, apart from newlines and tabs, shown as escapes.
#[must_use]
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_unsafe(c) && c != '\n' && c != '\t')
}

/// Returns the text on one line, of at most `most` characters, escapes included.
#[must_use]
pub fn line(text: &str, most: usize) -> String {
    // Of the rest nothing is shown.
    let end = text.char_indices().nth(most.saturating_add(1)).map_or(text.len(), |(end, _)| end);
    cut(&visible(text.get(..end).unwrap_or(text)), most).into_owned()
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) { shown.push_str(&escape(c)) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Returns the escape of a character of the basic multilingual plane, as JSON and people read it.
fn escape(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        _ => format!("\\u{:04x}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::{line, visible, visible_lines};

    #[test]
    fn unsafe_characters_are_shown_as_escapes() {
        assert_eq!(visible("abc\u{202e}gpj.exe"), "abc\\u202egpj.exe");
        assert_eq!(visible("a\nb\tc\u{7}\u{1b}[31m"), "a\\nb\\tc\\u0007\\u001b[31m");
        for c in ['\u{202a}', '\u{2066}', '\u{2069}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{85}', '\u{ffff}'] {
            assert_eq!(visible(&c.to_string()), format!("\\u{:04x}", u32::from(c)));
        }
    }

    #[test]
    fn lines_and_columns_of_a_text_stay() {
        assert_eq!(visible_lines("a\u{1b}[31mb\u{7}\u{7f}\u{9b}2J"), "a\\u001b[31mb\\u0007\\u007f\\u009b2J");
        assert_eq!(visible_lines("a\r\nb\tc"), "a\\r\nb\tc");
    }

    #[test]
    fn the_direction_of_text_cannot_be_changed() {
        for c in ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}') {
            assert!(!visible_lines(&format!("a{c}b")).contains(c));
        }
    }

    #[test]
    fn a_line_is_one_line_for_every_reader() {
        for c in ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'] {
            assert!(!visible(&format!("a{c}b")).contains(c), "{c:?}");
        }
        assert_eq!(line("a\r\nBcc: b\u{2028}c\u{202e}d", 100), r"a\r\nBcc: b\u2028c\u202ed");
    }

    #[test]
    fn a_line_is_bounded_escapes_included() {
        assert_eq!(line(&"\u{202e}".repeat(1_000), 50).chars().count(), 50);
        assert_eq!((line("abcde", 5), line("abcdef", 5)), ("abcde".to_owned(), "abcd…".to_owned()));
    }

    #[test]
    fn other_scripts_are_unchanged() {
        for text in ["Straße, שלום, 日本語, 👩‍👩‍👧", "https://example.com/für?a=日本 😀"] {
            assert_eq!((visible(text), visible_lines(text), line(text, 100)), (text.into(), text.into(), text.into()));
        }
    }
}
