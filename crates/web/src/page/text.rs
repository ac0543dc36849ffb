//! Text for people: references decoded, blanks collapsed, bounded.

use super::plain::is_plain;
use super::references::{Context, decode};

/// Gathers text piece by piece.
#[derive(Debug)]
pub(crate) struct Collapsed {
    text: String,
    /// A blank came since the last word.
    blank: bool,
    /// Bytes of text kept at most.
    limit: usize,
    full: bool,
}

impl Collapsed {
    pub(crate) fn new(limit: usize) -> Self {
        Collapsed { text: String::new(), blank: false, limit, full: false }
    }

    /// Takes a piece of the document's text.
    pub(crate) fn push_raw(&mut self, raw: &str) {
        if self.full {
            return;
        }
        if is_plain(raw.as_bytes()) {
            self.push_plain(raw);
        } else {
            self.push(&decode(raw, Context::Text));
        }
    }

    /// Takes text of which [`is_plain`] holds, at once.
    fn push_plain(&mut self, text: &str) {
        let behind = text.strip_prefix(' ');
        self.blank |= behind.is_some();
        let words = behind.unwrap_or(text);
        let Some(last) = words.as_bytes().last() else { return };
        let space = usize::from(self.blank && !self.text.is_empty());
        if self.text.len() + space + words.len() > self.limit {
            self.push(words);
            return;
        }
        if space > 0 {
            self.text.push(' ');
        }
        self.text.push_str(words.strip_suffix(' ').unwrap_or(words));
        self.blank = *last == b' ';
    }

    /// Takes text that needs no decoding.
    pub(crate) fn push(&mut self, text: &str) {
        for char in text.chars() {
            if self.full {
                return;
            }
            if char.is_whitespace() {
                self.blank = true;
            } else {
                self.push_char(char);
            }
        }
    }

    fn push_char(&mut self, char: char) {
        let space = usize::from(self.blank && !self.text.is_empty());
        if self.text.len() + space + char.len_utf8() > self.limit {
            self.full = true;
            return;
        }
        if space > 0 {
            self.text.push(' ');
        }
        self.blank = false;
        self.text.push(char);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// A text with blanks collapsed and at most `limit` bytes.
pub(crate) fn collapse(text: &str, limit: usize) -> String {
    let mut collapsed = Collapsed::new(limit);
    collapsed.push(text);
    collapsed.into_text()
}

/// The beginning of `text`, at most `limit` bytes, cut between characters.
pub(crate) fn bounded(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or_default()
}
