//! Text for people: references decoded, white space collapsed, bounded.

use crate::page::plain::{is_plain, plain_length};
use crate::page::syntax::references::{Context, decode};
use std::borrow::Cow;

/// The spare capacity after the first of several pieces, in bytes: enough for most texts.
const FURTHER: usize = 64;

/// A piece of a document's text, decoded once for everything that it belongs to: its block, a link, a heading.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextPiece<'d, 't> {
    /// Text without references and control characters, whose white space is single spaces: see [`plain_length`].
    Plain(&'t str),
    /// Any other text, with references decoded.
    Decoded(&'d str),
}

impl<'t> TextPiece<'_, 't> {
    /// Decodes a piece of the document's text, and passes it to `take`.
    #[inline]
    pub(crate) fn decode<R>(raw: &'t str, take: impl FnOnce(TextPiece<'_, 't>) -> R) -> R {
        if plain_length(raw.as_bytes()) == raw.len() {
            take(TextPiece::Plain(raw))
        } else {
            take(TextPiece::Decoded(&decode(raw, Context::Text)))
        }
    }
}

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
    pub(crate) fn piece(&mut self, piece: TextPiece<'_, 't>) {
        if self.full {
            return;
        }
        match piece {
            TextPiece::Plain(text) if text.is_ascii() => self.push_plain(text),
            TextPiece::Plain(text) => self.push_words(text),
            TextPiece::Decoded(text) => self.push(text),
        }
    }

    /// Adds white space.
    #[inline]
    pub(crate) fn blank(&mut self) {
        self.blank = true;
    }

    /// Adds text for which [`is_plain`] holds, in one step; it is borrowed if it is the first.
    fn push_plain(&mut self, text: &'t str) {
        let Some((space, words)) = self.plain(text) else { return };
        if self.text.is_empty() {
            self.text = Cow::Borrowed(words);
        } else {
            self.append(space, words);
        }
    }

    /// The space to add before, and the words of, a text for which [`is_plain`] holds; `None` if nothing is left to
    /// add.
    fn plain<'s>(&mut self, text: &'s str) -> Option<(usize, &'s str)> {
        let behind = text.strip_prefix(' ');
        self.blank |= behind.is_some();
        let words = behind.unwrap_or(text);
        let last = *words.as_bytes().last()?;
        let space = usize::from(self.blank && !self.text.is_empty());
        if self.text.len() + space + words.len() > self.limit {
            self.push_words(words);
            return None;
        }
        self.blank = last == b' ';
        Some((space, if self.blank { words.trim_end_matches(' ') } else { words }))
    }

    /// Adds text that needs no decoding.
    pub(crate) fn push(&mut self, text: &str) {
        if !is_plain(text.as_bytes()) {
            self.push_words(text);
        } else if let Some((space, words)) = self.plain(text) {
            self.append(space, words);
        }
    }

    /// Adds any text word by word.
    fn push_words(&mut self, text: &str) {
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
            pieces.iter().for_each(|piece| TextPiece::decode(piece, |piece| collapsed.piece(piece)));
            prop_assert_eq!(collapsed.into_text(), plainly(&pieces, limit));
        }
    }
}
