//! Path patterns of rules: `*` for any octets, a final `$` for the end, everything else literal (RFC 9309 2.2.3).

use super::form::{self, Side};
use memchr::memmem;
use std::sync::Arc;

/// The patterns of one rule in the two forms of [`form`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Patterns {
    pub(super) written: Pattern,
    /// `None` if it is equal to the other form.
    pub(super) folded: Option<Pattern>,
}

impl Patterns {
    /// Parses a rule's value; `None` if no path can match it, because it starts with neither `/` nor `*`. Also returns
    /// the number of octets of the pattern as written, its specificity.
    pub(super) fn read(value: &[u8]) -> Option<(Patterns, u32)> {
        if !matches!(value, [b'/' | b'*', ..]) {
            return None;
        }
        let (body, ends) = value.strip_suffix(b"$").map_or((value, false), |body| (body, true));
        let (written, folded) = (form::as_written(body, Side::Rule), form::folded(body, Side::Rule));
        let octets = u32::try_from(written.len() + usize::from(ends)).unwrap_or(u32::MAX);
        let folded = (folded != written).then(|| Pattern::new(&folded, ends));
        Some((Patterns { written: Pattern::new(&written, ends), folded }, octets))
    }
}

/// The path pattern of one rule, in one form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Pattern {
    /// Runs of `*` are merged, and the final `$` and a final `*`, which has no effect, are removed.
    text: Arc<[u8]>,
    /// The match must end at the end of the path.
    ends: bool,
}

impl Pattern {
    fn new(body: &[u8], ends: bool) -> Pattern {
        let open = body.ends_with(b"*");
        let mut text = body.to_vec();
        text.dedup_by(|next, last| *next == b'*' && *last == b'*');
        text.pop_if(|last| *last == b'*');
        Pattern { text: text.into(), ends: ends && !open }
    }

    /// The length of the literal prefix: the text before the first wildcard.
    pub(super) fn prefix_len(&self) -> usize {
        memchr::memchr(b'*', &self.text).unwrap_or(self.text.len())
    }

    /// The first `len` octets.
    pub(super) fn start(&self, len: usize) -> &[u8] {
        self.text.get(..len).unwrap_or(&self.text)
    }

    /// The literal texts after the first wildcard.
    pub(super) fn tail_pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.text.split(|&byte| byte == b'*').skip(1)
    }

    /// Returns true if `path`, in the same form, matches. Each piece between wildcards is matched at its first
    /// occurrence without backtracking: linear in the path.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        let mut pieces = self.text.split(|&byte| byte == b'*');
        let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
        let mut pieces = pieces.peekable();
        if pieces.peek().is_none() {
            return !self.ends || rest.is_empty();
        }
        while let Some(piece) = pieces.next() {
            if self.ends && pieces.peek().is_none() {
                return rest.ends_with(piece);
            }
            let found = memmem::find(rest, piece).and_then(|at| rest.get(at + piece.len()..));
            let Some(behind) = found else { return false };
            rest = behind;
        }
        true
    }
}
