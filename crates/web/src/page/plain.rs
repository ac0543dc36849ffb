//! Text looked at eight bytes at a time, up to where it is not plain.

/// Bytes looked at together.
const STEP: usize = size_of::<u64>();

const ONES: u64 = u64::MAX / 0xff;
const TOPS: u64 = 0x80 * ONES;

/// How much of the beginning holds no control character, white space among them, and no two spaces in a row.
pub(crate) fn plain_length(text: &[u8]) -> usize {
    length(text, |here, next| controls(here) | two_spaces(here, next), is_odd)
}

/// Whether a text is ASCII without references and of plain length.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    let marks = |here, next| controls(here) | two_spaces(here, next) | equal(here, b'&') | (here & TOPS);
    length(text, marks, |byte, next| is_odd(byte, next) || byte == b'&' || !byte.is_ascii()) == text.len()
}

/// A control character, or the first of two spaces.
fn is_odd(byte: u8, next: u8) -> bool {
    byte < b' ' || (byte == b' ' && next == b' ')
}

/// Up to the first byte that `is_odd`, given also the byte behind it. `marks` tells the same of eight bytes, given also
/// the eight that begin with the second: the top bits of odd ones are set. It may mark bytes behind an odd one falsely.
#[inline]
fn length(text: &[u8], marks: impl Fn(u64, u64) -> u64, is_odd: impl Fn(u8, u8) -> bool) -> usize {
    let first = |here: &[u8], next: &[u8]| {
        let odd = marks(word(here), word(next)) & TOPS;
        (odd != 0).then(|| odd.trailing_zeros() as usize / 8)
    };
    let next = text.get(1..).unwrap_or_default();
    for (step, (here, next)) in text.chunks_exact(STEP).zip(next.chunks_exact(STEP)).enumerate() {
        if let Some(odd) = first(here, next) {
            return step * STEP + odd;
        }
    }
    // What is left is no whole step: where there was one before, the last step overlaps it.
    let last = text.len().checked_sub(STEP + 1);
    if let Some((start, (here, next))) = last.and_then(|at| Some((at, (text.get(at..at + STEP)?, text.get(at + 1..)?))))
    {
        if let Some(odd) = first(here, next) {
            return start + odd;
        }
        return text.len() - usize::from(text.last().is_some_and(|byte| is_odd(*byte, b'.')));
    }
    let following = next.iter().chain(std::iter::once(&b'.'));
    text.iter().zip(following).position(|(byte, next)| is_odd(*byte, *next)).unwrap_or(text.len())
}

#[inline]
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Marks bytes below a space: a subtraction borrows there.
#[inline]
fn controls(word: u64) -> u64 {
    word.wrapping_sub(b' ' as u64 * ONES) & !word
}

#[inline]
fn two_spaces(here: u64, next: u64) -> u64 {
    let spaces = b' ' as u64 * ONES;
    zeros((here ^ spaces) | (next ^ spaces))
}

#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ (u64::from(byte) * ONES))
}

/// Marks bytes of zero.
#[inline]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, byte by byte.
    fn plainly(text: &[u8]) -> usize {
        let next = |at: usize| text.get(at + 1).copied().unwrap_or(b'.');
        (0..text.len()).find(|at| is_odd(text[*at], next(*at))).unwrap_or(text.len())
    }

    proptest! {
        #[test]
        fn the_first_odd_byte_is_found(text in "[ab \\u{1}\\u{1f}\\u{7f}é\\u{80}]{0,40}") {
            prop_assert_eq!(plain_length(text.as_bytes()), plainly(text.as_bytes()));
        }

        #[test]
        fn long_plain_text_is_plain_up_to_its_oddity(before in "[a-z ]{0,60}", odd in "\\u{1}|\\n|  |", after in "[a-z ]{0,20}") {
            let text = format!("{before}{odd}{after}");
            prop_assert_eq!(plain_length(text.as_bytes()), plainly(text.as_bytes()));
        }

        #[test]
        fn plain_text_is_ascii_without_references(text in "[a-e &\\n~\\u{7f}é]{0,24}") {
            let bytes = text.as_bytes();
            let expected = text.is_ascii() && !text.contains('&') && plainly(bytes) == bytes.len();
            prop_assert_eq!(is_plain(bytes), expected);
        }
    }
}
