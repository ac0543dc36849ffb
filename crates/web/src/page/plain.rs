//! Text looked at many bytes at a time, up to where it is not plain.

/// How much of the beginning holds no control character, white space among them, and no two spaces in a row.
pub(crate) fn plain_length(text: &[u8]) -> usize {
    length(text, is_odd)
}

/// Whether a text is ASCII without references and of plain length.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    length(text, |byte, next| is_odd(byte, next) | (byte == b'&') | !byte.is_ascii()) == text.len()
}

/// A control character, or the first of two spaces. (All is looked at, without branches, so that the compiler makes one
/// step of many bytes.)
#[inline]
fn is_odd(byte: u8, next: u8) -> bool {
    (byte < b' ') | ((byte == b' ') & (next == b' '))
}

/// Up to the first byte that `odd` holds of, given also the byte behind it.
#[inline]
fn length(text: &[u8], odd: impl Fn(u8, u8) -> bool + Copy) -> usize {
    match text.len() {
        ..=8 => one_by_one(text, odd).unwrap_or(text.len()),
        9..=16 => by_steps::<8>(text, odd),
        17.. => by_steps::<16>(text, odd),
    }
}

/// As [`length`], so many bytes at a time, of a longer text than that.
#[inline]
fn by_steps<const STEP: usize>(text: &[u8], odd: impl Fn(u8, u8) -> bool + Copy) -> usize {
    let (here, _) = text.as_chunks::<STEP>();
    let (next, _) = text.get(1..).unwrap_or_default().as_chunks::<STEP>();
    for (step, (here, next)) in here.iter().zip(next).enumerate() {
        if any(here, next, odd) {
            let from = step * STEP;
            return from + one_by_one(text.get(from..).unwrap_or_default(), odd).unwrap_or_default();
        }
    }
    // What is left is no whole step: the last one overlaps those before.
    let from = text.len().saturating_sub(STEP + 1);
    let last = text.get(from..).unwrap_or_default();
    if let (Some(here), Some(next)) = (last.first_chunk::<STEP>(), last.last_chunk::<STEP>())
        && !any(here, next, odd)
    {
        return text.len() - usize::from(text.last().is_some_and(|byte| odd(*byte, b'.')));
    }
    one_by_one(last, odd).map_or(text.len(), |at| from + at)
}

/// Whether any of these bytes is odd, given the bytes that each is followed by.
#[inline]
fn any<const STEP: usize>(here: &[u8; STEP], next: &[u8; STEP], odd: impl Fn(u8, u8) -> bool) -> bool {
    here.iter().zip(next).fold(false, |any, (byte, next)| any | odd(*byte, *next))
}

fn one_by_one(text: &[u8], odd: impl Fn(u8, u8) -> bool) -> Option<usize> {
    let following = text.iter().skip(1).chain(std::iter::once(&b'.'));
    text.iter().zip(following).position(|(byte, next)| odd(*byte, *next))
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
