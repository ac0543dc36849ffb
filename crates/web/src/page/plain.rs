//! Scans text many bytes at a time up to the first byte that is not plain.

use wide::u8x16;

/// The number of bytes processed at once.
const STEP: usize = 16;
/// A byte that is not odd.
const FILL: u128 = b'.' as u128;

/// The length of the prefix without control characters (white space included), consecutive spaces, and the start of a
/// reference.
pub(crate) fn plain_length(text: &[u8]) -> usize {
    length(text, odd)
}

/// The kinds of bytes in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) digits: bool,
    pub(crate) equals: bool,
    /// The characters `go`, as in "ago".
    pub(crate) go: bool,
}

impl Marks {
    /// Scans the entire text without branches on its content.
    pub(crate) fn of(text: &[u8]) -> Self {
        let none = u8x16::splat(0);
        let (mut digits, mut equals, mut go) = (none, none, none);
        let mut look = |here: [u8; STEP], next: [u8; STEP]| {
            let (here, next) = (u8x16::new(here), u8x16::new(next));
            let of = |byte: u8, bytes: u8x16| bytes.simd_eq(u8x16::splat(byte));
            digits |= self::digits(here);
            equals |= of(b'=', here);
            go |= of(b'g', here) & of(b'o', next);
        };
        let (here, _) = text.as_chunks::<STEP>();
        let (next, _) = text.get(1..).unwrap_or_default().as_chunks::<STEP>();
        here.iter().zip(next).for_each(|(here, next)| look(*here, *next));
        let last = last_step(text);
        look(last.to_le_bytes(), (last >> 8 | FILL << 120).to_le_bytes());
        let any = |bytes: u8x16| bytes.to_bitmask() != 0;
        Self { digits: any(digits), equals: any(equals), go: any(go) }
    }
}

/// The position of the first digit; the text's length if there is none.
pub(crate) fn digit_at(text: &[u8]) -> usize {
    length(text, |bytes, _| digits(bytes))
}

/// Returns true if a text is entirely plain ASCII.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    let odd = |bytes, next| odd(bytes, next) | bytes.simd_gt(u8x16::splat(0x7f));
    length(text, odd) == text.len()
}

#[inline]
fn digits(bytes: u8x16) -> u8x16 {
    bytes.simd_gt(u8x16::splat(b'0' - 1)) & bytes.simd_lt(u8x16::splat(b'9' + 1))
}

/// Marks control characters, ampersands, and the first of two spaces, given also the next byte of each.
#[inline]
fn odd(bytes: u8x16, next: u8x16) -> u8x16 {
    let space = u8x16::splat(b' ');
    bytes.simd_lt(space) | bytes.simd_eq(u8x16::splat(b'&')) | (bytes.simd_eq(space) & next.simd_eq(space))
}

/// The length up to the first odd byte.
#[inline]
fn length(text: &[u8], odd: impl Fn(u8x16, u8x16) -> u8x16) -> usize {
    let first = |here: [u8; STEP], next: [u8; STEP]| {
        let bits = odd(u8x16::new(here), u8x16::new(next)).to_bitmask();
        (bits != 0).then(|| bits.trailing_zeros() as usize)
    };
    let (here, _) = text.as_chunks::<STEP>();
    let (next, _) = text.get(1..).unwrap_or_default().as_chunks::<STEP>();
    for (step, (here, next)) in here.iter().zip(next).enumerate() {
        if let Some(at) = first(*here, *next) {
            return step * STEP + at;
        }
    }
    // The rest is shorter than a step: the last step overlaps the previous ones.
    let last = last_step(text);
    let odd_in_last = first(last.to_le_bytes(), (last >> 8 | FILL << 120).to_le_bytes());
    odd_in_last.map_or(text.len(), |at| text.len().saturating_sub(STEP) + at)
}

/// The last bytes of a text, padded with plain bytes if it is short. (Read in two parts, which may overlap: a call that
/// copies so few bytes would cost more than the rest of this function.)
#[inline]
fn last_step(text: &[u8]) -> u128 {
    if let Some(last) = text.last_chunk() {
        return u128::from_le_bytes(*last);
    }
    let (bits, fill) = (8 * text.len() as u32, u128::MAX / 0xff * FILL);
    let parts = |start: u64, end: u64, size: u32| u128::from(start) | u128::from(end) << (bits - size);
    let read = if let (Some(start), Some(end)) = (text.first_chunk(), text.last_chunk()) {
        parts(u64::from_le_bytes(*start), u64::from_le_bytes(*end), 64)
    } else if let (Some(start), Some(end)) = (text.first_chunk(), text.last_chunk()) {
        parts(u32::from_le_bytes(*start).into(), u32::from_le_bytes(*end).into(), 32)
    } else {
        text.iter().rev().fold(0, |read, byte| read << 8 | u128::from(*byte))
    };
    read | fill << bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, byte by byte.
    fn plainly(text: &[u8]) -> usize {
        let two_spaces = |at: usize| text[at] == b' ' && text.get(at + 1) == Some(&b' ');
        let odd = |at: &usize| text[*at] < b' ' || text[*at] == b'&' || two_spaces(*at);
        (0..text.len()).find(odd).unwrap_or(text.len())
    }

    proptest! {
        #[test]
        fn the_first_odd_byte_is_found(text in "[ab& \\u{1}\\u{1f}\\u{7f}é\\u{80}]{0,40}") {
            prop_assert_eq!(plain_length(text.as_bytes()), plainly(text.as_bytes()));
        }

        #[test]
        fn long_plain_text_is_plain_up_to_its_oddity(before in "[a-z ]{0,60}", odd in "\\u{1}|\\n|  |", after in "[a-z ]{0,20}") {
            let text = format!("{before}{odd}{after}");
            prop_assert_eq!(plain_length(text.as_bytes()), plainly(text.as_bytes()));
        }

        #[test]
        fn marks_are_seen_wherever_they_stand(text in "[a-c=/0-9:go é\u{b0}\u{bd}\u{c3}]{0,70}") {
            let bytes = text.as_bytes();
            let expected = Marks {
                digits: bytes.iter().any(u8::is_ascii_digit),
                equals: text.contains('='),
                go: text.contains("go"),
            };
            prop_assert_eq!(Marks::of(bytes), expected);
        }

        #[test]
        fn plain_text_is_ascii_without_references(text in "[a-e &\\n~\\u{7f}é]{0,24}") {
            let bytes = text.as_bytes();
            let expected = text.is_ascii() && plainly(bytes) == bytes.len();
            prop_assert_eq!(is_plain(bytes), expected);
        }
    }
}
