//! JSON that is safe to show: on a terminal, in a log, and in a page. Readers see no difference.

use crate::visible::{is_plain, is_unsafe};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Compact JSON in which the characters chosen by the function are escaped (RFC 8259, section 7).
struct Escaping(fn(char) -> bool);

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if is_plain(fragment) {
            return out.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| (self.0)(*c)) {
            let (plain, tail) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            write!(out, "\\u{:04x}", u32::from(c))?;
            rest = tail.get(c.len_utf8()..).unwrap_or("");
        }
        out.write_all(rest.as_bytes())
    }
}

/// Returns a value as one line of JSON, without control characters of terminals.
///
/// # Errors
/// The value has no JSON: a path that is not Unicode.
pub fn line(value: &impl Serialize) -> io::Result<String> {
    let mut out = Vec::new();
    write_line(&mut out, value)?;
    String::from_utf8(out).map_err(io::Error::other)
}

/// Writes a value as [`line()`] returns it.
///
/// # Errors
/// The value has no JSON, or cannot be written.
pub fn write_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    written(out, value, is_unsafe)
}

/// Writes a value that is safe in a `script` element: nothing in it ends the element, or begins a comment.
///
/// # Errors
/// The value has no JSON, or cannot be written.
pub fn write_in_page(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    written(out, value, |c| matches!(c, '<' | '>' | '&' | '\'') || is_unsafe(c))
}

/// Escapes unsafe characters in a line of JSON that another library wrote; it remains JSON.
#[must_use]
pub fn escaped(line: &str) -> String {
    let mut safe = String::with_capacity(line.len());
    for c in line.chars() {
        if is_unsafe(c) {
            safe.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            safe.push(c);
        }
    }
    safe
}

fn written(out: &mut dyn Write, value: &impl Serialize, escape: fn(char) -> bool) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping(escape))).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::{escaped, line, write_in_page};

    const HOSTILE: &str = "</script><!-- \u{202e}\u{2028}\u{7f}\u{1b} &amp; \"q\" \\ ä";

    #[test]
    fn no_text_ends_a_script_and_readers_see_no_difference() {
        let mut out = Vec::new();
        write_in_page(&mut out, &HOSTILE).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains(['<', '>', '&', '\u{202e}', '\u{2028}', '\u{1b}']), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), HOSTILE);
    }

    #[test]
    fn a_line_stays_a_line_and_leaves_urls_readable() {
        assert_eq!(line(&"http://a.test/?x=1&y=<2>\u{2029}\n").unwrap(), "\"http://a.test/?x=1&y=<2>\\u2029\\n\"");
    }

    #[test]
    fn another_librarys_line_is_escaped_the_same() {
        let theirs = serde_json::to_string(HOSTILE).unwrap();
        assert_eq!(escaped(&theirs), line(&HOSTILE).unwrap());
    }
}
