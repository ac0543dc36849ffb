//! Escaping of text from outside for terminals: a site must not be able to move the cursor, change colours or reorder
//! the displayed text.

use mapwright_text::json::escaped;
use mapwright_text::visible_lines;
use std::io::{self, Write};

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
            Some(line) => writeln!(self.0, "{}", escaped(line)),
            None => self.0.write_all(escaped(line).as_bytes()),
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests;
