//! Character references (HTML 13.2.5.72 to 13.2.5.80), decoded once.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use std::borrow::Cow;

/// The context of a reference: the rules for legacy names without semicolon differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// An attribute's value: a legacy name before `=` or an alphanumeric character stays text.
    Attribute,
    /// Text.
    Text,
}

/// A reference read from the start of a text.
struct Reference {
    /// Its length in bytes of the source.
    length: usize,
    first: char,
    second: Option<char>,
}

/// Replaces every character reference, and U+0000 by U+FFFD.
pub(crate) fn decode(raw: &str, context: Context) -> Cow<'_, str> {
    let Some(start) = memchr::memchr2(b'&', b'\0', raw.as_bytes()) else { return Cow::Borrowed(raw) };
    let mut out = String::with_capacity(raw.len());
    let (plain, mut rest) = raw.split_at_checked(start).unwrap_or((raw, ""));
    out.push_str(plain);
    while let Some(mark) = rest.chars().next() {
        let taken = if mark == '\0' {
            out.push(char::REPLACEMENT_CHARACTER);
            1
        } else if let Some(reference) = reference(rest, context) {
            out.push(reference.first);
            out.extend(reference.second);
            reference.length
        } else {
            out.push('&');
            1
        };
        let tail = rest.get(taken..).unwrap_or_default();
        let next = memchr::memchr2(b'&', b'\0', tail.as_bytes()).unwrap_or(tail.len());
        let (plain, after) = tail.split_at_checked(next).unwrap_or((tail, ""));
        out.push_str(plain);
        rest = after;
    }
    Cow::Owned(out)
}

/// The reference at the beginning of `text`, which begins with `&`.
fn reference(text: &str, context: Context) -> Option<Reference> {
    let body = text.strip_prefix('&')?;
    match body.strip_prefix('#') {
        Some(number) => numeric(number),
        None => named(body, context),
    }
}

fn numeric(number: &str) -> Option<Reference> {
    let hexadecimal = number.strip_prefix(['x', 'X']);
    let (digits, radix, before) = match hexadecimal {
        Some(digits) => (digits, 16, "&#x".len()),
        None => (number, 10, "&#".len()),
    };
    let count = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    if count == 0 {
        return None;
    }
    let value = digits
        .chars()
        .take(count)
        .filter_map(|digit| digit.to_digit(radix))
        .fold(0_u32, |value, digit| value.saturating_mul(radix).saturating_add(digit));
    let semicolon = usize::from(digits.as_bytes().get(count) == Some(&b';'));
    Some(Reference { length: before + count + semicolon, first: code_point(value), second: None })
}

/// The numeric character reference end state: maps a number to its character.
fn code_point(value: u32) -> char {
    let replaced = value
        .checked_sub(0x80)
        .and_then(|index| C1_REPLACEMENTS.get(usize::try_from(index).unwrap_or(usize::MAX)).copied().flatten());
    match value {
        0 => char::REPLACEMENT_CHARACTER,
        _ => replaced.or_else(|| char::from_u32(value)).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// The character of a frequent name with its semicolon, so that no longer name can match, and its length.
#[inline]
fn common(body: &[u8]) -> Option<(char, usize)> {
    match body {
        [b'l', b't', b';', ..] => Some(('<', 3)),
        [b'g', b't', b';', ..] => Some(('>', 3)),
        [b'a', b'm', b'p', b';', ..] => Some(('&', 4)),
        [b'q', b'u', b'o', b't', b';', ..] => Some(('"', 5)),
        [b'n', b'b', b's', b'p', b';', ..] => Some(('\u{a0}', 5)),
        _ => None,
    }
}

/// The longest name of the standard's table that `body` begins with.
fn named(body: &str, context: Context) -> Option<Reference> {
    if let Some((first, length)) = common(body.as_bytes()) {
        return Some(Reference { length: 1 + length, first, second: None });
    }
    let mut longest = None;
    for (at, byte) in body.bytes().enumerate() {
        if !byte.is_ascii_alphanumeric() && byte != b';' {
            break;
        }
        // The table contains every prefix of a name, with zeros, so that a miss ends the search.
        let Some((first, second)) = body.get(..=at).and_then(|name| NAMED_ENTITIES.get(name)) else { break };
        if *first != 0 {
            longest = Some((at + 1, *first, *second));
        }
    }
    let (length, first, second) = longest?;
    let complete = body.as_bytes().get(length.saturating_sub(1)) == Some(&b';');
    let next = body.as_bytes().get(length);
    let glued = next.is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric());
    if context == Context::Attribute && !complete && glued {
        return None;
    }
    let second = char::from_u32(second).filter(|char| *char != '\0');
    Some(Reference { length: length + 1, first: char::from_u32(first)?, second })
}

#[cfg(test)]
mod tests;
