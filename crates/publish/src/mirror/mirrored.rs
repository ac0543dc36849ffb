//! The result of updating a mirror.

/// The result of an upload.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mirrored {
    /// Files that were sent, or passed to the command.
    pub uploaded: u64,
    /// Files that were there with the same bytes.
    pub kept: u64,
    /// Files that were removed, or named to the command as removable.
    pub removed: u64,
    /// Bytes of the files that were sent, or passed to the command.
    pub bytes: u64,
}
