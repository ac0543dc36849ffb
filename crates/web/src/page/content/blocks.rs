//! Hashes of the text between block-level tags, which detect changes of content.

use super::block::{Block, BlockRole, role_of};
use super::block_hash::hash;
use super::kept_text::KeptText;
use super::sketch::Sketcher;
use super::text::TextPiece;
use crate::page::facts::{NumberlessText, Region};
use crate::page::plain::{Marks, digit_at, plain_length};
use crate::page::syntax::scan::is_blank;
use memchr::{memchr, memrchr};
use xxhash_rust::xxh3::xxh3_64;

/// The typical number of blocks of a page; the initial capacity avoids a few reallocations.
const USUAL: usize = 64;

/// Hashes runs of text incrementally.
///
/// A block's hash is XXH3 (64 bits, no seed) over the UTF-8 text between two block-level tags: inline tags and comments
/// left out, references decoded, each run of ASCII white space one space, none at the ends, without relative times and
/// without random words in addresses. It never changes between versions, because records store it.
#[derive(Debug)]
pub(crate) struct Blocks {
    blocks: Vec<Block>,
    unnumbered: NumberlessText,
    kept: KeptText,
    /// The text of a block without its numbers.
    folded: Vec<u8>,
    limit: usize,
    /// The text of the current block, bounded by the document's text.
    text: Vec<u8>,
    /// The number of its bytes that are link text.
    linked: u32,
    /// A link of the current block leads to the previous or next page.
    is_in_sequence: bool,
    /// White space followed the last word.
    blank: bool,
    /// A hash was dropped because of the limit.
    pub(crate) cut: bool,
    pub(crate) sketcher: Sketcher,
}

/// The context of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings {
    pub(crate) region: Region,
    /// The block is outside the content of the page.
    pub(crate) is_boilerplate: bool,
}

impl Blocks {
    /// Hashes at most `limit` blocks, and keeps the text of the first ones, `kept` bytes of it.
    pub(crate) fn new(limit: usize, kept: usize) -> Self {
        Blocks {
            blocks: Vec::with_capacity(limit.min(USUAL)),
            unnumbered: NumberlessText { blocks: Vec::with_capacity(limit.min(USUAL)), numbers: 0 },
            kept: KeptText::new(kept),
            folded: Vec::new(),
            limit,
            text: Vec::new(),
            linked: 0,
            is_in_sequence: false,
            blank: false,
            cut: false,
            sketcher: Sketcher::default(),
        }
    }

    /// Records that the last `bytes` of text are link text; `in_sequence` if the link leads to the previous or next
    /// page.
    pub(crate) fn link(&mut self, bytes: u64, in_sequence: bool) {
        self.linked = self.linked.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX));
        self.is_in_sequence |= in_sequence;
    }

    /// The number of completed blocks.
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Adds a piece of text and returns the number of its bytes that count.
    pub(crate) fn text(&mut self, piece: TextPiece<'_, '_>) -> u64 {
        match piece {
            TextPiece::Plain(text) => self.plain(text.as_bytes()),
            TextPiece::Decoded(text) => self.collapsed(text.as_bytes()),
        }
    }

    /// Adds white space.
    #[inline]
    pub(crate) fn blank(&mut self) {
        self.blank = true;
    }

    /// Adds any text with references decoded.
    fn collapsed(&mut self, words: &[u8]) -> u64 {
        let Some(first) = words.iter().position(|byte| !is_blank(*byte)) else {
            self.blank |= !words.is_empty();
            return 0;
        };
        let end = words.iter().rposition(|byte| !is_blank(*byte)).map_or(words.len(), |last| last + 1);
        let before = self.text.len();
        if (self.blank || first > 0) && before > 0 {
            self.text.push(b' ');
        }
        self.blank = end < words.len();
        self.words(words.get(first..end).unwrap_or_default());
        (self.text.len() - before) as u64
    }

    /// Adds text without references whose white space is single spaces.
    fn plain(&mut self, text: &[u8]) -> u64 {
        let behind = text.strip_prefix(b" ");
        self.blank |= behind.is_some();
        let words = behind.unwrap_or(text);
        let Some((last, but_last)) = words.split_last() else { return 0 };
        let before = self.text.len();
        if self.blank && before > 0 {
            self.text.push(b' ');
        }
        self.blank = *last == b' ';
        self.text.extend_from_slice(if self.blank { but_last } else { words });
        (self.text.len() - before) as u64
    }

    /// Adds text that neither begins nor ends with white space.
    fn words(&mut self, words: &[u8]) {
        let mut rest = words;
        loop {
            let Some((plain, after)) = rest.split_at_checked(plain_length(rest)) else { return };
            self.text.extend_from_slice(plain);
            let Some(odd) = after.first() else { return };
            let run = after.iter().position(|byte| !is_blank(*byte)).unwrap_or(after.len());
            if run == 0 {
                self.text.push(*odd);
            } else if self.text.last() != Some(&b' ') {
                self.text.push(b' ');
            }
            rest = after.get(run.max(1)..).unwrap_or_default();
        }
    }

    /// Ends the current block; an empty one is dropped.
    pub(crate) fn end(&mut self, around: Surroundings) {
        self.blank = false;
        let (linked, is_in_sequence) = (std::mem::take(&mut self.linked), std::mem::take(&mut self.is_in_sequence));
        if self.text.is_empty() {
            return;
        }
        self.sketcher.block(&mut self.text, around.region);
        if self.blocks.len() < self.limit {
            let bytes = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
            let role = match role_of(bytes, linked) {
                _ if around.is_boilerplate => BlockRole::Boilerplate,
                BlockRole::Link if is_in_sequence => BlockRole::Boilerplate,
                role => role,
            };
            let marks = Marks::of(&self.text);
            let hash = hash(&self.text, marks);
            if role != BlockRole::Boilerplate && matches!(around.region, Region::Main | Region::Body) {
                self.fold(hash, marks);
            }
            self.kept.block(&self.text, role);
            self.blocks.push(Block { hash, bytes, role });
        } else {
            self.cut = true;
        }
        self.text.clear();
    }

    /// Ends an `aside` within the content, whose blocks start at `first`: it belongs to the content if it is text, and
    /// is a box of other pages if it is mostly links.
    pub(crate) fn end_aside(&mut self, first: usize) {
        let blocks = self.blocks.get_mut(first..).unwrap_or_default();
        let of = |role: BlockRole, blocks: &[Block]| -> u64 {
            blocks.iter().filter(|block| block.role == role).map(|block| u64::from(block.bytes)).sum()
        };
        if of(BlockRole::Link, blocks) >= of(BlockRole::Text, blocks) {
            blocks.iter_mut().for_each(|block| block.role = BlockRole::Boilerplate);
        }
    }

    /// Adds the current block, with this hash, without its numbers.
    fn fold(&mut self, hash: u64, marks: Marks) {
        if !marks.digits {
            self.unnumbered.blocks.push(hash);
            return;
        }
        let numbers = unnumber(&self.text, &mut self.folded);
        self.unnumbered.numbers = self.unnumbered.numbers.saturating_add(numbers);
        self.unnumbered.blocks.push(xxh3_64(&self.folded));
    }

    /// Adds a text about the page in general, such as its title, to the texts without numbers.
    pub(crate) fn heading(&mut self, text: &str) {
        unnumber(text.as_bytes(), &mut self.folded);
        self.unnumbered.blocks.push(xxh3_64(&self.folded));
    }

    /// The blocks, their hashes without numbers, and the text of the first ones.
    pub(crate) fn into_blocks(self) -> (Vec<Block>, NumberlessText, Vec<u8>) {
        (self.blocks, self.unnumbered, self.kept.into_lines())
    }
}

