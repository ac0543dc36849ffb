//! Standard output, which carries results only.

use crate::exit::Exit;
use crate::failure::Failure;
use mapwright_text::json;
use serde::Serialize;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

/// Standard output. A reader that closed its end (`| head`) is no error: further output is dropped.
pub(crate) struct Output {
    inner: BufWriter<StdoutLock<'static>>,
    closed: bool,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output { inner: BufWriter::new(io::stdout().lock()), closed: false }
    }

    /// Writes one line of text that may come from outside.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.raw(format!("{}\n", mapwright_text::visible(text)).as_bytes())
    }

    /// Writes fields that may come from outside, with tabs between them, as one line.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn columns(&mut self, fields: &[&str]) -> Result<(), Failure> {
        let fields: Vec<_> = fields.iter().map(|field| mapwright_text::visible(field)).collect();
        self.raw(format!("{}\n", fields.join("\t")).as_bytes())
    }

    /// Writes a value as one line of JSON.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.json_after("", value)?;
        self.raw(b"\n")
    }

    /// Writes a text of this program itself, and a value as JSON after it.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn json_after(&mut self, text: &str, value: &impl Serialize) -> Result<(), Failure> {
        let line = json::line(value).map_err(|error| {
            Failure::new(Exit::Failed, error.to_string(), "standard output", "choose --format text")
        })?;
        self.raw(format!("{text}{line}").as_bytes())
    }

    /// Writes text of this program itself, or text in a form that escapes control characters, such as JSON.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.write_all(bytes);
        self.settle(result)
    }

    /// Returns whether the reader has closed its end.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Flushes the buffer.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.flush();
        self.settle(result)
    }

    /// Converts the result of another library's write to standard output.
    ///
    /// # Errors
    /// The write failed.
    pub(crate) fn written(result: io::Result<()>) -> Result<(), Failure> {
        Output::new().settle(result.and_then(|()| io::stdout().flush()))
    }

    fn settle(&mut self, result: io::Result<()>) -> Result<(), Failure> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => {
                let what = format!("cannot write ({error})");
                Err(Failure::new(Exit::OutputFailed, what, "standard output", "see where it leads, and its space"))
            }
            Ok(()) => Ok(()),
        }
    }
}
