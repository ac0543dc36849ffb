//! The texts of all URLs.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// The number of a URL in the record.
pub type UrlNo = u32;

/// The texts of all URLs, by number, one behind the other.
#[derive(Debug, Default)]
pub struct Urls {
    texts: String,
    /// The end of each text, by number.
    ends: Vec<usize>,
    /// Numbers by hash of the text; further numbers with the same hash follow.
    numbers: HashMap<u64, UrlNo>,
    hasher: RandomState,
}

impl Urls {
    /// Adds a URL. Numbers come in ascending order.
    pub fn push(&mut self, number: UrlNo, text: &str) {
        let end = self.texts.len();
        self.ends.resize((number as usize).max(self.ends.len()), end);
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        self.numbers.insert(self.hasher.hash_one(text), number);
    }

    /// Returns the text of a URL; empty for an unknown number.
    #[must_use]
    pub fn text(&self, number: UrlNo) -> &str {
        let at = number as usize;
        let begin = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        let end = self.ends.get(at).copied().unwrap_or(begin);
        self.texts.get(begin..end).unwrap_or_default()
    }

    /// Returns the number of a URL.
    #[must_use]
    pub fn number(&self, text: &str) -> Option<UrlNo> {
        self.numbers.get(&self.hasher.hash_one(text)).copied().filter(|number| self.text(*number) == text)
    }

    /// Returns one more than the highest number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_number_and_numbers_by_text() {
        let mut urls = Urls::default();
        urls.push(1, "http://a/");
        urls.push(4, "http://a/b");
        assert_eq!(["", "http://a/", "", "", "http://a/b", ""], [0, 1, 2, 3, 4, 5].map(|number| urls.text(number)));
        assert_eq!((urls.number("http://a/b"), urls.number("http://a/c"), urls.len()), (Some(4), None, 5));
    }
}
