//! Relative times on English pages: "7 minutes ago", "about an hour ago". They change while the page does not.

/// Units of time, by the prefixes of their names.
const UNITS: [&str; 10] = ["second", "sec", "minute", "min", "hour", "hr", "day", "week", "month", "year"];
/// Words before the number.
const ABOUT: [&str; 6] = ["about", "almost", "over", "around", "nearly", "~"];
/// Words that mean a number.
const NUMBERS: [&str; 4] = ["a", "an", "one", "few"];

/// A text without its relative times; `None` if it has none.
pub(in crate::page) fn without(text: &[u8]) -> Option<Vec<u8>> {
    let words: Vec<&[u8]> = text.split(|byte| *byte == b' ').collect();
    let mut kept: Vec<&[u8]> = Vec::with_capacity(words.len());
    let mut found = false;
    for word in words {
        if is_ago(word) && ends_in_a_time(&kept) {
            found = true;
            kept.truncate(kept.len() - 2);
            // "1 day, 3 hours ago", "about an hour ago".
            while ends_in_a_time(&kept) {
                kept.truncate(kept.len() - 2);
            }
            while kept.last().is_some_and(|last| is_one_of(last, &ABOUT) || is_one_of(last, &NUMBERS)) {
                kept.pop();
            }
        } else {
            kept.push(word);
        }
    }
    found.then(|| kept.join(&b' '))
}

fn is_ago(word: &[u8]) -> bool {
    let rest = word.strip_prefix(b"ago");
    rest.is_some_and(|rest| rest.iter().all(|byte| !byte.is_ascii_alphanumeric()))
}

/// Returns true if the last words are a number and a unit.
fn ends_in_a_time(words: &[&[u8]]) -> bool {
    let [.., number, unit] = words else { return false };
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit) || is_one_of(number, &NUMBERS);
    let unit = unit.strip_suffix(b",").unwrap_or(unit);
    let unit = unit.strip_suffix(b"s").unwrap_or(unit);
    is_number && is_one_of(unit, &UNITS)
}

fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Option<String> {
        without(text.as_bytes()).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn how_long_ago_is_left_out_and_what_was_stays() {
        for (text, kept) in [
            ("7 minutes ago", ""),
            ("Replied 2 days ago by Tom", "Replied by Tom"),
            ("about an hour ago", ""),
            ("posted 1 day, 3 hours ago.", "posted"),
            ("a few seconds ago", ""),
            ("An hour ago: rain, 3 days ago: sun", "rain, sun"),
        ] {
            let expected = kept.to_owned();
            assert_eq!(left(text).map(|text| text.replace(": ", " ").trim().to_owned()), Some(expected), "{text}");
        }
        for text in ["long ago", "years ago we had 7", "3 agorae", "in the days of 1911", "Chicago"] {
            assert_eq!(left(text), None, "{text}");
        }
    }
}