/// Writes a text with `0` for each word that contains a digit, each followed by a space. Returns the number of such
/// words.
fn unnumber(text: &[u8], folded: &mut Vec<u8>) -> u32 {
    let mut numbers = 0_u32;
    folded.clear();
    let mut rest = text;
    while let Some((before, word)) = rest.split_at_checked(digit_at(rest)).filter(|(_, word)| !word.is_empty()) {
        let start = memrchr(b' ', before).map_or(0, |blank| blank + 1);
        folded.extend_from_slice(before.get(..start).unwrap_or_default());
        folded.push(b'0');
        numbers = numbers.saturating_add(1);
        rest = memchr(b' ', word).and_then(|end| word.get(end..)).unwrap_or_default();
    }
    folded.extend_from_slice(rest);
    folded.push(b' ');
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Text in the form of blocks: white space collapsed.
    fn collapsed(text: &str) -> String {
        text.split(|char: char| char.is_ascii() && is_blank(char as u8))
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn hashes(blocks: Blocks) -> Vec<u64> {
        blocks.into_blocks().0.iter().map(|block| block.hash).collect()
    }

    proptest! {
        #[test]
        fn pieces_hash_as_their_collapsed_text(pieces in proptest::collection::vec("[ab é\n\t\u{1}]{0,20}", 0..5)) {
            let mut blocks = Blocks::new(10, 0);
            let counted: u64 = pieces.iter().map(|piece| TextPiece::decode(piece, |piece| blocks.text(piece))).sum();
            let text = collapsed(&pieces.concat());
            prop_assert_eq!(counted, text.len() as u64);
            blocks.end(Surroundings::default());
            let expected: Vec<u64> = if text.is_empty() { vec![] } else { vec![xxh3_64(text.as_bytes())] };
            prop_assert_eq!(hashes(blocks), expected);
        }
    }

    #[test]
    fn however_its_characters_are_written_a_text_is_the_same() {
        let hash = |text: &str| {
            let mut blocks = Blocks::new(10, 0);
            TextPiece::decode(text, |piece| blocks.text(piece));
            blocks.end(Surroundings::default());
            hashes(blocks)
        };
        for (one, other) in [
            ("caf\u{e9} &amp; bar", "caf&eacute; &#38; bar"),
            ("a \"b\" 'c'", "a &quot;b&#34; &#x27;c&apos;"),
            ("a\u{a0}b", "a&nbsp;b"),
            ("a &lt; b", "a&#32;&#60;&#10; b"),
            ("R&D & more", "R&amp;D &amp; more"),
        ] {
            assert_eq!(hash(one), hash(other), "{one}");
        }
        assert_ne!(hash("&amp;lt;"), hash("&lt;"));
        assert_eq!(hash("Tom, 6 days ago"), hash("Tom, 1 week ago"), "a relative time is no text");
        assert_ne!(hash("Tom, 6 days ago"), hash("Ada, 6 days ago"));
    }

    #[test]
    fn numbers_are_left_out_and_other_words_are_not() {
        let read = |text: &str, region| {
            let mut blocks = Blocks::new(10, 0);
            TextPiece::decode(text, |piece| blocks.text(piece));
            blocks.end(Surroundings { region, ..Surroundings::default() });
            blocks.into_blocks().1
        };
        let day = read("Day 19990, 2024-01-03: nothing", Region::Body);
        assert_eq!((day.blocks.len(), day.numbers), (1, 2));
        assert_eq!(day, read("Day 5, 1999-12-31: nothing", Region::Main));
        assert_ne!(day.blocks, read("Day 19990, 2024-01-03: something", Region::Body).blocks);
        assert_eq!(read("words", Region::Body).blocks, [xxh3_64(b"words")]);
        assert_eq!(read("words 1", Region::Nav), NumberlessText::default());
    }
}
