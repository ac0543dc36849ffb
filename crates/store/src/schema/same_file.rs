//! Detects whether an open file was removed or replaced.

use std::fs::Metadata;
use std::path::Path;

/// Reports whether the file of `opened` is still the file at `path`. A file that was removed can be read and written
/// while it is open, and is lost afterwards; another file may have replaced it.
#[must_use]
pub fn is_same_file(opened: &Metadata, path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|now| is_same(opened, &now))
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// On systems without inode numbers, an open file can be neither removed nor replaced.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}
