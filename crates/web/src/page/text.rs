//! Text for people: references decoded, white space collapsed, bounded.

use super::plain::is_plain;
use super::references::{Context, decode};
use std::borrow::Cow;

/// The spare capacity after the first of several pieces, in bytes: enough for most texts.
const FURTHER: usize = 64;

/// Collects text piece by piece. Most texts are one plain piece of the document and are borrowed from it.
#[derive(Debug)]
pub(crate) struct Collapsed<'t> {
    text: Cow<'t, str>,
    /// White space followed the last word.
    blank: bool,
    /// The maximum size in bytes.
    limit: usize,
    full: bool,
}

impl<'t> Collapsed<'t> {
    pub(crate) fn new(limit: usize) -> Self {
        Collapsed { text: Cow::Borrowed(""), blank: false, limit, full: false }
    }

    /// Adds a piece of the document's text.
    pub(crate) fn push_raw(&mut self, raw: &'t str) {
        if self.full {
            return;
        }
        if is_plain(raw.as_bytes()) {
            self.push_plain(raw);
        } else {
            self.push(&decode(raw, Context::Text));
        }
    }

    /// Adds text for which [`is_plain`] holds, in one step.
    fn push_plain(&mut self, text: &'t str) {
        let behind = text.strip_prefix(' ');
        self.blank |= behind.is_some();
        let words = behind.unwrap_or(text);
        let Some(last) = words.as_bytes().last() else { return };
        let space = usize::from(self.blank && !self.text.is_empty());
        if self.text.len() + space + words.len() > self.limit {
            self.push(words);
            return;
        }
        let trimmed = words.strip_suffix(' ').unwrap_or(words);
        if self.text.is_empty() {
            self.text = Cow::Borrowed(trimmed);
        } else {
            self.append(space, trimmed);
        }
        self.blank = *last == b' ';
    }

    /// Adds text that needs no decoding.
    pub(crate) fn push(&mut self, text: &str) {
        self.blank |= text.starts_with(char::is_whitespace);
        for word in text.split_whitespace() {
            self.push_word(word);
            if self.full {
                return;
            }
            self.blank = true;
        }
        self.blank &= text.is_empty() || text.ends_with(char::is_whitespace);
    }

    /// Adds a word, or the part of it that fits.
    fn push_word(&mut self, word: &str) {
        let space = usize::from(self.blank && !self.text.is_empty());
        let room = self.limit.saturating_sub(self.text.len() + space);
        let part = bounded(word, room);
        self.full = part.len() < word.len();
        if part.is_empty() {
            return;
        }
        self.append(space, part);
    }

    fn append(&mut self, space: usize, part: &str) {
        if let Cow::Borrowed(first) = self.text {
            let mut text = String::with_capacity(first.len() + part.len().max(FURTHER));
            text.push_str(first);
            self.text = Cow::Owned(text);
        }
        let text = self.text.to_mut();
        if space > 0 {
            text.push(' ');
        }
        text.push_str(part);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn into_text(self) -> Cow<'t, str> {
        self.text
    }
}

/// A text with white space collapsed and at most `limit` bytes.
pub(crate) fn collapse<'t>(text: impl Into<Cow<'t, str>>, limit: usize) -> Cow<'t, str> {
    let mut collapsed = Collapsed::new(limit);
    match text.into() {
        Cow::Borrowed(text) if is_plain(text.as_bytes()) => collapsed.push_plain(text),
        text => collapsed.push(&text),
    }
    collapsed.into_text()
}

/// The beginning of `text`, at most `limit` bytes, cut between characters.
pub(crate) fn bounded(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, character by character.
    fn plainly(pieces: &[String], limit: usize) -> String {
        let mut text = String::new();
        let mut blank = false;
        for char in pieces.concat().chars() {
            if char.is_whitespace() {
                blank = true;
                continue;
            }
            let space = usize::from(blank && !text.is_empty());
            if text.len() + space + char.len_utf8() > limit {
                break;
            }
            text.push_str(if space > 0 { " " } else { "" });
            text.push(char);
            blank = false;
        }
        text
    }

    proptest! {
        #[test]
        fn pieces_are_collapsed_as_one_text(
            pieces in proptest::collection::vec("[ab é\u{2003}\n]{0,12}", 0..5),
            limit in 0_usize..30,
        ) {
            let mut collapsed = Collapsed::new(limit);
            pieces.iter().for_each(|piece| collapsed.push_raw(piece));
            prop_assert_eq!(collapsed.into_text(), plainly(&pieces, limit));
        }
    }
}
