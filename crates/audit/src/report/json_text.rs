//! JSON that is safe to show: as a line on a terminal, and in a page.

use mapwright_text::{is_plain, is_unsafe};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Compact JSON in which the characters chosen by the function are escaped; readers see no difference.
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

/// Writes a value on one line, without control characters of terminals.
pub(crate) fn line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    written(out, value, is_unsafe)
}

/// Writes a value that is safe in a `script` element: nothing in it ends the element, or begins a comment.
pub(crate) fn in_page(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    written(out, value, |c| matches!(c, '<' | '>' | '&' | '\'') || is_unsafe(c))
}

fn written(out: &mut dyn Write, value: &impl Serialize, escape: fn(char) -> bool) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping(escape))).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::{in_page, line};

    const HOSTILE: &str = "</script><!-- \u{202e}\u{2028}\u{7f}\u{1b} &amp; \"q\" \\ ä";

    #[test]
    fn no_text_ends_a_script_and_readers_see_no_difference() {
        let mut out = Vec::new();
        in_page(&mut out, &HOSTILE).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains(['<', '>', '&', '\u{202e}', '\u{2028}', '\u{1b}']), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), HOSTILE);
    }

    #[test]
    fn a_line_stays_a_line_and_leaves_urls_readable() {
        let mut out = Vec::new();
        line(&mut out, &"http://a.test/?x=1&y=<2>\u{2029}\n").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\"http://a.test/?x=1&y=<2>\\u2029\\n\"");
    }
}
