//! Whether what stands at a path is the file that was opened there.

use std::fs::Metadata;
use std::path::Path;

/// Whether the file of `opened` is what stands at `path` still. One that was removed can be read and written as long as
/// it is open, and is lost then; another may stand in its place.
#[must_use]
pub fn stands_at(opened: &Metadata, path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|now| is_same(opened, &now))
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Where files have no numbers, one that is open can be neither removed nor replaced.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}
