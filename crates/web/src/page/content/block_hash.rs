//! The hash of a block's text without its volatile parts.

use crate::page::dates::relative_time;
use crate::page::plain::Marks;
use memchr::memmem;
use xxhash_rust::xxh3::xxh3_64;

/// The minimum length of an alphanumeric word and the minimum number of its changes between alphabetic characters and
/// digits for it to count as random.
const RANDOM_WORD: (usize, usize) = (16, 4);

/// The hash of a block's text. Random words in an address shown as text are left out: a session identifier that is new
/// in each response is no change of the page. Relative times are left out too.
pub(in crate::page) fn hash(text: &[u8], marks: Marks) -> u64 {
    let timeless = if marks.go && memmem::find(text, b"ago").is_some() { relative_time::without(text) } else { None };
    let text = timeless.as_deref().unwrap_or(text);
    if !marks.equals || !has_long_word(text) {
        return xxh3_64(text);
    }
    let mut kept = Vec::with_capacity(text.len());
    for word in text.chunk_by(|one, next| one.is_ascii_alphanumeric() == next.is_ascii_alphanumeric()) {
        if !is_random(word) {
            kept.extend_from_slice(word);
        }
    }
    xxh3_64(&kept)
}

/// Returns true if the text has an alphanumeric run of the minimum length of a random word. (Such a run includes one of
/// the bytes that are checked.)
fn has_long_word(text: &[u8]) -> bool {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric();
    (RANDOM_WORD.0 - 1..text.len()).step_by(RANDOM_WORD.0).any(|at| {
        let (before, from) = text.split_at_checked(at).unwrap_or_default();
        match from.iter().take_while(is_of_word).count() {
            0 => false,
            behind => behind + before.iter().rev().take_while(is_of_word).count() >= RANDOM_WORD.0,
        }
    })
}

fn is_random(word: &[u8]) -> bool {
    let turns = || word.windows(2).filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit()));
    word.len() >= RANDOM_WORD.0 && turns().count() >= RANDOM_WORD.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_long_word_is_seen_wherever_it_stands(text in "([a1]{1,18}[ =]){0,5}[b2]{0,17}") {
            let is_long = |word: &str| word.len() >= RANDOM_WORD.0;
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
