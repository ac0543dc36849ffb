//! The text of a page's blocks that is kept, so that what changed can be shown.

use super::block::BlockRole;
use super::text::bounded;

/// The most bytes of a block that are kept.
const BLOCK_BYTES: usize = 300;

/// The beginnings of a page's text blocks, a line each, in the order of the blocks. The line of boilerplate, of which no
/// change is shown, is empty; the last blocks have no lines where there is no more room.
#[derive(Debug)]
pub(crate) struct KeptText {
    lines: String,
    /// The bytes that are left.
    room: usize,
}

impl KeptText {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { lines: String::new(), room: bytes }
    }

    /// Adds the line of the next block.
    #[inline]
    pub(crate) fn block(&mut self, text: &[u8], role: BlockRole) {
        if self.room > 0 {
            self.line(if role == BlockRole::Boilerplate { &[] } else { text });
        }
    }

    fn line(&mut self, text: &[u8]) {
        // A character that is cut here lies behind the part.
        let beginning = String::from_utf8_lossy(text.get(..BLOCK_BYTES + 4).unwrap_or(text));
        let part = bounded(&beginning, BLOCK_BYTES);
        let cut = if part.len() < text.len() { "…" } else { "" };
        let needed = part.len() + cut.len() + 1;
        // A line that does not fit is left out with all that follow: the lines are those of the first blocks.
        self.room = self.room.saturating_sub(needed);
        if self.room > 0 {
            self.lines.extend([part, cut, "\n"]);
        }
    }

    pub(crate) fn into_lines(self) -> String {
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bytes: usize, blocks: &[(&str, BlockRole)]) -> String {
        let mut kept = KeptText::new(bytes);
        blocks.iter().for_each(|(text, role)| kept.block(text.as_bytes(), *role));
        kept.into_lines()
    }

    #[test]
    fn each_of_the_first_blocks_has_its_line() {
        let blocks = [("Menu", BlockRole::Boilerplate), ("One", BlockRole::Text), ("Two", BlockRole::Link)];
        assert_eq!(kept(100, &blocks), "\nOne\nTwo\n");
        assert_eq!(kept(9, &blocks), "\nOne\n", "what has no room is left out");
        assert_eq!(kept(0, &blocks), "");
        let long = "é".repeat(BLOCK_BYTES);
        assert_eq!(kept(1_000, &[(&long, BlockRole::Text)]), format!("{}…\n", "é".repeat(BLOCK_BYTES / 2)));
        let short_after_long = [(long.as_str(), BlockRole::Text), ("a", BlockRole::Text)];
        assert_eq!(kept(100, &short_after_long), "", "no line stands for another block");
    }
}
