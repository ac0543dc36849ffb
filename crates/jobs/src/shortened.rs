//! Texts that may be of any length, in messages.

use std::borrow::Cow;

/// Characters that a message shows of one text.
const SHOWN: usize = 200;

/// The text, or its beginning where it is longer than a line of a message may bear.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(SHOWN).map(|(at, _)| at);
    end.and_then(|end| text.get(..end)).map_or(Cow::Borrowed(text), |start| Cow::Owned(format!("{start}…")))
}
