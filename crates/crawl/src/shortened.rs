//! Shortens texts of any length for messages.

use std::borrow::Cow;

/// Characters of one text that a message shows.
const MAX_SHOWN: usize = 200;

/// Returns the text, or its beginning if it is longer than a message shows.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    mapwright_text::shortened(text, MAX_SHOWN)
}
