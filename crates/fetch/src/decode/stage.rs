//! The decoder of one content coding.

/// Minimum growth of a full buffer, in bytes.
const LEAST_GROWTH: usize = 16 << 10;

/// A stream that violates its coding; the text says how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Corrupt(pub(crate) String);

/// The decoder of one coding.
pub(super) trait Stage: Send {
    /// Appends the decoded `input` to `out`, until the input is consumed or `out` holds `limit` bytes or a little more.
    /// Returns how much of the input was consumed. Output from before a fault stays in `out`.
    fn step(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<usize, Corrupt>;

    /// Returns whether the stream may end here.
    fn is_complete(&self) -> bool;
}

/// Ensures spare capacity: doubles a full buffer, within the limit.
pub(super) fn make_room(out: &mut Vec<u8>, limit: usize) {
    if out.len() == out.capacity() {
        let growth = out.len().max(LEAST_GROWTH).min(limit.saturating_sub(out.len()));
        out.reserve_exact(growth.max(1));
    }
}
