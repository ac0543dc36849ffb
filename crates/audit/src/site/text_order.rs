//! The order of URLs by their texts, computed once: millions of findings are sorted by it.

use super::urls::{UrlNo, Urls};
use rayon::slice::ParallelSliceMut as _;

/// The places of URLs among all of them, sorted by text.
#[derive(Debug)]
pub(crate) struct TextOrder<'u> {
    sorted: Vec<&'u str>,
    /// The place of each URL, from 1, by number.
    places: Vec<u32>,
}

impl<'u> TextOrder<'u> {
    pub(crate) fn of(urls: &'u Urls) -> Self {
        let numbers = 0..UrlNo::try_from(urls.len()).unwrap_or(UrlNo::MAX);
        let mut sorted: Vec<(&str, UrlNo)> = numbers.map(|number| (urls.text(number), number)).collect();
        sorted.par_sort_unstable();
        let mut places = vec![0; urls.len()];
        for (place, (_, number)) in (1..).zip(&sorted) {
            places.get_mut(*number as usize).into_iter().for_each(|slot| *slot = place);
        }
        Self { sorted: sorted.into_iter().map(|(text, _)| text).collect(), places }
    }

    /// Returns the place of a URL; 0 for an unknown number.
    pub(crate) fn of_url(&self, url: UrlNo) -> u32 {
        self.places.get(url as usize).copied().unwrap_or_default()
    }

    /// Returns the place of the last URL whose text is less than `text`; 0 if there is none.
    pub(crate) fn before_text(&self, text: &str) -> u32 {
        self.sorted.partition_point(|known| *known < text) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_other_texts_have_places_in_one_order() {
        let mut urls = Urls::default();
        urls.push(1, "http://b/");
        urls.push(2, "http://a/x");
        urls.push(3, "http://a/");
        let order = TextOrder::of(&urls);
        // The number 0 is no URL, and has the empty text.
        assert_eq!([3, 2, 1].map(|url| order.of_url(url)), [2, 3, 4]);
        assert_eq!(order.of_url(9), 0);
        assert_eq!(["http://a/", "http://a/*", "http://c"].map(|text| order.before_text(text)), [1, 2, 4]);
    }
}
