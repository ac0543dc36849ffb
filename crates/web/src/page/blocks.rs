//! Hashes of the text between block-level tags: what a change of content is seen by.

use super::facts::{Region, Unnumbered};
use super::plain::plain_length;
use super::references::{Context, decode};
use super::scan::is_blank;
use super::sketch::Sketcher;
use memchr::memchr;
use xxhash_rust::xxh3::xxh3_64;

/// Hashes runs of text as they come.
///
/// A block's hash is XXH3 (64 bits, no seed) over the UTF-8 text between two block-level tags, inline tags and comments
/// left out, references decoded, each run of ASCII white space one space, none at the ends. It never changes between
/// versions, since records keep it.
#[derive(Debug)]
pub(crate) struct Blocks {
    hashes: Vec<u64>,
    unnumbered: Unnumbered,
    /// The text of a block without its numbers.
    folded: Vec<u8>,
    limit: usize,
    /// The text of the current block; at most that of the document.
    text: Vec<u8>,
    /// White space came since its last word.
    blank: bool,
    /// A hash was dropped for the limit.
    pub(crate) cut: bool,
    pub(crate) sketcher: Sketcher,
}

impl Blocks {
    pub(crate) fn new(limit: usize) -> Self {
        Blocks {
            hashes: Vec::new(),
            unnumbered: Unnumbered::default(),
            folded: Vec::new(),
            limit,
            text: Vec::new(),
            blank: false,
            cut: false,
            sketcher: Sketcher::default(),
        }
    }

    /// Takes a piece of text; gives how many bytes of it count.
    pub(crate) fn text(&mut self, text: &str) -> u64 {
        let words = text.as_bytes();
        if plain_length(words) == words.len() {
            return self.plain(words);
        }
        if memchr(b'&', words).is_some() {
            return self.collapsed(decode(text, Context::Text).as_bytes());
        }
        self.collapsed(words)
    }

    /// Takes any text, references decoded.
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

    /// Takes text without references whose white space is single spaces.
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

    /// Takes text that neither begins nor ends with white space.
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

    /// Ends the current block, which stands in `region`; an empty one is none.
    pub(crate) fn end(&mut self, region: Region) {
        self.blank = false;
        if self.text.is_empty() {
            return;
        }
        self.sketcher.block(&mut self.text, region);
        if self.hashes.len() < self.limit {
            let hash = xxh3_64(&self.text);
            self.hashes.push(hash);
            if matches!(region, Region::Main | Region::Body) {
                self.fold(hash);
            }
        } else {
            self.cut = true;
        }
        self.text.clear();
    }

    /// Takes the current block, of this hash, without its numbers.
    fn fold(&mut self, hash: u64) {
        // Without a branch for each byte: most blocks hold no digit.
        if !self.text.iter().fold(false, |found, byte| found | byte.is_ascii_digit()) {
            self.unnumbered.blocks.push(hash);
            return;
        }
        let numbers = unnumber(&self.text, &mut self.folded);
        self.unnumbered.numbers = self.unnumbered.numbers.saturating_add(numbers);
        self.unnumbered.blocks.push(xxh3_64(&self.folded));
    }

    /// Takes a text about the page as a whole, its title say, among those without numbers.
    pub(crate) fn heading(&mut self, text: &str) {
        unnumber(text.as_bytes(), &mut self.folded);
        self.unnumbered.blocks.push(xxh3_64(&self.folded));
    }

    /// The hashes of its blocks, and those without numbers.
    pub(crate) fn into_hashes(self) -> (Vec<u64>, Unnumbered) {
        (self.hashes, self.unnumbered)
    }
}

/// Writes a text with `0` for each word that holds a digit. How many there are.
fn unnumber(text: &[u8], folded: &mut Vec<u8>) -> u32 {
    let mut numbers = 0_u32;
    folded.clear();
    for word in text.split(|byte| *byte == b' ') {
        let is_number = word.iter().any(u8::is_ascii_digit);
        numbers = numbers.saturating_add(u32::from(is_number));
        folded.extend_from_slice(if is_number { b"0" } else { word });
        folded.push(b' ');
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Text as blocks hold it: blanks collapsed.
    fn collapsed(text: &str) -> String {
        text.split(|char: char| char.is_ascii() && is_blank(char as u8))
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    proptest! {
        #[test]
        fn pieces_hash_as_their_collapsed_text(pieces in proptest::collection::vec("[ab é\n\t\u{1}]{0,20}", 0..5)) {
            let mut blocks = Blocks::new(10);
            let counted: u64 = pieces.iter().map(|piece| blocks.text(piece)).sum();
            let whole = collapsed(&pieces.concat());
            prop_assert_eq!(counted, whole.len() as u64);
            blocks.end(Region::Body);
            let expected: Vec<u64> = if whole.is_empty() { vec![] } else { vec![xxh3_64(whole.as_bytes())] };
            prop_assert_eq!(blocks.into_hashes().0, expected);
        }
    }

    #[test]
    fn however_its_characters_are_written_a_text_is_the_same() {
        let hash = |text: &str| {
            let mut blocks = Blocks::new(10);
            blocks.text(text);
            blocks.end(Region::Body);
            blocks.into_hashes().0
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
    }

    #[test]
    fn numbers_are_left_out_and_other_words_are_not() {
        let read = |text: &str, region| {
            let mut blocks = Blocks::new(10);
            blocks.text(text);
            blocks.end(region);
            blocks.into_hashes().1
        };
        let day = read("Day 19990, 2024-01-03: nothing", Region::Body);
        assert_eq!((day.blocks.len(), day.numbers), (1, 2));
        assert_eq!(day, read("Day 5, 1999-12-31: nothing", Region::Main));
        assert_ne!(day.blocks, read("Day 19990, 2024-01-03: something", Region::Body).blocks);
        assert_eq!(read("words", Region::Body).blocks, [xxh3_64(b"words")]);
        assert_eq!(read("words 1", Region::Nav), Unnumbered::default());
    }
}
