//! What of a block's text counts, in a hash.

use super::plain::Marks;
use super::relative_time;
use memchr::memmem;
use xxhash_rust::xxh3::xxh3_64;

/// Characters from which on a word of letters and digits in ever changing turns is drawn at random, and such turns.
const DRAWN: (usize, usize) = (16, 4);

/// The hash of a block's text. Of an address that is shown as text, what is drawn at random does not count: a session
/// that is new in each answer is no text of the page. Nor is a relative time.
pub(super) fn hash(text: &[u8], marks: Marks) -> u64 {
    let timeless = if marks.go && memmem::find(text, b"ago").is_some() { relative_time::without(text) } else { None };
    let text = timeless.as_deref().unwrap_or(text);
    if !marks.equals || !has_long_word(text) {
        return xxh3_64(text);
    }
    let mut kept = Vec::with_capacity(text.len());
    for word in text.chunk_by(|one, next| one.is_ascii_alphanumeric() == next.is_ascii_alphanumeric()) {
        if !is_drawn(word) {
            kept.extend_from_slice(word);
        }
    }
    xxh3_64(&kept)
}

/// Whether as many letters and digits stand in a row as are in what is drawn at random. (Such a row holds one of the
/// bytes that are looked at.)
fn has_long_word(text: &[u8]) -> bool {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric();
    (DRAWN.0 - 1..text.len()).step_by(DRAWN.0).any(|at| {
        let (before, from) = text.split_at_checked(at).unwrap_or_default();
        match from.iter().take_while(is_of_word).count() {
            0 => false,
            behind => behind + before.iter().rev().take_while(is_of_word).count() >= DRAWN.0,
        }
    })
}

fn is_drawn(word: &[u8]) -> bool {
    let turns = || word.windows(2).filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit()));
    word.len() >= DRAWN.0 && turns().count() >= DRAWN.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_long_word_is_seen_wherever_it_stands(text in "([a1]{1,18}[ =]){0,5}[b2]{0,17}") {
            let is_long = |word: &str| word.len() >= DRAWN.0;
            prop_assert_eq!(has_long_word(text.as_bytes()), text.split([' ', '=']).any(is_long));
        }
    }

    #[test]
    fn what_is_drawn_at_random_is_no_text() {
        let hash = |text: &str| hash(text.as_bytes(), Marks::of(text.as_bytes()));
        assert_eq!(hash("/?sid=0a1b2c3d4e5f6a7b"), hash("/?sid=9f8e7d6c5b4a3f2e"));
        assert_ne!(hash("/?id=0a1b2c"), hash("/?id=9f8e7d"), "too short to be a session");
        assert_ne!(hash("q=internationalisation"), hash("q=institutionalisations"));
    }
}
