//! What a page says, as far as it tells the page from others, and what was met before.

use mapwright_web::page::block::Block;
use std::collections::HashSet;

/// Numbers from which on a page may be one of data, whose content they are.
pub(crate) const MANY_NUMBERS: u32 = 8;

/// What a page says, as far as it may tell it from others.
#[derive(Debug, Clone, Copy)]
pub struct Content<'c> {
    /// Hashes of its blocks of text, numbers left out.
    pub blocks: &'c [u64],
    /// Words with digits in its text.
    pub numbers: u32,
    /// Its blocks as they stand.
    pub whole: &'c [Block],
    /// It shows an image, a video or a frame that no page showed before.
    pub has_new_media: bool,
    /// It is a file of data, which is listed nowhere and leads nowhere.
    pub is_data: bool,
}

impl Content<'_> {
    /// Whether it has words that may be known. A page of nothing but a few numbers has none: a title and a heading that are
    /// one number, say.
    pub(crate) fn has_words(&self) -> bool {
        let distinct = || self.blocks.iter().collect::<HashSet<_>>().len();
        self.numbers >= MANY_NUMBERS || (self.numbers as usize) < distinct() || self.blocks.is_empty()
    }
}

/// Blocks of text that were met lately, as marks of their hashes: 1 MiB, which stays near the processor. One that comes
/// after another of the same place takes it over, so that of very many blocks those are forgotten that are on few pages:
/// pages then count as having content that have none. That a new one is taken for one that was met is one case in 32,768.
#[derive(Debug, Default)]
pub(crate) struct Novelty {
    marks: Vec<u16>,
}

impl Novelty {
    /// Bits of a hash that tell its place.
    const PLACE: u32 = 19;

    /// Takes in blocks. Whether any of them is new.
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
