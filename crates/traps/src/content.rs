//! The content that distinguishes a page from others, and the memory of content seen before.

use mapwright_web::page::block::Block;

/// Numbers from which on a page may be a page of data, with the numbers as its content.
pub(crate) const MANY_NUMBERS: u32 = 8;

/// The content that distinguishes a page from others.
#[derive(Debug, Clone, Copy)]
pub struct DistinctContent<'c> {
    /// Hashes of its blocks of text, numbers left out.
    pub blocks: &'c [u64],
    /// Words with digits in its text.
    pub numbers: u32,
    /// Its blocks, with their numbers.
    pub all_blocks: &'c [Block],
    /// It shows an image, a video or a frame that no page showed before.
    pub has_new_media: bool,
    /// It is a data file of a kind that the sitemap does not list; it leads to no other URL.
    pub is_data: bool,
}

impl DistinctContent<'_> {
    /// Reports whether the page has words to compare. A page of nothing but a few numbers has none: a title and a
    /// heading that are one number, for example.
    pub(crate) fn has_words(&self) -> bool {
        self.numbers >= MANY_NUMBERS || self.blocks.is_empty() || has_more_than(self.numbers as usize, self.blocks)
    }
}

/// Reports whether there are more than `few` different blocks.
fn has_more_than(few: usize, blocks: &[u64]) -> bool {
    let mut different: Vec<u64> = Vec::with_capacity(few);
    for block in blocks {
        if different.contains(block) {
            continue;
        }
        if different.len() == few {
            return true;
        }
        different.push(*block);
    }
    false
}

/// Recently seen blocks of text, as marks of their hashes: 1 MiB, which fits the processor's cache. A newer block
/// replaces an older one in the same slot, so of very many blocks, those on few pages are forgotten; pages without
/// content then count as having some. A new block is mistaken for a known one in one case of 32,768.
#[derive(Debug, Default)]
pub(crate) struct Novelty {
    marks: Vec<u16>,
}

impl Novelty {
    /// Bits of a hash that select its slot.
    const PLACE: u32 = 19;

    /// Adds blocks. Returns whether any of them is new.
    pub(crate) fn takes(&mut self, blocks: &[u64]) -> bool {
        if self.marks.is_empty() {
            self.marks = vec![0; 1 << Self::PLACE];
        }
        let mut any = false;
        for block in blocks {
            let mark = (*block as u16) | 1;
            let place = usize::try_from(block >> (u64::BITS - Self::PLACE)).unwrap_or_default();
            if let Some(known) = self.marks.get_mut(place) {
                any |= *known != mark;
                *known = mark;
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn different_blocks_are_counted_once(blocks in proptest::collection::vec(0_u64..6, 0..12), few in 0_usize..8) {
            let different = blocks.iter().collect::<HashSet<_>>().len();
            prop_assert_eq!(has_more_than(few, &blocks), different > few);
        }
    }
}
