//! Shortens texts of any length for messages.

use std::borrow::Cow;

/// Characters of one text that a message shows.
const SHOWN: usize = 200;

/// Returns the text, or its beginning if it is longer than a message shows.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(SHOWN).map(|(at, _)| at);
    end.and_then(|end| text.get(..end)).map_or(Cow::Borrowed(text), |start| Cow::Owned(format!("{start}…")))
}
