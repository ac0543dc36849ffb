//! Reads a text sitemap: one URL per line.

use std::io::BufRead;

use super::entry::{EntryKind, Flaw, RawEntry};
use super::faults::{Faults, quoted};
use super::source::Source;
use crate::CheckRule;
use crate::limits::after_web_scheme;

pub(super) struct Lines<R> {
    source: Source<R>,
    line: u64,
    /// The previous line ended with CR, so that an LF belongs to it.
    after_cr: bool,
    text_limit: usize,
    any_url: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(source: Source<R>, text_limit: usize) -> Self {
        Self { source, line: 0, after_cr: false, text_limit, any_url: false }
    }

    pub(super) const fn source(&mut self) -> &mut Source<R> {
        &mut self.source
    }

    /// Returns true if a URL has been read.
    pub(super) const fn any_url(&self) -> bool {
        self.any_url
    }

    /// Advances to the next line that is a URL; `false` at the end.
    pub(super) fn next(&mut self, entry: &mut RawEntry, faults: &mut Faults) -> bool {
        while self.read_line(entry) {
            let (line, text) = (self.line, entry.loc.trimmed());
            if entry.loc.flaw.is_some() {
                let limit = self.text_limit;
                faults.add(line, CheckRule::TextLine, || format!("a line of more than {limit} bytes is no URL"));
            } else if text.is_empty() {
                continue;
            } else if after_web_scheme(text).is_none() {
                faults.add(line, CheckRule::TextLine, || format!("the line {} is not an absolute URL", quoted(text)));
            } else if text.contains(char::is_whitespace) {
                faults.add(line, CheckRule::TextLine, || format!("the line {} holds more than one URL", quoted(text)));
            } else {
                self.any_url = true;
                return true;
            }
        }
        false
    }

    /// Reads one line into the entry's location, up to LF, CRLF or CR; `false` at the end of the text.
    fn read_line(&mut self, entry: &mut RawEntry) -> bool {
        self.line += 1;
        entry.begin(EntryKind::Page, self.line);
        entry.loc.begin(self.line);
        let mut any = false;
        loop {
            // A line may be longer than an event: its text is only kept up to the limit.
            self.source.begin_event();
            let Ok(available) = self.source.fill_buf() else { return any };
            let (skip, rest) = match (self.after_cr, available) {
                (true, [b'\n', rest @ ..]) => (1, rest),
                (_, rest) => (0, rest),
            };
            if available.is_empty() {
                return any;
            }
            self.after_cr = false;
            any = true;
            let end = memchr::memchr2(b'\n', b'\r', rest);
            let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            match std::str::from_utf8(text) {
                Ok(text) => entry.loc.push(text, self.text_limit),
                Err(_) => entry.loc.flaw = Some(Flaw::Unresolved),
            }
            let consumed = skip + text.len() + usize::from(end.is_some());
            let ended_by = end.and_then(|end| rest.get(end)).copied();
            self.source.consume(consumed);
            if let Some(byte) = ended_by {
                self.after_cr = byte == b'\r';
                return true;
            }
        }
    }
}
