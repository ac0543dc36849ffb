//! The fingerprint of a page's content, by which two pages are compared.

use crate::evidence::PageComparison;
use crate::parameter::is_revision;

/// The fingerprint of a page: hashes of its set of text blocks, of their order, and of its title.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PageFingerprint {
    /// The hash of the blocks that does not depend on their order.
    pub bag: u64,
    /// The hash of the blocks in their order.
    pub order: u64,
    /// The hash of the title.
    pub title: u64,
    /// The page has too little text to be evidence about other pages.
    pub is_thin: bool,
}

/// An odd number that mixes hashes: the fraction of the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

impl PageFingerprint {
    /// The fingerprint of a page with these blocks (hashes of their text) and this title.
    #[must_use]
    pub fn of(blocks: impl Iterator<Item = u64>, title: Option<&str>) -> Self {
        let mut fingerprint = Self { title: hash(title.unwrap_or_default().bytes()), ..Self::default() };
        for block in blocks {
            let mixed = mix(block);
            fingerprint.bag = fingerprint.bag.wrapping_add(mixed);
            fingerprint.order = (fingerprint.order.rotate_left(5) ^ mixed).wrapping_mul(MIX);
        }
        fingerprint
    }

    /// The comparison of a page with the one that its URL leads to without a parameter.
    #[must_use]
    pub fn compare(&self, clean: &Self) -> PageComparison {
        match () {
            () if self.title != clean.title || self.bag != clean.bag => PageComparison::Differs,
            () if self.order != clean.order => PageComparison::Sorted,
            () => PageComparison::Equal,
        }
    }
}

/// A hash of the letters of a title without digits and names of revisions, so that "Blog, page 2" and "Blog, page 3"
/// have the same hash.
#[must_use]
pub fn title_shape(title: &str) -> u64 {
    let words = title.split_inclusive(|char: char| !char.is_alphanumeric());
    hash(
        words
            .filter(|word| !is_revision(word.trim_end_matches(|char: char| !char.is_alphanumeric()).as_bytes()))
            .flat_map(str::bytes)
            .filter(|byte| !byte.is_ascii() || byte.is_ascii_alphabetic())
            .map(|byte| byte.to_ascii_lowercase()),
    )
}

fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(MIX, |hash, byte| mix(hash ^ u64::from(byte)))
}

fn mix(value: u64) -> u64 {
    let product = u128::from(value ^ MIX) * u128::from(0xD6E8_FEB8_6659_FD93_u64);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sorted_page_differs_from_an_equal_one_by_the_order_of_blocks() {
        let fingerprint = |blocks: &[u64], title| PageFingerprint::of(blocks.iter().copied(), Some(title));
        let page = fingerprint(&[1, 2, 3], "List");
        assert_eq!(page.compare(&fingerprint(&[1, 2, 3], "List")), PageComparison::Equal);
        assert_eq!(page.compare(&fingerprint(&[3, 2, 1], "List")), PageComparison::Sorted);
        for other in [fingerprint(&[1, 2], "List"), fingerprint(&[1, 2, 2], "List"), fingerprint(&[1, 2, 3], "Other")] {
            assert_eq!(page.compare(&other), PageComparison::Differs);
        }
    }

    #[test]
    fn titles_of_a_series_have_one_shape() {
        assert_eq!(title_shape("Blog – Page 2 of 6"), title_shape("Blog – page 3 of 60"));
        assert_ne!(title_shape("Blog"), title_shape("Shop"));
    }
}
