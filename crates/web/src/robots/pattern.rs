//! Path patterns of rules: `*` for any octets, a final `$` for the end, everything else literal (RFC 9309 2.2.3).
//!
//! Patterns and paths are compared in one normal form (RFC 9309 2.2.2): unreserved characters decoded; octets beyond
//! ASCII escaped; and so are the characters that one writer escapes and the next does not: what RFC 3986 leaves no place,
//! brackets, `'` (which the URL standard escapes in queries), and a literal `*` or `$`. `/`, `?` and the other reserved
//! characters stay apart from their escapes.

use crate::percent::{self, AsciiSet};
use memchr::memmem;
use std::borrow::Cow;
use std::sync::Arc;

/// Escaped in patterns, where `*` is the wildcard.
const IN_PATTERNS: AsciiSet = AsciiSet::NEVER_RAW.with(b'[').with(b']').with(b'\'').with(b'$');
/// Escaped in paths.
const IN_PATHS: AsciiSet = IN_PATTERNS.with(b'*');

/// A path with its query in the form that patterns are matched against.
pub(super) fn path_form(path_and_query: &str) -> Cow<'_, [u8]> {
    let text = path_and_query.split_once('#').map_or(path_and_query, |(text, _)| text);
    let text = if text.starts_with('/') { Cow::Borrowed(text) } else { Cow::Owned(format!("/{text}")) };
    match percent::normalised(text.as_bytes(), IN_PATHS) {
        Some(normal) => Cow::Owned(normal.into_bytes()),
        None => match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
    }
}

/// The path pattern of one rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Pattern {
    /// Normal form, runs of `*` made one, without the final `$`, and without a final `*`, which says nothing.
    text: Arc<[u8]>,
    /// The match must end where the path ends.
    ends: bool,
}

impl Pattern {
    /// Reads a rule's value; `None` when no path can match it, as it starts neither with `/` nor with `*`. Also gives the
    /// pattern's octets in normal form, which tell how specific it is.
    pub(super) fn read(value: &str) -> Option<(Pattern, u32)> {
        if !value.starts_with(['/', '*']) {
            return None;
        }
        let (body, ends) = value.strip_suffix('$').map_or((value, false), |body| (body, true));
        let body = percent::normalised(body.as_bytes(), IN_PATTERNS).map_or(Cow::Borrowed(body), Cow::Owned);
        let octets = u32::try_from(body.len() + usize::from(ends)).unwrap_or(u32::MAX);
        let open = body.ends_with('*');
        let mut text: Vec<u8> = body.trim_end_matches('*').bytes().collect();
        text.dedup_by(|next, last| *next == b'*' && *last == b'*');
        Some((Pattern { text: text.into(), ends: ends && !open }, octets))
    }

    /// What a matching path starts with: all before the first wildcard.
    pub(super) fn prefix_len(&self) -> usize {
        memchr::memchr(b'*', &self.text).unwrap_or(self.text.len())
    }

    /// The first `len` octets.
    pub(super) fn start(&self, len: usize) -> &[u8] {
        self.text.get(..len).unwrap_or(&self.text)
    }

    /// The literal texts behind the first wildcard.
    pub(super) fn tail_pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.text.split(|&byte| byte == b'*').skip(1)
    }

    /// Whether `path`, in normal form, matches. Takes the first place for each piece between wildcards, which never has to
    /// be given up: linear in the path.
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
