//! Escaping of text from outside for terminals: a site must not be able to move the cursor, change colours or reorder
//! the displayed text.

use mapwright_text::{is_unsafe, visible_lines};
use serde::Serialize;
use std::io::{self, Write};

/// Renders a value as one line of JSON with sorted keys, and with unsafe characters as JSON escapes.
///
/// # Errors
/// The value has no JSON: a path that is not Unicode.
pub(crate) fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(json(&serde_json::to_value(value)?.to_string()))
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

/// A writer that escapes all text; each write must contain complete characters.
pub(crate) struct SafeWriter<W>(pub(crate) W);

impl<W: Write> Write for SafeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(visible_lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
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
