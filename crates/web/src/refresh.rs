//! Declarative refresh: `meta http-equiv=refresh` and the `Refresh` header.

use crate::page::is_blank_char as blank;

/// The seconds and target of a refresh (HTML 4.2.5.3, shared declarative refresh steps); no target means the page
/// itself.
///
/// The fraction of a second is dropped. Seconds are clamped to the range of `u64`.
#[must_use]
pub fn parse_refresh(value: &str) -> Option<(u64, Option<String>)> {
    let rest = value.trim_start_matches(blank);
    let (digits, rest) = split_while(rest, |char| char.is_ascii_digit());
    // Without digits, only a fraction such as `.5` is a time.
    if digits.is_empty() && !rest.starts_with('.') {
        return None;
    }
    let seconds = digits
        .bytes()
        .fold(0_u64, |seconds, digit| seconds.saturating_mul(10).saturating_add(u64::from(digit.saturating_sub(b'0'))));
    let (_, rest) = split_while(rest, |char| char.is_ascii_digit() || char == '.');
    if rest.is_empty() {
        return Some((seconds, None));
    }
    if !rest.starts_with(|char| matches!(char, ';' | ',') || blank(char)) {
        return None;
    }
    let rest = rest.trim_start_matches(blank);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start_matches(blank);
    let target = if rest.is_empty() { None } else { Some(target(rest).to_owned()) };
    Some((seconds, target))
}

/// The URL: the text after `url=`, if that is present, without its quotes.
fn target(text: &str) -> &str {
    let behind = text
        .split_at_checked("url".len())
        .filter(|(word, _)| word.eq_ignore_ascii_case("url"))
        .and_then(|(_, rest)| rest.trim_start_matches(blank).strip_prefix('='))
        .map(|rest| rest.trim_start_matches(blank));
    let url = behind.unwrap_or(text);
    for quote in ['"', '\''] {
        if let Some(quoted) = url.strip_prefix(quote) {
            return quoted.split(quote).next().unwrap_or_default();
        }
    }
    url.trim_end_matches(blank)
}

fn split_while(text: &str, wanted: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|char| !wanted(char)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}
