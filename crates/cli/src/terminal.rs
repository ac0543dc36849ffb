//! Escaping of text from outside for terminals: a site must not be able to move the cursor, change colours or reorder
//! the displayed text.

use std::borrow::Cow;
use std::io::{self, Write};

/// Escapes a text of several lines: control characters except newlines and tabs are shown as escapes.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_unsafe(c) && c != '\n' && c != '\t')
}

/// Escapes a text that must stay on one line and in one column: newlines and tabs are shown as escapes, too.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_unsafe)
}

/// Escapes one line of JSON: unsafe characters become JSON escapes.
pub(crate) fn json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) {
            safe.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Returns whether a character is unsafe: C0, DEL and C1 control characters, line separators (a new line for some
/// readers), and the characters that change the direction of text.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, escape: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&escape) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if escape(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// A writer that escapes all text; each write must contain complete characters.
pub(crate) struct SafeWriter<W>(pub(crate) W);

impl<W: Write> Write for SafeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(text(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A writer that escapes lines of JSON, which remain JSON.
pub(crate) struct SafeJsonWriter<W>(pub(crate) W);

impl<W: Write> Write for SafeJsonWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let lines = String::from_utf8_lossy(bytes);
        lines.split_inclusive('\n').try_for_each(|line| match line.strip_suffix('\n') {
            Some(line) => writeln!(self.0, "{}", json(line)),
            None => self.0.write_all(json(line).as_bytes()),
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests;
