//! The text of a page's blocks that is kept, so that what changed can be shown.

use super::block::BlockRole;

/// The most bytes of a block that are kept.
const BLOCK_BYTES: usize = 200;

/// The beginnings of a page's text blocks, a line each, in the order of the blocks. The line of boilerplate, of which no
/// change is shown, is empty; the last blocks have no lines where there is no more room.
#[derive(Debug)]
pub(crate) struct KeptText {
    /// UTF-8, as the text of the blocks is: it is checked where it is read, which is seldom.
    lines: Vec<u8>,
    /// The bytes that are left.
    room: usize,
}

impl KeptText {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { lines: Vec::new(), room: bytes }
    }

    /// Adds the line of the next block.
    #[inline]
    pub(crate) fn block(&mut self, text: &[u8], role: BlockRole) {
        if self.room > 0 {
            self.line(if role == BlockRole::Boilerplate { &[] } else { text });
        }
    }

    fn line(&mut self, text: &[u8]) {
        let part = beginning(text);
        let cut = if part.len() < text.len() { "…" } else { "" };
        let needed = part.len() + cut.len() + 1;
        // A line that does not fit is left out with all that follow: the lines are those of the first blocks.
        self.room = self.room.saturating_sub(needed);
        if self.room > 0 {
            for part in [part, cut.as_bytes(), b"\n"] {
                self.lines.extend_from_slice(part);
            }
        }
    }

    pub(crate) fn into_lines(self) -> Vec<u8> {
        self.lines
    }
}

/// The beginning of a text, cut between characters.
fn beginning(text: &[u8]) -> &[u8] {
    let is_inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000);
    let end = (0..=BLOCK_BYTES).rev().find(|at| !is_inside(*at)).unwrap_or_default();
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bytes: usize, blocks: &[(&str, BlockRole)]) -> String {
        let mut kept = KeptText::new(bytes);
        blocks.iter().for_each(|(text, role)| kept.block(text.as_bytes(), *role));
        String::from_utf8(kept.into_lines()).unwrap()
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
