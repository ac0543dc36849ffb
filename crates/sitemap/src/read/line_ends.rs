//! Counts line ends: LF, CR LF, and CR alone (XML 1.0, 2.11).

/// Counts line ends in text that arrives in pieces, so that a CR LF split between two pieces counts once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineEnds {
    after_cr: bool,
}

/// The length below which a plain loop is faster than a vector search.
const SHORT: usize = 64;

impl LineEnds {
    /// The state after the text `before`.
    pub(super) fn after(before: &[u8]) -> Self {
        Self { after_cr: before.last() == Some(&b'\r') }
    }

    /// Counts the line ends of the next piece. A CR counts at once, and an LF directly after it does not count.
    pub(super) fn count(&mut self, piece: &[u8]) -> u64 {
        if piece.len() >= SHORT && !self.after_cr && memchr::memchr(b'\r', piece).is_none() {
            return memchr::memchr_iter(b'\n', piece).count() as u64;
        }
        piece.iter().map(|byte| u64::from(self.ends_at(*byte))).sum()
    }

    /// Returns true if a line ends with the next byte.
    pub(super) const fn ends_at(&mut self, byte: u8) -> bool {
        let after_cr = self.after_cr;
        self.after_cr = byte == b'\r';
        self.after_cr || (byte == b'\n' && !after_cr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_ways_of_ending_a_line_are_one_line_end_each() {
        for (text, lines) in
            [("", 0), ("a", 0), ("a\nb\n", 2), ("a\r\nb\r\n", 2), ("a\rb\r", 2), ("\n\r", 2), ("\r\r\n\n", 3)]
        {
            let long = format!("{text}{}", "x".repeat(SHORT));
            assert_eq!(LineEnds::default().count(text.as_bytes()), lines, "{text:?}");
            assert_eq!(LineEnds::default().count(long.as_bytes()), lines, "{text:?}");
            for at in 0..text.len() {
                let (one, other) = text.as_bytes().split_at(at);
                let mut ends = LineEnds::default();
                assert_eq!(ends.count(one) + ends.count(other), lines, "{text:?} in two at {at}");
                assert_eq!(LineEnds::after(one).count(other), lines - LineEnds::default().count(one), "{text:?}");
            }
        }
    }
}
