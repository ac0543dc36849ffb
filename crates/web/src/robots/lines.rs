//! The lines of a robots.txt, and the text that the tokenizer receives.
//!
//! The tokenizer receives clean lines only: ASCII, without comments and surrounding white space, with well-formed
//! escapes, of limited length, one for each line of the file. So its line numbers are those of the file, and its faulty
//! handling of byte-order marks, escapes and long lines has no effect.

use super::{MAX_FILE_BYTES, MAX_TEXT_CHARS};
use crate::percent;

/// The UTF-8 byte-order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The maximum size of a key and of a value passed to the tokenizer, in octets: it mishandles lines of more than
/// 16,664. Rules are read from the line itself, and other values may be truncated.
const MAX_PART: usize = 2_000;

/// The lines of one file, from 1.
pub(super) struct Lines<'a> {
    lines: Vec<&'a [u8]>,
    /// The file is longer than the part that is read.
    pub(super) cut: bool,
}

impl<'a> Lines<'a> {
    /// The lines of the part of `bytes` that is read.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        let (read, beyond) = bytes.split_at_checked(MAX_FILE_BYTES).unwrap_or((bytes, b""));
        let mut lines = split(without_mark(read));
        let cut = !beyond.is_empty();
        if cut && !beyond.starts_with(b"\n") && !beyond.starts_with(b"\r") {
            // Half a rule has a wider effect than the complete one: `/a` for `/a/b`.
            lines.pop();
        }
        Lines { lines, cut }
    }

    /// The text for the tokenizer.
    pub(super) fn for_tokenizer(&self) -> String {
        let mut text = String::with_capacity(self.lines.iter().map(|line| line.len() + 1).sum());
        for line in &self.lines {
            let statement = statement(line);
            if statement.len() <= MAX_PART {
                text.push_str(&percent::to_ascii(statement));
            } else {
                push_shortened(statement, &mut text);
            }
            text.push('\n');
        }
        text
    }

    /// The number of lines.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    fn get(&self, number: u32) -> &'a [u8] {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| self.lines.get(index)).copied().unwrap_or_default()
    }

    /// The key of a line in lower case: the text before the first colon, or, without one, before the first white space.
    pub(super) fn key(&self, number: u32) -> String {
        let statement = statement(self.get(number));
        let (key, _) = split_pair(statement);
        String::from_utf8_lossy(trimmed(key)).to_ascii_lowercase()
    }

    /// Returns true if the line has a colon between key and value.
    pub(super) fn has_colon(&self, number: u32) -> bool {
        statement(self.get(number)).contains(&b':')
    }

    /// The value of a line as written, without its comment.
    pub(super) fn value(&self, number: u32) -> String {
        String::from_utf8_lossy(self.value_octets(number)).into_owned()
    }

    /// The octets of that value.
    pub(super) fn value_octets(&self, number: u32) -> &'a [u8] {
        let (_, value) = split_pair(statement(self.get(number)));
        trimmed(value)
    }

    /// Returns true if the line is in UTF-8, and was when it was decoded.
    pub(super) fn is_utf8(&self, number: u32) -> bool {
        str::from_utf8(self.get(number)).is_ok_and(|line| !line.contains(char::REPLACEMENT_CHARACTER))
    }

    /// Returns true if the line is empty or only a comment.
    pub(super) fn is_blank(&self, number: u32) -> bool {
        statement(self.get(number)).is_empty()
    }

    /// The line for display: trimmed and bounded.
    pub(super) fn text(&self, number: u32) -> String {
        let line = trimmed(self.get(number));
        // A character has 4 octets at most.
        let line = line.get(..MAX_TEXT_CHARS * 4).unwrap_or(line);
        String::from_utf8_lossy(line).chars().take(MAX_TEXT_CHARS).collect()
    }

    /// Returns true if the file begins with markup. An HTML comment counts only if no rule follows, because some robots
    /// files begin with one.
    pub(super) fn look_like_html(&self, has_rules: bool) -> bool {
        const OPENINGS: [&str; 7] = ["<!doctype", "<html", "<head", "<body", "<?xml", "<title", "<meta"];
        const COMMENT: &[u8] = b"<!--";
        let first = self.lines.iter().map(|line| trimmed(line)).find(|line| !line.is_empty()).unwrap_or_default();
        (first.starts_with(COMMENT) && !has_rules)
            || OPENINGS.iter().any(|opening| {
                first.get(..opening.len()).is_some_and(|start| start.eq_ignore_ascii_case(opening.as_bytes()))
            })
    }
}

/// Adds the part of a long line that the tokenizer needs.
fn push_shortened(statement: &[u8], text: &mut String) {
    let (key, value) = split_pair(statement);
    let begins = |part: &[u8]| percent::to_ascii(part.get(..MAX_PART).unwrap_or(part));
    text.push_str(&begins(key));
    text.push_str(": ");
    text.push_str(&begins(trimmed(value)));
}

/// A file without its byte-order mark, or the truncated rest of one, as Google's parser reads it.
fn without_mark(file: &[u8]) -> &[u8] {
    let octets = BOM.iter().zip(file).take_while(|(mark, octet)| mark == octet).count();
    file.get(octets..).unwrap_or_default()
}

/// `text` without surrounding ASCII white space, including vertical tabs, which [`<[u8]>::trim_ascii`] keeps.
fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [b'\t'..=b'\r' | b' ', rest @ ..] | [rest @ .., b'\t'..=b'\r' | b' '] = text {
        text = rest;
    }
    text
}

/// Splits at CR, LF and CRLF (RFC 9309 2.2); the end of the file ends the last line.
fn split(mut text: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    while let Some(at) = memchr::memchr2(b'\r', b'\n', text) {
        let (line, rest) = text.split_at_checked(at).unwrap_or((text, b""));
        lines.push(line);
        text = rest.strip_prefix(b"\r\n").or_else(|| rest.get(1..)).unwrap_or_default();
    }
    lines.push(text);
    lines
}

/// A line without its comment and surrounding white space.
fn statement(line: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'#', line).unwrap_or(line.len());
    trimmed(line.get(..end).unwrap_or(line))
}

fn split_pair(statement: &[u8]) -> (&[u8], &[u8]) {
    let colon = memchr::memchr(b':', statement);
    let at = colon.or_else(|| memchr::memchr2(b' ', b'\t', statement)).unwrap_or(statement.len());
    let (key, rest) = statement.split_at_checked(at).unwrap_or((statement, b""));
    (key, rest.get(1..).unwrap_or_default())
}
