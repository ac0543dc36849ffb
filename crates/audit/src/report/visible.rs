//! Texts of the site, made safe to read: none can reorder, hide or break the text around it.

use std::borrow::Cow;

/// Returns true for a character that acts on the text around it instead of being seen: control characters, line
/// separators, changes of direction, and code points that no document may hold.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns true if a text has only printable ASCII characters without markup, so that it needs no escaping. Most texts
/// are such, and bytes are compared faster than characters.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'<' | b'>' | b'&' | b'\''))
}

/// Returns the text with unsafe characters shown as escapes, as in `\u202e`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if is_plain(text) || !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) { shown.push_str(&escape(c)) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Returns the escape of a character of the basic multilingual plane, as JSON and people read it.
pub(crate) fn escape(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        _ => format!("\\u{:04x}", u32::from(c)),
    }
}

/// Returns at most `limit` characters of a text; an ellipsis marks a cut.
pub(crate) fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::{shortened, visible};

    #[test]
    fn unsafe_characters_are_shown_as_escapes() {
        assert_eq!(visible("abc\u{202e}gpj.exe"), "abc\\u202egpj.exe");
        assert_eq!(visible("a\nb\tc\u{7}\u{1b}[31m"), "a\\nb\\tc\\u0007\\u001b[31m");
        for c in ['\u{202a}', '\u{2066}', '\u{2069}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{85}', '\u{ffff}'] {
            assert_eq!(visible(&c.to_string()), format!("\\u{:04x}", u32::from(c)));
        }
    }

    #[test]
    fn other_scripts_are_unchanged() {
        assert_eq!(visible("Straße, שלום, 日本語, 👩‍👩‍👧"), "Straße, שלום, 日本語, 👩‍👩‍👧");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüß", 3), "äöü…");
    }
}
